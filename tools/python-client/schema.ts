// The part of OpenAPI 3.1 that our document uses, and the names Python gives to what is in it.
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  description?: string;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The keywords that could name a field. */
const KEYWORDS = new Set(
  'and as class def del for from global if import in is lambda not or pass raise return try while with'.split(' '),
);

export const pythonName = (name: string): string => {
  const snake = name
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
};

export const className = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

export const refName = (ref: string): string => className(ref.split('/').at(-1)!);

/** JSON writes every string and number as Python reads it. */
export const literal = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value);

/** Python type of a schema. `objectType` decides what an object with fields is called. */
export function typeOf(schema: Schema | undefined, objectType: (schema: Schema) => string): string {
  const of = (one: Schema | undefined): string => typeOf(one, objectType);
  if (!schema) return 'Any';
  if (schema.$ref) return objectType(schema);
  if ('const' in schema) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map(of));
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat();
  return types.length === 0 ? 'Any' : union(types.map((type) => plainType(type, schema, of, objectType)));
}

function plainType(
  type: string,
  schema: Schema,
  of: (one: Schema | undefined) => string,
  objectType: (schema: Schema) => string,
): string {
  if (type === 'object') {
    if (Object.keys(schema.properties ?? {}).length > 0) return objectType(schema);
    const more = schema.additionalProperties;
    return `dict[str, ${typeof more === 'object' && Object.keys(more).length > 0 ? of(more) : 'Any'}]`;
  }
  if (type === 'array') return `list[${of(schema.items)}]`;
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type] ?? 'Any';
}

function union(types: string[]): string {
  const parts = [...new Set(types.flatMap((type) => type.split(' | ')))];
  if (parts.includes('Any')) return 'Any';
  return [...parts.filter((part) => part !== 'None'), ...(parts.includes('None') ? ['None'] : [])].join(' | ');
}

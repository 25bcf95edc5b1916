// TypeScript for an OpenAPI 3.1 document, as far as ours uses it. Pure: document in, text out.
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  default?: unknown;
  description?: string;
}

interface Operation {
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const METHODS = ['get', 'post', 'patch', 'delete'];
const JSON_TYPE = 'application/json';

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const comment = (text?: string): string => (text ? `/** ${text.replaceAll('*/', '* /')} */ ` : '');

function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown';
  if (schema.$ref) return `Schemas[${JSON.stringify(schema.$ref.split('/').at(-1))}]`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) return choice.map((one) => `(${typeOf(one)})`).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return schema.properties ? objectOf(schema) : 'unknown';
  return types.map((type) => plainType(type, schema)).join(' | ');
}

function plainType(type: string, schema: Schema): string {
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') {
    if (schema.prefixItems) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
    return `(${typeOf(schema.items)})[]`;
  }
  return type === 'object' ? objectOf(schema) : type;
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description)}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
  );
  const more =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? typeOf(additionalProperties)
      : 'unknown';
  const isOpen = additionalProperties !== false && (fields.length === 0 || additionalProperties !== undefined);
  if (isOpen) fields.push(`[field: string]: ${fields.length === 0 ? more : 'unknown'};`);
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join(' ')} }`;
}

function parametersOf(operation: Operation, place: string): string {
  const found = (operation.parameters ?? []).filter((one) => one.in === place);
  if (found.length === 0) return 'undefined';
  return `{ ${found
    .map(
      ({ name, required, description, schema }) =>
        `${comment(description)}${key(name)}${required ? '' : '?'}: ${typeOf(schema)};`,
    )
    .join(' ')} }`;
}

function replyOf({ responses }: Operation): string {
  const schemas = Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = Number(status) < 300 ? content?.[JSON_TYPE]?.schema : undefined;
    return schema ? [typeOf(schema)] : [];
  });
  return [...new Set(schemas)].join(' | ') || 'unknown';
}

export function typesOf({ paths, components }: Document): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${key(name)}: ${typeOf(schema)};`);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      if (!operation) return [];
      return `  /** ${operation.summary ?? ''} */
  ${JSON.stringify(`${method.toUpperCase()} ${path}`)}: {
    path: ${parametersOf(operation, 'path')};
    query: ${parametersOf(operation, 'query')};
    body: ${operation.requestBody ? typeOf(operation.requestBody.content[JSON_TYPE]?.schema) : 'undefined'};
    reply: ${replyOf(operation)};
  };`;
    }),
  );
  const keyed = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]?.parameters?.some(({ name }) => name === 'Idempotency-Key')).map(
      (method) => `  ${JSON.stringify(`${method.toUpperCase()} ${path}`)},`,
    ),
  );
  return `// Written by tools/dashboard/api-types.ts from the OpenAPI document.
export interface Schemas {
${schemas.join('\n')}
}

export interface Routes {
${routes.join('\n')}
}

/** Routes that do their work once for each \`Idempotency-Key\`. */
export const KEYED_ROUTES: ReadonlySet<string> = new Set([
${keyed.join('\n')}
]);
`;
}

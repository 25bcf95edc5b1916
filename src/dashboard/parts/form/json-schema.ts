// What a form has to know of a JSON Schema: its fields, in order, with the control that suits each. Pure.

export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  description?: string;
  title?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

export type Control = 'text' | 'url' | 'number' | 'check' | 'choice' | 'list' | 'json';

export interface FormField {
  name: string;
  label: string;
  control: Control;
  isRequired: boolean;
  hint: string | undefined;
  /** Of a choice. */
  options: readonly string[];
  isInteger: boolean;
  schema: JsonSchema;
}

/** Without the null that optional fields may also be. */
function concrete(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const choices = anyOf?.filter((one) => one.type !== 'null');
  if (!choices || choices.length === 0) return schema;
  const listed = choices.find((one) => one.type === 'array') ?? choices[0]!;
  return { ...rest, ...listed };
}

function controlOf(schema: JsonSchema): Control {
  const type = [schema.type ?? []].flat().find((one) => one !== 'null');
  if (schema.enum) return 'choice';
  if (type === 'boolean') return 'check';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array' && (schema.items?.type === 'string' || schema.items?.enum)) return 'list';
  if (type === 'string') return schema.format === 'uri' ? 'url' : 'text';
  return 'json';
}

const labelOf = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Required ones first, then as the schema has them. */
export function fieldsOf(schema: JsonSchema, hidden: readonly string[] = []): FormField[] {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {})
    .filter(([name]) => !hidden.includes(name))
    .map(([name, given]): FormField => {
      const plain = concrete(given);
      return {
        name,
        label: plain.title ?? labelOf(name),
        control: controlOf(plain),
        isRequired: required.has(name) && plain.default === undefined,
        hint: given.description ?? plain.description,
        options: (plain.enum ?? []).filter((one) => one !== null).map(String),
        isInteger: [plain.type].flat().includes('integer'),
        schema: plain,
      };
    });
  return [...fields.filter((one) => one.isRequired), ...fields.filter((one) => !one.isRequired)];
}

/** What was typed as a value of the field; undefined: nothing was said. */
export function typedValue({ control, isInteger }: FormField, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (control === 'number') {
    const value = Number(trimmed);
    // What is no number is sent as it is: the server says what is wrong with it.
    return Number.isNaN(value) || (isInteger && !Number.isInteger(value)) ? trimmed : value;
  }
  if (control === 'list') return trimmed.split(/[\n,]/).flatMap((one) => one.trim() || []);
  if (control === 'json') return jsonOr(trimmed);
  return trimmed;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : Array.isArray(value)
      ? value.join('\n')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

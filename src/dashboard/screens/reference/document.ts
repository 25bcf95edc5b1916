// The OpenAPI document as the reference reads it: operations in the order of their tags, found by words. Pure.
import type { JsonSchema } from '../../parts/form/json-schema.ts';

export interface DocSchema extends JsonSchema {
  $ref?: string;
  const?: unknown;
  oneOf?: DocSchema[];
  anyOf?: DocSchema[];
  properties?: Record<string, DocSchema>;
  items?: DocSchema;
  additionalProperties?: boolean | DocSchema;
  format?: string;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: DocSchema;
}

interface Content {
  schema?: DocSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  body: Content | null;
  replies: { status: string; description: string; type: string | null; content: Content | null }[];
}

interface RawOperation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

export interface ApiDocument {
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, DocSchema> };
}

export function operationsOf({ paths, tags }: ApiDocument): Operation[] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]): Operation => {
      const body = Object.values(raw.requestBody?.content ?? {})[0] ?? null;
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        tag: raw.tags?.[0] ?? 'Other',
        summary: raw.summary ?? '',
        ...(raw.description ? { description: raw.description } : {}),
        parameters: raw.parameters ?? [],
        body,
        replies: Object.entries(raw.responses).map(([status, reply]) => {
          const [type = null, content = null] = Object.entries(reply.content ?? {})[0] ?? [];
          return { status, description: reply.description, type, content };
        }),
      };
    }),
  );
  const order = tags.map(({ name }) => name);
  const place = ({ tag }: Operation): number => (order.includes(tag) ? order.indexOf(tag) : order.length);
  return all.sort((a, b) => place(a) - place(b));
}

/** Every word is somewhere in it. */
export function matches(operation: Operation, text: string): boolean {
  const { id, method, path, tag, summary, description = '' } = operation;
  const all = `${id} ${method} ${path} ${tag} ${summary} ${description}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** What a schema is, in a few characters: `string[]`, `Run | null`, `"asc" | "desc"`. */
export function typeText(schema: DocSchema | undefined): string {
  if (!schema) return 'anything';
  if (schema.$ref) return refName(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) return choice.map(typeText).join(' | ');
  if (schema.type === 'array') return `${typeText(schema.items)}[]`;
  const types = [schema.type ?? 'anything'].flat();
  return types.map((type) => (type === 'array' ? `${typeText(schema.items)}[]` : type)).join(' | ');
}

/** A line for a terminal that does the same. */
export function curlOf(operation: Operation, origin: string, { path, body }: { path: string; body: string }): string {
  const parts = [`curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${quoted(origin + path)}`];
  if (body !== '') parts.push(`-H 'content-type: application/json'`, `-d ${quoted(body)}`);
  return parts.join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

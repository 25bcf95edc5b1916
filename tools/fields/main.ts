// Writes docs/fields.md, the reference of what a posting, a product and an article have, from the OpenAPI document: `npm run fields`. A test says when it is stale.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiDocument } from '../dashboard/api-document.ts';

export const FIELDS_FILE = resolve(import.meta.dirname, '../../docs/fields.md');

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  properties?: Record<string, Schema>;
}

const ITEMS = [
  ['Posting', 'A job posting, as searches and `GET /postings` return it.'],
  ['Product', 'A product of a cart.'],
  ['Article', 'An article, as it is stored; `content` is its text.'],
] as const;

export function fieldsMarkdown(): string {
  const { components } = apiDocument() as { components: { schemas: Record<string, Schema> } };
  const parts = ITEMS.map(([name, about]) => {
    const rows = Object.entries(components.schemas[name]?.properties ?? {}).flatMap(([field, schema]) =>
      rowsOf(field, schema),
    );
    return `## ${name}\n\n${about}\n\n| field | type | means |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Fields\n\nWritten by \`npm run fields\` from the schemas of the API. A field that a page does not say is null.\n\n${parts.join('\n')}`;
}

/** What is inside an object has a dot, and what is in a list of objects has brackets. */
function rowsOf(field: string, schema: Schema): string[] {
  const whole = present(schema);
  const row = `| \`${field}\` | ${typeText(schema)} | ${cell(schema.description ?? whole.description ?? '')} |`;
  const [inner, mark] = whole.properties ? [whole, '.'] : [present(whole.items ?? {}), '[].'];
  return [
    row,
    ...Object.entries(inner.properties ?? {}).flatMap(([name, one]) => rowsOf(`${field}${mark}${name}`, one)),
  ];
}

/** The shape, where null is the other choice. */
const present = (schema: Schema): Schema => schema.anyOf?.find((one) => one.type !== 'null') ?? schema;

function typeText(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' or ');
  if (schema.enum) return schema.enum.map((one) => (one === null ? 'null' : `\`${String(one)}\``)).join(', ');
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  const types = [schema.type ?? 'anything'].flat();
  return types.map((one) => (one === 'array' ? `list of ${typeText(schema.items ?? {})}` : one)).join(' or ');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

if (process.argv[1] === import.meta.filename) writeFileSync(FIELDS_FILE, fieldsMarkdown());

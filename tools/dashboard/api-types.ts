// The types of the API for the dashboard, from the OpenAPI document of the route table: no server runs for it. The file is not committed, so it cannot be
// out of date: `npm ci` and `npm run check` write it. (openapi-typescript is built on the compiler API that TypeScript 7 no longer has.)
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AREAS } from '../../src/api/areas.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import { openapiDocument } from '../../src/api/docs/openapi.ts';
import { typesOf } from './openapi-to-types.ts';

const FILES = ['dashboard/api', 'client'].map((folder) =>
  resolve(import.meta.dirname, '../../src', folder, 'routes.generated.ts'),
);

/** Routes are made from their dependencies and only described here: whatever a factory reads of them is this again. */
const anything: unknown = new Proxy(() => {}, { get: () => anything, apply: () => anything });
const LISTS = { sources: [], moduleProblems: [], catalogue: { all: () => [] }, careers: { types: () => [] } };
const noDeps = new Proxy(LISTS, {
  get: (known, name) => (name in known ? known[name as keyof typeof known] : anything),
}) as unknown as ApiDeps;

export async function writeApiTypes(): Promise<void> {
  const document = openapiDocument(
    AREAS.flatMap((area) => area(noDeps)),
    '',
  );
  const text = typesOf(document as unknown as Parameters<typeof typesOf>[0]);
  for (const file of FILES) writeFileSync(file, text);
}

if (process.argv[1] === import.meta.filename) await writeApiTypes();

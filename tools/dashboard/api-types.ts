// The types of the API for the client and the dashboard, from the OpenAPI document of the route table: no server runs for it. The file is not committed, so it cannot be
// out of date: `npm ci` and `npm run check` write it. (openapi-typescript is built on the compiler API that TypeScript 7 no longer has.)
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiDocument } from './api-document.ts';
import { typesOf } from './openapi-to-types.ts';

const FILE = resolve(import.meta.dirname, '../../src/client/routes.generated.ts');

export async function writeApiTypes(): Promise<void> {
  writeFileSync(FILE, typesOf(apiDocument() as unknown as Parameters<typeof typesOf>[0]));
}

if (process.argv[1] === import.meta.filename) await writeApiTypes();

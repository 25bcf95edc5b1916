// Writes the dataclasses and methods of the Python client from the OpenAPI document: `npm run python-client`. They are committed, since people install the
// client without Node; tests/python-client.test.ts checks that they are up to date.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiDocument } from '../dashboard/api-document.ts';
import { modelsOf } from './models.ts';
import { operationsOf } from './operations.ts';
import type { ApiDocument } from './schema.ts';

const FOLDER = resolve(import.meta.dirname, '../../clients/python/src/windrow');

/** Path → text. */
export function pythonFiles(): Record<string, string> {
  const document = apiDocument() as unknown as ApiDocument;
  return {
    [resolve(FOLDER, 'models.py')]: modelsOf(document),
    [resolve(FOLDER, 'operations.py')]: operationsOf(document),
  };
}

if (process.argv[1] === import.meta.filename)
  for (const [file, text] of Object.entries(pythonFiles())) writeFileSync(file, text);

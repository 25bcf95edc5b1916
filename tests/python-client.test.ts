// The Python client is written from the OpenAPI document and committed.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pythonFiles } from '../tools/python-client/main.ts';

test.each(Object.entries(pythonFiles()))('%s is what `npm run python-client` writes', (file, text) => {
  expect(readFileSync(file, 'utf8') === text, 'The API has changed: run `npm run python-client` and commit it').toBe(
    true,
  );
});

// The reference of fields is written from the schemas, and committed.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIELDS_FILE, fieldsMarkdown } from '../tools/fields/main.ts';

test('docs/fields.md is what `npm run fields` writes', () => {
  expect(
    readFileSync(FIELDS_FILE, 'utf8') === fieldsMarkdown(),
    'The fields have changed: run `npm run fields` and commit it',
  ).toBe(true);
});

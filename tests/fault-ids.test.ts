// Every fault that is known has a test, or a line that says why not, and the table in docs is what the tests say.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { faultTable, problemsOf, testsIn } from '../tools/faults/table.ts';

const root = resolve(import.meta.dirname, '..');
const tests = testsIn(root);

test('every fault has a test with its id in the name, or a reason', () => {
  expect(problemsOf(tests)).toEqual([]);
});

test('docs/faults.md is up to date: npm run faults', () => {
  expect(readFileSync(resolve(root, 'docs/faults.md'), 'utf8')).toBe(faultTable(tests));
});

// `npm run faults`: writes docs/faults.md from the names of the tests.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { faultTable, problemsOf, testsIn } from './table.ts';

const root = resolve(import.meta.dirname, '../..');
const tests = testsIn(root);
writeFileSync(resolve(root, 'docs/faults.md'), faultTable(tests));
for (const problem of problemsOf(tests)) process.stdout.write(`${problem}\n`);

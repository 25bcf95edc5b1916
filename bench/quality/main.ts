// `npm run quality`: how well texts and facts are read, on every labelled set, beside the best of the others, as one table.
// What a reader would get wrong: rows marked "learned from" are no measure of pages that nobody has seen. Only those of the test part are,
// and each look at them makes them less so: they are for the end of a change, with --test.
//
//   npm run quality                       every set, its development part where it has parts
//   npm run quality -- --set pages        one set
//   npm run quality -- --test             the test parts alone
//   npm run quality -- --misses           also what was read wrongly, of the sets that can say it
import { parseArgs } from 'node:util';
import { COLUMNS, type Measure, type Part } from './quality.ts';
import { SETS } from './sets/index.ts';

const { values: option } = parseArgs({
  options: {
    set: { type: 'string', multiple: true },
    test: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
  },
});
const unknown = (option.set ?? []).filter((name) => !SETS.some((set) => set.name === name));
if (unknown.length > 0) {
  console.error(`quality: no set named ${unknown.join(', ')}; there are: ${SETS.map((set) => set.name).join(', ')}`);
  process.exit(2);
}
const parts: Part[] = option.test ? ['test'] : ['dev'];
const measures: Measure[] = [];
for (const set of SETS) {
  if (option.set && !option.set.includes(set.name)) continue;
  console.error(`quality: ${set.name} …`);
  measures.push(...(await set.measure(parts, { showMisses: option.misses })));
}
const cells = measures.map(({ set, split, items, what, values, digits = 3 }) => [
  set,
  split,
  String(items),
  what,
  ...COLUMNS.map((engine) => values[engine]?.toFixed(digits) ?? '–'),
]);
const head = ['set', 'split', 'items', 'measure', ...COLUMNS];
const widths = head.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]!.length)));
const line = (row: string[]) =>
  `| ${row.map((cell, i) => (i === 0 || i === 1 || i === 3 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`;
console.log(line(head));
console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
for (const row of cells) console.log(line(row));

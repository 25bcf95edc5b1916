// `npm run bench -- --compare BEFORE.json AFTER.json`: what two runs of the benches found, side by side, with the change. Times and rates differ from machine to
// machine; ratios (`times`, `%`) can be compared.
import { type Found, isKept, shown } from './found.ts';
import { row } from './peers.ts';
import { type Results, readResults } from './results.ts';

const listOf = (results: Results): Map<string, Found> =>
  new Map(
    Object.entries(results).flatMap(([bench, { found }]) =>
      found.map((one) => [`${bench}: ${one.what}`, one] as const),
    ),
  );

function changeOf(was: Found | undefined, is: Found | undefined): string {
  if (was === undefined) return 'new';
  if (is === undefined) return 'gone';
  return was.value === 0 ? '' : `${(100 * (is.value / was.value - 1)).toFixed(0)} %`;
}

/** Throws where a file has nothing to compare. */
export function compare(before: string, after: string): void {
  const [old, fresh] = [before, after].map((file) => {
    const list = listOf(readResults(file));
    if (list.size === 0) throw new Error(`${file} has no results: npm run bench -- --json --out ${file}`);
    return list;
  }) as [Map<string, Found>, Map<string, Found>];
  row('what', 'before', 'after', 'unit', 'change', '');
  row('---', '---', '---', '---', '---', '---');
  for (const name of new Set([...old.keys(), ...fresh.keys()])) {
    const [was, is] = [old.get(name), fresh.get(name)];
    const cell = (one: Found | undefined): string => (one === undefined ? '' : shown(one.value));
    row(name, cell(was), cell(is), (is ?? was)!.unit, changeOf(was, is), is && !isKept(is) ? 'NOT KEPT' : '');
  }
}

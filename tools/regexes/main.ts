// `npm run regexes`: looks at every regular expression of src that was not looked at before, and writes down those that take linear time on any text.
// Looking takes seconds for some, so that `npm run check` only compares with the list (tests/regexes.test.ts).
import { writeFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import { collectPatterns, type Pattern } from './collect.ts';
import { keyOf, LINEAR, linearKeys, reasonFor } from './linear.ts';

const patterns = await collectPatterns();
const known = linearKeys();
const keys = new Set<string>();
let refused = 0;

function isLinear({ at, source, flags }: Pattern): boolean {
  const { status, complexity, error } = checkSync(source, flags, { timeout: 20_000 });
  if (status === 'safe') return true;
  const why =
    complexity?.type === 'polynomial' ? `polynomial of degree ${complexity.degree}` : (complexity?.type ?? error?.kind);
  console.error(`${at}: ${why}\n  /${source}/${flags}`);
  return false;
}

for (const pattern of patterns) {
  const key = keyOf(pattern);
  if (keys.has(key) || reasonFor(pattern)) continue;
  if (known.has(key) || isLinear(pattern)) keys.add(key);
  else refused++;
}
writeFileSync(LINEAR, `${[...keys].sort().join('\n')}\n`);
console.log(`${keys.size} take linear time, ${refused} are refused`);
process.exit(refused > 0 ? 1 : 0);

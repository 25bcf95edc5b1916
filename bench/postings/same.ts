// How well postings of the same job are found across boards: `node bench/postings/same.ts`. The sandbox's boards are scraped with the real sources; which
// job a posting is of follows from its id, so every pair has a label. A tenth of the jobs have twins: same company, title and city, another job.

import type { Posting } from '../../src/model/posting/posting.ts';
import { groupPostings } from '../../src/model/posting/same-posting.ts';
import { headOf } from '../../src/sandbox/boards/catalogue.ts';
import { hexId, numberOfDigits } from '../../src/sandbox/boards/page.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { BOARD_SOURCES } from '../../src/sources/boards/index.ts';
import { createWeb } from '../../src/web/web.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const JOBS = 100_000;
const SEARCHES = [
  ['software engineer', 'Austin, TX'],
  ['nurse', 'Chicago, IL'],
  ['accountant', 'New York, NY'],
  ['warehouse', 'Dallas, TX'],
  ['data', 'Seattle, WA'],
  ['manager', 'Boston, MA'],
];
/** Boards as they are mostly used: LinkedIn with descriptions, Glassdoor without, ZipRecruiter with its short ones. */
const BOARDS: [name: string, more: Record<string, unknown>][] = [
  ['indeed', {}],
  ['linkedin', { fetch_description: true }],
  ['glassdoor', {}],
  ['ziprecruiter', {}],
  ['google-jobs', {}],
];

const sandbox = await startSandbox({ now: () => NOW_MS });
const webs = createWeb({
  hostMap: `*=${sandbox.origin}`,
  guard: { allow: ['127.0.0.1'] },
  sourceSettings: new Map([
    ['indeed.app_key', 'ab'.repeat(32)],
    ['ziprecruiter.app_auth', 'x'],
  ]),
});
const postings: Posting[] = [];
for (const [search_term, location] of SEARCHES)
  for (const [name, more] of BOARDS) {
    const source = BOARD_SOURCES.find((one) => one.name === name)!;
    const web = webs.forAttempt({
      signal: AbortSignal.timeout(120_000),
      source: name,
      pace: { concurrency: 8, delayMs: 0 },
    });
    for await (const item of source.scrape(
      source.params.parse({ search_term, location, results_wanted: 300, ...more }),
      web,
    ))
      postings.push(item as Posting);
  }
await webs.close();
await sandbox.close();

const byHex = new Map<string, number>();
for (let number = 0; number < JOBS; number++) {
  const head = headOf(number, NOW_MS);
  byHex.set(hexId('indeed', head), number);
  byHex.set(hexId('google', head, 20), number);
}
function jobOf({ source, external_id }: Posting): number {
  if (source === 'linkedin') return numberOfDigits(external_id, 4_000_000_000);
  if (source === 'glassdoor') return numberOfDigits(external_id, 1_009_000_000_000);
  if (source === 'ziprecruiter') return Number.parseInt(external_id.slice(0, 4), 36);
  return byHex.get(external_id)!;
}

const unique = [...new Map(postings.map((one) => [one.job_hash, one])).values()];
const started = performance.now();
const groups = groupPostings(unique);
const ms = performance.now() - started;
const pairsOf = (count: number) => (count * (count - 1)) / 2;
let [joined, right] = [0, 0];
for (const { members } of groups) {
  joined += pairsOf(members.length);
  const counts = new Map<number, number>();
  for (const member of members) counts.set(jobOf(member), (counts.get(jobOf(member)) ?? 0) + 1);
  for (const count of counts.values()) right += pairsOf(count);
}
const perJob = new Map<number, number>();
for (const one of unique) perJob.set(jobOf(one), (perJob.get(jobOf(one)) ?? 0) + 1);
const same = [...perJob.values()].reduce((sum, count) => sum + pairsOf(count), 0);
const twins = new Map<string, Set<number>>();
for (const one of unique) {
  const key = `${one.company?.replace(/,? (?:Inc\.?|LLC|Ltd|GmbH|Corp\.?)$/, '')}|${one.title}|${one.location}`;
  twins.set(key, (twins.get(key) ?? new Set()).add(jobOf(one)));
}
const hard = [...twins.values()].filter((jobs) => jobs.size > 1).length;

console.log(
  `postings ${unique.length} of ${perJob.size} jobs on ${BOARDS.length} boards; ${hard} times several jobs share company, title and city`,
);
console.log(
  `groups ${groups.length}; pairs joined ${joined}, of them right ${right}; pairs that are the same job ${same}`,
);
console.log(
  `precision ${(right / joined).toFixed(4)}   recall ${(right / same).toFixed(4)}   ${Math.round(unique.length / (ms / 1_000))} postings/s`,
);
if (right / joined < 0.99) process.exitCode = 1;

// Parses every saved response of an applicant-tracking system and tells what came out: `node bench/careers/main.ts [folder]`.
// The captures are not in this repository; without them there is nothing to measure, and it says so.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Posting } from '../../src/model/posting/posting.ts';
import { CAPTURES } from './readers.ts';

const folder = process.argv[2] ?? join(import.meta.dirname, '../../../shared/fixtures/jobs');
if (!existsSync(folder)) {
  console.log(`no captures at ${folder}`);
  process.exit(0);
}

const FIELDS: [name: string, has: (posting: Posting) => boolean][] = [
  ['title', (p) => p.title !== ''],
  ['url', (p) => p.job_url !== ''],
  ['id', (p) => p.external_id !== ''],
  ['place', (p) => p.location !== null],
  ['country', (p) => p.locations.some((place) => place.country !== null)],
  ['remote', (p) => p.remote_type !== 'unknown'],
  ['type', (p) => p.job_types.length > 0],
  ['pay', (p) => p.salary !== null],
  ['text', (p) => p.description !== null],
  ['date', (p) => p.posted_at !== null],
  ['dept', (p) => p.department !== null],
  ['company', (p) => p.company !== null],
];
const head = ['capture'.padEnd(58), 'found', 'unread', ...FIELDS.map(([name]) => name)]
  .map((text) => text.padStart(7))
  .join(' ');
const share = (postings: Posting[], has: (posting: Posting) => boolean) =>
  postings.length === 0 ? '' : `${Math.round((100 * postings.filter(has).length) / postings.length)}%`;
const line = (name: string, postings: Posting[], unreadable: number) =>
  [name.padEnd(58), String(postings.length), String(unreadable), ...FIELDS.map(([, has]) => share(postings, has))]
    .map((text) => text.padStart(7))
    .join(' ');

/** Comments of a forum, a page that only links to its list, and one that only a script fills. */
const NOT_POSTINGS = new Set(['hn_who_is_hiring.json', 'graincorp_careers.html', 'jobylon_mcdonalds_se.html']);

let failed = 0;
console.log(head);
for (const [source, reader] of Object.entries(CAPTURES)) {
  const all: Posting[] = [];
  let unreadable = 0;
  for (const file of readdirSync(join(folder, source)).sort()) {
    if (NOT_POSTINGS.has(file)) continue;
    const skipped: string[] = [];
    try {
      const postings = await reader(file, readFileSync(join(folder, source, file), 'utf8'), (reason) =>
        skipped.push(reason),
      );
      console.log(line(`${source}/${file}`, postings, skipped.length));
      for (const reason of skipped) console.log(`    ${reason}`);
      if (postings.length === 0) failed++;
      all.push(...postings);
      unreadable += skipped.length;
    } catch (error) {
      failed++;
      console.log(`${source}/${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(line(`= ${source}`, all, unreadable));
}
if (failed > 0) {
  console.log(`${failed} captures gave nothing`);
  process.exitCode = 1;
}

// What does it cost to announce a posting when there are many alerts? Made-up postings of a page of text each, and saved searches as people write them: one
// to three words, a place, a company, now and then only a salary or "-without". It promises that a hundred times as many alerts cost at most five times as
// much: they are found by the words of a posting, not tried one by one.
import { randomUUID } from 'node:crypto';
import { createAnnounce } from '../../src/orchestrator/alerts/announce.ts';
import type { AlertSearch } from '../../src/store/alerts/alerts.ts';
import { createPool } from '../../src/store/postgres/pool.ts';
import { openStore } from '../../src/store/store.ts';
import { freshDatabase } from '../../tests/support/own-servers.ts';
import { pay, posting, save } from '../../tests/support/worlds/postings.ts';
import { found } from '../found.ts';

const SIZES = [100, 1_000, 10_000];
const POSTINGS = 2_000;
const WORDS_A_TEXT = 300;
const VOCABULARY = 20_000;
const MOST_GROWTH = 5;

let state = 11;
const random = (): number => {
  state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
  return state / 2 ** 31;
};
/** In texts few words are said all the time, most hardly ever; people search for any of them. */
const word = (power: number): string => `x${Math.floor(VOCABULARY * random() ** power).toString(36)}`;
const text = (count: number): string => Array.from({ length: count }, () => word(3)).join(' ');
const sought = (): string => word(1);

function search(n: number): AlertSearch {
  if (n % 50 === 0) return { min_salary: 190_000 + Math.floor(random() * 20_000), remote_type: 'remote' };
  if (n % 50 === 1) return { q: `-${sought()}`, source: 'bayt', location: sought() };
  if (n % 5 === 0) return { company: sought() };
  if (n % 5 === 1) return { q: sought(), location: sought() };
  return { q: Array.from({ length: 1 + (n % 3) }, sought).join(' ') };
}

const database = await freshDatabase();
const store = await openStore({ connection: database.url });
const pool = createPool({ connection: database.url });
const costs: { milliseconds: number; matches: number }[] = [];
for (const size of SIZES) {
  await pool.query('truncate postings, announcements, alerts, alert_matches cascade');
  for (let n = 0; n < size; n++)
    await store.createAlert(
      { name: `alert ${n}`, search: search(n), active: true, webhookUrl: null, file: null },
      { max: size, owner: null },
    );
  for (let at = 0; at < POSTINGS; at += 200)
    await save(
      pool,
      ...Array.from({ length: 200 }, (_, n) =>
        posting({
          source: ['indeed', 'linkedin', 'bayt'][n % 3]!,
          external_id: randomUUID(),
          title: text(4),
          company: text(2),
          location: text(2),
          salary: n % 2 === 0 ? pay(50_000, 50_000 + random() * 150_000) : null,
          remote_type: n % 4 === 0 ? 'remote' : 'onsite',
          description: text(WORDS_A_TEXT),
        }),
      ),
    );
  await pool.query('insert into announcements (key, earlier) select key, $1 from postings', ['{}']);
  await pool.query('vacuum analyze');
  const began = performance.now();
  let matches = 0;
  let longest = 0;
  let last = began;
  await createAnnounce({
    store,
    onAnnounced(announced) {
      matches += announced.matches;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    },
  })(AbortSignal.timeout(600_000), () => {});
  const milliseconds = performance.now() - began;
  costs.push({ milliseconds, matches });
  console.log(
    `${String(size).padStart(6)} alerts: ${(milliseconds / POSTINGS).toFixed(2)} ms a posting, ${((1_000 * milliseconds) / Math.max(1, matches)).toFixed(0)} µs a match (${matches}), longest batch of 200 ${longest.toFixed(0)} ms`,
  );
}
await Promise.all([pool.end(), store.close()]);
await database.drop();
const growth = costs[2]!.milliseconds / costs[0]!.milliseconds;
found('matching a posting with 10,000 alerts, next to 100', growth, 'times', { atMost: MOST_GROWTH });

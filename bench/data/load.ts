// Millions of made-up postings, loaded by COPY: words by Zipf's law, places, skills and pay as boards have them, first seen over two years. The same n makes the same
// posting.
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';

const CHUNK = 20_000;
const DAYS = 730;
const DAY_MS = 86_400_000;
const WORDS = Array.from({ length: 20_000 }, (_, n) => `w${((n * 7_919) % 20_011).toString(36)}${'aeiou'[n % 5]}`);
const ROLES = ['Engineer', 'Nurse', 'Analyst', 'Driver', 'Manager', 'Teacher', 'Designer', 'Cook', 'Welder', 'Clerk'];
const FIELDS = ['Data', 'Software', 'Night', 'Senior', 'Junior', 'Kafka', 'Cloud', 'Payroll', 'Sales', 'Field'];
const COUNTRIES = ['US', 'US', 'US', 'US', 'GB', 'GB', 'DE', 'IN', 'IN', 'FR', 'CA', 'NL', 'LU'];
const SKILLS = Array.from({ length: 400 }, (_, n) => `skill${n}`);
const SENIORITIES = ['entry', 'mid', 'senior', 'lead', 'unknown'];
const PAID = ['USD', 'EUR', 'GBP', 'INR'];

/** Evenly spread, and the same each time. */
const dice = (n: number, side: number): number => {
  let x = (n * 2_654_435_761 + side * 40_503) >>> 0;
  x = Math.imul(x ^ (x >>> 15), 2_246_822_519) >>> 0;
  return ((x ^ (x >>> 13)) >>> 0) / 2 ** 32;
};
const zipf = <T>(of: readonly T[], roll: number): T => of[Math.floor(of.length ** roll) - 1] ?? of[0]!;
const any = <T>(of: readonly T[], roll: number): T => of[Math.floor(of.length * roll)]!;

function rowOf(n: number, total: number, newest: number): string {
  const id = hash('md5', `posting ${n}`, 'hex');
  const title = `${any(FIELDS, dice(n, 1))} ${zipf(ROLES, dice(n, 2))} ${zipf(WORDS, dice(n, 3))}`;
  const company = `Company ${Math.floor(50_000 ** dice(n, 4))}`;
  const country = zipf(COUNTRIES, dice(n, 5));
  const city = `City ${Math.floor(2_000 ** dice(n, 6))}`;
  const remote = any(['onsite', 'onsite', 'hybrid', 'remote', 'unknown'], dice(n, 7));
  const low = 20_000 + Math.floor(dice(n, 8) * 150) * 1_000;
  const isPaid = n % 2 === 0;
  const skills = Array.from({ length: 1 + (n % 5) }, (_, side) => zipf(SKILLS, dice(n, 20 + side)));
  const description = Array.from({ length: 60 + (n % 40) }, (_, side) => zipf(WORDS, dice(n, 100 + side))).join(' ');
  const seen = new Date(newest - DAYS * DAY_MS * (1 - n / total)).toISOString();
  const source = `source-${Math.floor(12 ** dice(n, 9))}`;
  const data = {
    source,
    external_id: String(n),
    title,
    company,
    location: `${city}, ${country}`,
    locations: [{ raw: city, city, region: null, country, lat: null, lon: null, kind: 'city' }],
    remote_type: remote,
    seniority: any(SENIORITIES, dice(n, 10)),
    job_types: [n % 9 === 0 ? 'contract' : 'full_time'],
    skills,
    salary: null,
    salary_min: isPaid ? low : null,
    salary_max: isPaid ? low + 20_000 : null,
    currency: isPaid ? any(PAID, dice(n, 11)) : null,
    salary_interval: isPaid ? 'year' : null,
    salary_annual: isPaid ? { min: low, max: low + 20_000 } : null,
    job_url: `https://jobs.example/${n}`,
    posted_at: `${seen.slice(0, 10)}T00:00:00.000Z`,
    posted_date: seen.slice(0, 10),
    description,
    job_hash: id.repeat(2),
  };
  const key = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const cells = [
    key,
    source,
    n,
    id,
    title,
    company,
    data.location,
    remote,
    data.posted_at,
    JSON.stringify(data),
    key,
    'f',
    seen,
    seen,
  ];
  return `${cells.join('\t')}\n`;
}

const COLUMNS =
  'key, source, external_id, job_hash, title, company, location, remote_type, posted_at, data, group_id, group_due, first_seen_at, last_seen_at';

/** Of the time, for the indexes. */
const INDEXING = 0.4;

/** As many as fit in the time, by how long the first took; returns how many. */
export async function loadPostings(client: pg.Client, options: { rows: number; limitMs: number }): Promise<number> {
  const began = performance.now();
  const newest = Date.now();
  // Loaded in one go: the marks for roll-ups would be one a row, and are made for all days at the end.
  await client.query('alter table postings disable trigger user');
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexname as name, indexdef as text from pg_indexes where schemaname = 'windrow' and tablename = 'postings' and indexname <> 'postings_pkey'`,
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  let loaded = 0;
  let total = options.rows;
  let isSized = total <= CHUNK;
  while (loaded < total) {
    const first = loaded;
    const size = Math.min(CHUNK, total - first);
    const lines = function* (): Generator<string> {
      for (let n = first; n < first + size; n += 500)
        yield Array.from({ length: Math.min(500, first + size - n) }, (_, i) => rowOf(n + i, total, newest)).join('');
    };
    await pipeline(Readable.from(lines()), client.query(copyStreams.from(`copy postings (${COLUMNS}) from stdin`)));
    loaded += size;
    if (!isSized) {
      isSized = true;
      const fitting = Math.floor((options.limitMs * (1 - INDEXING) * CHUNK) / (performance.now() - began));
      total = Math.max(CHUNK, Math.min(total, fitting));
      // Again, now that the time from one to the next is known.
      await client.query('truncate postings');
      loaded = 0;
    }
  }
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { text } of indexes) await client.query(text);
  await client.query('alter table postings enable trigger user');
  await client.query(
    `insert into item_names (kind, name) select distinct 'company', company from postings on conflict do nothing`,
  );
  await client.query('vacuum analyze postings');
  await client.query('analyze item_names');
  return loaded;
}

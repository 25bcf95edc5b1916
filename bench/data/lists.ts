// Search, facets and pages, each next to plain SQL that asks for the same.
import type pg from 'pg';
import type { PostingFilter } from '../../src/store/postings/posting-list.ts';
import type { Store } from '../../src/store/store.ts';
import { inTurns, type Promised, show } from './compare.ts';

const PAGE = { descending: true, after: null, limit: 50 } as const;
const WORDS = ['kafka engineer', 'night nurse', 'welder', 'senior manager -sales', 'payroll clerk'];
const TEXTS = 20_000;

const FILTERS: [PostingFilter, string][] = [
  [{ q: 'engineer' }, `search_vector @@ websearch_to_tsquery('english', 'engineer')`],
  [{ country: 'US' }, `data @? '$.locations[*].country ? (@ == "US")'`],
  [{ skills: ['skill3'] }, `data -> 'skills' ? 'skill3'`],
  [{ seniority: 'senior' }, `seniority = 'senior'`],
];

export async function lists(plain: pg.Client, store: Store, rows: number): Promise<Promised[]> {
  const promised: Promised[] = [];
  const best = (n: number) => ({ ...PAGE, order: 'relevance', q: WORDS[n % WORDS.length]! }) as const;
  const ranked = `from postings p, websearch_to_tsquery('english', $1) q where search_vector @@ q order by ts_rank(search_vector, q, 1) desc, key desc limit 50`;
  const search = await inTurns(
    (n) => store.listPostings(best(n)),
    (n) => plain.query(`select data ${ranked}`, [WORDS[n % WORDS.length]]),
  );
  promised.push(next('search, best matches first', show('search, best matches first', search), 1.2));

  const highlighted = await inTurns(
    (n) => store.listPostings({ ...best(n), isHighlighted: true }),
    (n) =>
      plain.query(
        `select data, ts_headline('english', left(data ->> 'description', ${TEXTS}), websearch_to_tsquery('english', $1)) from (select p.* ${ranked}) p`,
        [WORDS[n % WORDS.length]],
      ),
    10,
  );
  promised.push(next('search with highlights', show('search with highlights', highlighted), 1.2));

  const facets = await inTurns(
    (n) => store.postingFacets(FILTERS[n % 4]![0], { facets: ['country', 'seniority'], limit: 20, limitMs: 60_000 }),
    (n) =>
      plain.query(
        `select country, seniority, count(*) from postings where ${FILTERS[n % 4]![1]} group by grouping sets ((country), (seniority))`,
      ),
    8,
  );
  promised.push(next('facets of a broad search', show('facets of a broad search', facets), 1.2));

  const first = await inTurns(
    () => store.listPostings({ ...PAGE, order: 'first_seen_at', country: 'US' }),
    () =>
      plain.query(
        `select data from postings where data @? '$.locations[*].country ? (@ == "US")' order by first_seen_at desc, key desc limit 50`,
      ),
  );
  show('list of a country, page 1', first);

  const deep = Math.min(10_000, Math.floor(rows / 50) - 1);
  const { rows: at } = await plain.query<{ key: string; value: string }>(
    `select key, to_char(first_seen_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as value from postings order by first_seen_at desc, key desc offset ${deep * 50} limit 1`,
  );
  const last = await inTurns(
    () => store.listPostings({ ...PAGE, order: 'first_seen_at', after: at[0]! }),
    () => plain.query(`select data from postings order by first_seen_at desc, key desc offset ${deep * 50} limit 50`),
    10,
  );
  promised.push(next('the last page', show(`list, page ${deep.toLocaleString('en')}`, last), 1));
  return promised;
}

const next = (what: string, value: number, atMost: number): Promised => ({
  what: `${what}, p95 next to plain SQL`,
  value,
  unit: 'times',
  bounds: { atMost },
});

// Dates as pages write them, compared as instants: what the database makes of them is what a Date is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { seeded } from '../../support/random.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  database = await freshDatabase();
  pool = createPool({ connection: database.url, max: 2, onError: () => {} });
  await migrate(pool);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

async function instants(written: (string | null)[]): Promise<(number | null)[]> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'select instant_of(t) as at from unnest($1::text[]) with ordinality as w(t, n) order by n',
    [written],
  );
  return rows.map(({ at }) => at?.getTime() ?? null);
}

test('days, times and offsets are the instants that a Date says', async () => {
  const random = seeded(3);
  const two = (below: number, from = 0) => String(from + random.below(below)).padStart(2, '0');
  const written = Array.from({ length: 300 }, () => {
    const day = `${1970 + random.below(90)}-${two(12, 1)}-${two(28, 1)}`;
    const zone = random.pick(['Z', `+${two(14)}:${two(60)}`, `-${two(12)}:${two(60)}`]);
    return random.pick([
      day,
      `${day}T${two(24)}:${two(60)}${zone}`,
      `${day}T${two(24)}:${two(60)}:${two(60)}.${two(100)}${zone}`,
    ]);
  });
  expect(await instants(written)).toEqual(written.map((text) => Date.parse(text)));
});

test('what is no date has no instant, and nothing makes the function fail', async () => {
  const written = [
    '',
    'yesterday',
    '2026-13-01',
    '2026-00-10',
    '0000-01-01',
    '2026-11-16T',
    '2026-11-16T10:00+99:99x',
    null,
  ];
  expect(await instants(written)).toEqual(written.map(() => null));
  // A day that its month does not have is the next one, as with a Date.
  expect(await instants(['2026-02-30', '2026-11', '2026-11-16 10:00:00', '2026-11-16T99:99:99Z'])).toEqual([
    Date.parse('2026-03-02'),
    Date.parse('2026-11-01'),
    Date.parse('2026-11-16T10:00:00Z'),
    expect.any(Number),
  ]);
});

test('an evening in New York comes after midnight in London', async () => {
  await pool.query(
    `insert into articles (key, url, content, published_at, search_vector, task_id, scraped_at)
     select gen_random_uuid(), 'https://example.com/' || n, 'x', d, to_tsvector('simple', 'x'), gen_random_uuid(), now()
     from unnest($1::text[]) with ordinality as w(d, n)`,
    [['2026-11-15T23:00:00-05:00', '2026-11-16T01:00:00Z', '2026-11-16', null]],
  );
  const { listArticles } = await import('../../../src/store/articles/article-list.ts');
  const page = { order: 'published_at', descending: false, after: null, limit: 10 } as const;
  const dates = async (filter: object) =>
    (await listArticles(pool, { ...page, ...filter })).map((one) => one.published_at);
  expect(await dates({})).toEqual([null, '2026-11-16', '2026-11-16T01:00:00Z', '2026-11-15T23:00:00-05:00']);
  expect(await dates({ publishedAfter: '2026-11-16T02:00:00.000Z' })).toEqual(['2026-11-15T23:00:00-05:00']);
  expect(await dates({ publishedBefore: '2026-11-16T00:30:00.000Z' })).toEqual(['2026-11-16']);
  const seen: (string | null)[] = [];
  for (let after: { value: string; key: string } | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof listArticles>> = await listArticles(pool, {
      ...page,
      descending: true,
      after,
      limit: 1,
    });
    if (rows.length === 0) break;
    seen.push(rows[0]!.published_at);
    after = rows[0]!.at;
  }
  expect(seen).toEqual(['2026-11-15T23:00:00-05:00', '2026-11-16T01:00:00Z', '2026-11-16', null]);
});

// The same job on several boards becomes one group in the store, whenever and in whatever batches its postings come.
import type pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Posting } from '../../../src/model/posting/posting.ts';
import { groupPostings, meetingKeys } from '../../../src/model/posting/same-posting.ts';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { pay, posting, prose, save } from '../../support/worlds/postings.ts';

const RULES = { meetingKeys, groupPostings };
const LIMITS = { batch: 100, maxCompared: 1_000 };

let close: (() => Promise<void>) | undefined;
let store: Store;
let pool: pg.Pool;

beforeEach(async () => {
  await close?.();
  const database = await freshDatabase();
  store = await openStore({ connection: database.url, connectTimeoutMs: 30_000 });
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
  close = async () => {
    await pool.end();
    await store.close();
    await database.drop();
  };
});
afterAll(() => close?.());

async function groupsInStore(): Promise<string[][]> {
  const { rows } = await pool.query<{ members: string[] }>(
    `select array_agg(source || ' ' || external_id order by source, external_id) as members from postings
     where group_id is not null group by group_id order by 1`,
  );
  return rows.map((row) => row.members);
}

async function groupOf(one: Posting): Promise<{ id: string | null; due: boolean }> {
  const { rows } = await pool.query<{ id: string | null; due: boolean }>(
    'select group_id as id, group_due as due from postings where job_hash = $1',
    [one.job_hash],
  );
  return rows[0]!;
}

const regroup = () => store.regroupPostings(RULES, LIMITS);
const acme = (source: string, more: object = {}) =>
  posting({ source, external_id: '1', description: prose('acme'), ...more });

test('one job on three boards is one group, another title is another', async () => {
  await save(
    pool,
    acme('indeed'),
    acme('linkedin'),
    acme('glassdoor'),
    acme('indeed', { external_id: '2', title: 'Cook', description: prose('kitchen') }),
  );
  expect(await regroup()).toEqual({ looked: 4, compared: 0, moved: 0, news: 4 });
  expect(await groupsInStore()).toEqual([['glassdoor 1', 'indeed 1', 'linkedin 1'], ['indeed 2']]);
  expect(await regroup()).toEqual({ looked: 0, compared: 0, moved: 0, news: 0 });
});

test('a posting that comes later joins the group that is there, whose id stays', async () => {
  await save(pool, acme('indeed'));
  await regroup();
  const { id } = await groupOf(acme('indeed'));
  await save(pool, acme('linkedin'));
  expect(await regroup()).toEqual({ looked: 1, compared: 1, moved: 0, news: 1 });
  expect(await groupOf(acme('linkedin'))).toEqual({ id, due: false });
  expect(await groupOf(acme('indeed'))).toEqual({ id, due: false });
});

test('one address to apply at is one job, under names that differ', async () => {
  const apply_url = 'https://boards.example/acme/jobs/4012345';
  await save(
    pool,
    acme('indeed', { apply_url }),
    acme('linkedin', { apply_url, company: 'Acme Holdings of Texas', description: null }),
  );
  await regroup();
  expect(await groupsInStore()).toEqual([['indeed 1', 'linkedin 1']]);
});

test('what was scraped again unchanged is not looked at again; what has changed may leave its group', async () => {
  await save(pool, acme('indeed'), acme('linkedin'));
  await regroup();
  await save(pool, acme('linkedin'));
  expect((await groupOf(acme('linkedin'))).due).toBe(false);
  const before = await groupOf(acme('linkedin'));
  await save(pool, acme('linkedin', { title: 'Head Chef', description: prose('kitchen') }));
  expect(await groupOf(acme('linkedin'))).toEqual({ id: before.id, due: true });
  expect(await regroup()).toMatchObject({ looked: 1, moved: 1 });
  expect(await groupsInStore()).toEqual([['indeed 1'], ['linkedin 1']]);
});

test('the first of a group may leave it too', async () => {
  await save(pool, acme('indeed'), acme('linkedin'));
  await regroup();
  await save(pool, acme('indeed', { title: 'Head Chef', company: 'Other', description: prose('kitchen') }));
  await regroup();
  expect(await groupsInStore()).toEqual([['indeed 1'], ['linkedin 1']]);
});

test('a posting that is scraped again while it is compared stays due', async () => {
  await save(pool, acme('indeed'));
  const other = await pool.connect();
  try {
    await other.query('begin');
    await other.query('select 1 from postings for update');
    const regrouped = regroup();
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%for update%' and datname = current_database()`,
        );
        return rows.length;
      })
      .toBe(1);
    await other.query('update postings set last_seen_at = now(), group_due = true');
    await other.query('commit');
    await regrouped;
  } finally {
    other.release();
  }
  expect((await groupOf(acme('indeed'))).due).toBe(true);
  await regroup();
  expect((await groupOf(acme('indeed'))).due).toBe(false);
});

test('where not all neighbours can be looked at, the groups that are there stay', async () => {
  await save(pool, acme('indeed'), acme('linkedin'), acme('glassdoor'));
  await regroup();
  const { id } = await groupOf(acme('indeed'));
  await save(pool, acme('bayt'));
  expect(await store.regroupPostings(RULES, { batch: 100, maxCompared: 2 })).toEqual({
    looked: 1,
    compared: 1,
    moved: 0,
    news: 1,
  });
  expect(await groupsInStore()).toEqual([['bayt 1', 'glassdoor 1', 'indeed 1', 'linkedin 1']]);
  expect((await groupOf(acme('bayt'))).id).toBe(id);
});

test('odd characters of pages do not stop it', async () => {
  await save(
    pool,
    acme('indeed', { title: 'A "quoted" {title}\\, with \u0000 and \ud800', company: null }),
    acme('bayt', { title: '🎉' }),
  );
  expect(await regroup()).toMatchObject({ looked: 2 });
});

test('in batches, out of order and by several at once, the groups are those of looking at all together', async () => {
  // Small worlds of few names, so that many look alike; a fixed sequence, so that a failure can be repeated.
  let state = 7;
  const pick = <T>(of: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return of[Math.floor((state / 2 ** 31) * of.length)]!;
  };
  const all = Array.from({ length: 400 }, (_, i) => {
    const about = pick(['a', 'b', 'c', 'd']);
    return posting({
      source: pick(['indeed', 'linkedin', 'glassdoor', 'bayt']),
      external_id: String(i),
      title: pick(['Engineer', 'Nurse', 'Cook']),
      company: pick(['Acme', 'Bolt', 'Crest', 'Dune', 'Elm', 'Fir']),
      location: pick(['Austin', 'Boston', 'Paris']),
      description: pick([prose(about), prose(about), null]),
      posted_at: pick(['2026-11-01T00:00:00.000Z', '2026-11-05T00:00:00.000Z', null]),
      salary: pick([pay(100, 200), pay(300, 400), null]),
      apply_url: pick([null, null, `https://boards.example/jobs/${10_000 + Math.floor(i / 9)}`]),
    });
  });
  for (let i = 0; i < all.length; i += 40) {
    await save(pool, ...all.slice(i, i + 40));
    await Promise.all([1, 2].map(() => store.regroupPostings(RULES, { batch: 25, maxCompared: 1_000 })));
  }
  for (;;) {
    const done = await store.regroupPostings(RULES, { batch: 25, maxCompared: 1_000 });
    if (done.looked === 0) break;
  }
  const { rows } = await pool.query<{ data: Posting }>('select data from postings order by first_seen_at, key');
  const together = groupPostings(rows.map((row) => row.data)).map((group) =>
    group.members.map((member) => `${member.source} ${member.external_id}`).sort(),
  );
  const sorted = (groups: string[][]) => groups.map((group) => group.sort().join(', ')).sort();
  expect(sorted(await groupsInStore())).toEqual(sorted(together));
  expect(together.filter((group) => group.length > 1).length).toBeGreaterThan(30);
});

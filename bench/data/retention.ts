// What retention costs: a step of postings, and a week of prices that is dropped as a whole, next to deleting its rows.
import type pg from 'pg';
import type { Store } from '../../src/store/store.ts';
import { makeWeeks, PRICE_WEEKS, trimWeeks } from '../../src/store/weeks.ts';
import { inTurns, type Promised, show, timed } from './compare.ts';

const PRICES = 400_000;
const OLD_WEEKS = 30;
const BATCH = 1_000;
const KEEP = {
  runDays: 30,
  deadLetterDays: 30,
  idempotencyHours: 24,
  articleDays: 0,
  postingDays: 720,
  batch: BATCH,
};

export async function retention(plain: pg.Client, pool: pg.Pool, store: Store): Promise<Promised[]> {
  const step = await inTurns(
    () => store.trim(KEEP),
    () =>
      plain.query(
        `delete from postings where key in (select key from postings where last_seen_at < now() - interval '719 days' limit ${BATCH})`,
      ),
    3,
  );
  show(`a retention step of ${BATCH.toLocaleString('en')} postings`, step);
  return priceWeeks(plain, pool);
}

/** Two weeks of the same prices: one goes row by row, as all did before, and one as a whole. */
async function priceWeeks(plain: pg.Client, pool: pg.Pool): Promise<Promised[]> {
  await plain.query('drop table if exists prices_before');
  const weeks = [OLD_WEEKS, OLD_WEEKS + 1];
  for (const before of weeks) {
    const { rows } = await plain.query<{ from: string; to: string }>(
      `select (at at time zone 'utc')::text as from, ((at + interval '1 week') at time zone 'utc')::text as to
       from (select date_trunc('week', now() at time zone 'utc') - make_interval(weeks => $1) as at) w`,
      [before],
    );
    const { from, to } = rows[0]!;
    await plain.query(
      `create table prices_bench${before} partition of prices for values from ('${from}') to ('${to}')`,
    );
    await plain.query(
      `insert into prices (at, product, title, seller, zipcode, source, currency, price_minor)
       select $1::timestamptz + n * interval '1 second', 'product ' || n % 5000, 'Whole milk ' || n % 5000, 'Shop ' || n % 40, '10001', 'kroger', 'USD', 100 + n % 900
       from generate_series(1, $2::int) n`,
      [from, PRICES],
    );
  }
  await plain.query('vacuum analyze prices');
  const byRow = `prices_bench${OLD_WEEKS + 1}`;
  let steps = 0;
  const deleted = await timed(async () => {
    for (let gone = BATCH; gone === BATCH; steps++)
      gone = (
        await plain.query(
          `delete from ${byRow} where ctid in (select ctid from ${byRow} where at < now() limit ${BATCH})`,
        )
      ).rowCount!;
  });
  await plain.query(`drop table ${byRow}`);
  await makeWeeks(pool, PRICE_WEEKS);
  const dropped = await timed(async () => {
    const { weeks: gone } = await trimWeeks(pool, PRICE_WEEKS, { days: 90, batch: BATCH });
    if (gone !== 1) throw new Error(`${gone} weeks were dropped`);
  });
  return [
    { what: `deleting a week of ${PRICES.toLocaleString('en')} prices in ${steps} steps`, value: deleted, unit: 'ms' },
    { what: 'dropping it', value: dropped, unit: 'ms' },
    {
      what: 'dropping a week of prices, next to deleting its rows',
      value: deleted / dropped,
      unit: 'times',
      bounds: { atLeast: 10 },
    },
  ];
}

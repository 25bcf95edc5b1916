// A year by the week, from roll-ups and from the rows. What is promised is a time and not a ratio, so it holds for the quickest of many tries: others may be using the machine.
import type pg from 'pg';
import type { Store } from '../../src/store/store.ts';
import { inTurns, type Promised, show } from './compare.ts';

const YEAR_DAYS = 371;
const SOURCES = 20;

/** As the orchestrators do it, in one go; the days that were loaded without triggers are marked first. */
async function rollUpYear(plain: pg.Client, store: Store): Promise<void> {
  await plain.query(
    `insert into rollup_marks select 'postings', at from generate_series(date_trunc('day', now(), 'UTC') - make_interval(days => $1), now(), interval '1 day') at`,
    [YEAR_DAYS + 14],
  );
  while ((await store.rollUp({ budgetMs: 60_000, rest: 0 })) > 0);
}

export async function analytics(plain: pg.Client, store: Store): Promise<Promised[]> {
  const began = performance.now();
  await rollUpYear(plain, store);
  const rolledMs = performance.now() - began;
  const to = new Date();
  const from = new Date(to.getTime() - (YEAR_DAYS - 7) * 86_400_000);
  const year = { from, to, bucket: 'week', limit: SOURCES, limitMs: 60_000, filter: {} } as const;
  const counted = await inTurns(
    () => store.countPostingsOver({ ...year, groups: ['source'] }),
    () =>
      plain.query(
        `select date_trunc('week', first_seen_at), source, count(*), count(distinct coalesce(group_id, key)), count(distinct lower(company)), count(pay)
         from postings where first_seen_at >= $1 and first_seen_at < $2 group by 1, 2`,
        [from, to],
      ),
  );
  show('a year by week and source', counted);
  const paid = await inTurns(
    () => store.payOver({ ...year, groups: ['country'] }),
    () =>
      plain.query(
        `select date_trunc('week', first_seen_at), country, currency, percentile_cont(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by pay)
         from postings where first_seen_at >= $1 and first_seen_at < $2 and pay is not null and not pay_inferred group by 1, 2, 3`,
        [from, to],
      ),
  );
  show('pay of a year by week and country', paid);
  return [
    {
      what: 'a year by week and source from roll-ups, the quickest of 20',
      value: Math.min(...counted.ours),
      unit: 'ms',
      bounds: { atMost: 50 },
    },
    {
      what: 'pay of a year by week and country from roll-ups, the quickest of 20',
      value: Math.min(...paid.ours),
      unit: 'ms',
      bounds: { atMost: 50 },
    },
    { what: 'rolling up a year and two weeks', value: rolledMs / 1_000, unit: 's' },
  ];
}

// Roll-ups against their rows: all of a bucket, and its amounts. What has changed since is read from the rows, and no finding.
import { type Invariant, WALKS } from './invariant.ts';

const end = `((b.at at time zone 'utc') + ('1 ' || b.unit)::interval) at time zone 'utc'`;
const isSettled = `b.rolled_at is not null and not b.is_due
  and not exists (select 1 from windrow.rollup_marks m where m.kind = b.kind and date_trunc(b.unit, m.day, 'UTC') = b.at)`;

const counts = `select c.postings, c.jobs, c.companies, c.remote, c.with_salary from windrow.posting_cells c
  where c.unit = b.unit and c.dims = '' and c.at = b.at`;
const amounts = `select c.currency, c.n, (select sum(a * n) from unnest(c.amounts, c.counts) as x(a, n)) from windrow.amount_cells c
  where c.kind = b.kind and c.unit = b.unit and c.dims = '' and c.at = b.at`;
const differ = (one: string, other: string): string =>
  `exists ((${one} except ${other}) union all (${other} except ${one}))`;

export const ROLLUP_RULES: readonly Invariant[] = [
  {
    name: 'a roll-up says what its rows say',
    severity: 'fail',
    remedy: 'Analytics are wrong there. To have them made anew: update windrow.rollup_buckets set is_due = true',
    over: WALKS.rollups,
    broken: (
      rows,
    ) => `select b.kind || ' ' || b.unit || ' ' || to_char(b.at at time zone 'utc', 'YYYY-MM-DD') as id from ${rows} b
      where ${isSettled} and case b.kind when 'postings' then
        ${differ(
          counts,
          `select count(*)::int, count(distinct coalesce(p.group_id, p.key))::int, count(distinct lower(p.company))::int,
             (count(*) filter (where p.remote_type = 'remote'))::int, count(p.pay)::int
           from windrow.postings p where p.first_seen_at >= b.at and p.first_seen_at < ${end}`,
        )} or ${differ(
          amounts,
          `select p.currency, count(*)::int, sum(p.pay) from windrow.postings p where p.first_seen_at >= b.at and p.first_seen_at < ${end}
             and p.pay is not null and p.currency is not null and not p.pay_inferred group by p.currency`,
        )}
      else ${differ(
        amounts,
        `select p.currency, count(*)::int, sum(p.price_minor::float8) from windrow.prices p where p.at >= b.at and p.at < ${end} group by p.currency`,
      )} end`,
  },
];

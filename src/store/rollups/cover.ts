// Which roll-ups answer for a period, and which parts of it have to be read from the rows: its ends, what was not rolled up yet, and what has changed since.
// Where that would be too much to read, roll-ups that are a little old stand for it, and the answer says how old.
import { BUCKETS, type Bucket } from '../../model/analytics.ts';
import type { Client } from '../postgres/pool.ts';
import type { RolledUp } from './cells.ts';

export interface Cover {
  days: Date[];
  weeks: Date[];
  /** To be read from the rows. */
  rest: { from: Date; to: Date }[];
  /** Everything until then is counted. */
  asOf: Date;
}

interface State {
  unit: 'day' | 'week';
  at: Date;
  rows: number;
  rolled_at: Date;
  is_due: boolean;
}

/** Changed buckets with more rows than this together are answered as they were. */
const READ_ANEW_MAX = 20_000;
/** Past so many pieces one reading of everything is quicker. */
const PIECES_MAX = 40;
const DAY = BUCKETS.day;
/** 1970-01-05, a Monday. */
const MONDAY = 4 * DAY;

export async function coverOf(
  client: Client,
  kind: RolledUp['kind'],
  { from, to, bucket }: { from: Date; to: Date; bucket: Exclude<Bucket, 'hour'> | null },
): Promise<Cover> {
  const units: State['unit'][] = bucket === null ? ['week', 'day'] : [bucket];
  const [{ rows: states }, clock] = await Promise.all([
    client.query<State>(
      `with changed as (
       select distinct u.unit, date_trunc(u.unit, m.day, 'UTC') as at from rollup_marks m, unnest($2::text[]) u(unit) where m.kind = $1
     )
     select b.unit, b.at, b.rows, b.rolled_at, b.is_due or c.at is not null as is_due
     from rollup_buckets b left join changed c on c.unit = b.unit and c.at = b.at
     where b.kind = $1 and b.unit = any($2::text[]) and b.at >= $3 and b.at < $4 and b.rolled_at is not null`,
      [kind, units, from, to],
    ),
    client.query<{ now: Date }>('select now() as now'),
  ]);
  const { now } = clock.rows[0]!;
  const period = { from: from.getTime(), to: to.getTime(), end: to >= now ? Number.POSITIVE_INFINITY : to.getTime() };
  const fresh = coverWith(
    period,
    units,
    states.filter((state) => !state.is_due),
  );
  const changed = states.filter((state) => state.is_due && isWithin(state, fresh.rest));
  const toRead = changed.reduce((sum, state) => sum + (state.unit === units.at(-1) ? state.rows : 0), 0);
  const cover = toRead > READ_ANEW_MAX ? coverWith(period, units, states) : fresh;
  const used = new Set([...cover.days, ...cover.weeks].map((at) => at.getTime()));
  const asOf = Math.min(
    now.getTime(),
    ...(toRead > READ_ANEW_MAX ? changed : [])
      .filter(({ at }) => used.has(at.getTime()))
      .map((one) => one.rolled_at.getTime()),
  );
  return { ...cover, asOf: new Date(asOf) };
}

const isWithin = ({ at }: State, rest: Cover['rest']): boolean => rest.some((one) => at >= one.from && at < one.to);

function coverWith(
  { from, to, end }: { from: number; to: number; end: number },
  units: readonly State['unit'][],
  states: readonly State[],
): Omit<Cover, 'asOf'> {
  const known = new Set(states.map(({ unit, at }) => `${unit} ${at.getTime()}`));
  const cover: Omit<Cover, 'asOf'> = { days: [], weeks: [], rest: [] };
  const fits = (unit: State['unit'], at: number): boolean =>
    units.includes(unit) && known.has(`${unit} ${at}`) && at + BUCKETS[unit] <= end;
  for (let at = from; at < to; ) {
    if (fits('week', at)) {
      cover.weeks.push(new Date(at));
      at += BUCKETS.week;
    } else if (fits('day', at)) {
      cover.days.push(new Date(at));
      at += DAY;
    } else {
      const next = Math.min(to, units.includes('day') ? Math.floor(at / DAY + 1) * DAY : mondayAfter(at));
      const last = cover.rest.at(-1);
      if (last?.to.getTime() === at) last.to = new Date(next);
      else cover.rest.push({ from: new Date(at), to: new Date(next) });
      at = next;
    }
  }
  return cover.rest.length > PIECES_MAX
    ? { days: [], weeks: [], rest: [{ from: new Date(from), to: new Date(to) }] }
    : cover;
}

const mondayAfter = (at: number): number => Math.floor((at - MONDAY) / BUCKETS.week + 1) * BUCKETS.week + MONDAY;

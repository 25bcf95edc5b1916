// An answer by time and group, from cells where a bucket has them and from the rows for the rest. The groups that are shown are the largest of the whole time, so
// that a series has no holes where another group was larger for a day.
import type { Pool } from 'pg';
import { type Bucket, spreadOfCounts } from '../../model/analytics.ts';
import { inTime } from '../postgres/in-time.ts';
import type { Client } from '../postgres/pool.ts';
import { orNone, type RolledUp, spread } from './cells.ts';
import { type Cover, coverOf } from './cover.ts';

export interface SpanOptions<G extends string> {
  from: Date;
  to: Date;
  /** Null: one row for all of the time. */
  bucket: Bucket | null;
  /** At most two. */
  groups: readonly G[];
  limit: number;
  limitMs: number;
}

export interface Keyed {
  bucket: Date | null;
  /** One for each that was asked for, in that order. */
  groups: (string | null)[];
}

export interface Counted<T> {
  rows: T[];
  /** There are more groups than are shown. */
  isCut: boolean;
  /** Everything that was recorded until then is counted. */
  asOf: Date;
}

type Bind = (value: unknown) => string;

export interface Question<G extends string> {
  /** Its rows are called p. */
  table: string;
  /** The column that says when. */
  at: string;
  groups: Record<G, string>;
  where(bind: Bind): string[];
  /** What is counted, of the rows and of cells `c`. The first one says which group is larger. */
  columns: Record<string, [rows: string, cells?: string]>;
  /** Of the rows: each currency is kept apart, and has its spread. */
  amount?: string;
  /** Null: what is asked has none. */
  cells: Cells | null;
}

export interface Cells {
  kind: RolledUp['kind'];
  dims: string;
  /** The column of each group. */
  groups: string[];
  /** Columns and what they have to be. */
  equal: [column: string, value: string][];
}

/** Which cells have these groups, of rows with these values; null where none has. */
export function cellsWith(
  { kind, dims }: RolledUp,
  groups: readonly string[],
  values: Record<string, string | undefined>,
): Cells | null {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const wanted = new Set([...groups, ...given.map(([name]) => name)]);
  const found = dims.find((one) => {
    const names = one.split(',').filter(Boolean);
    return names.length === wanted.size && names.every((name) => wanted.has(name));
  });
  if (found === undefined) return null;
  const column = (name: string): string => `c.v${found.split(',').indexOf(name) + 1}`;
  return { kind, dims: found, groups: groups.map(column), equal: given.map(([name, value]) => [column(name), value]) };
}

export async function grouped<G extends string, T extends Keyed>(
  pool: Pool,
  options: SpanOptions<G>,
  question: Question<G>,
): Promise<Counted<T>> {
  const { bucket } = options;
  const { cells, amount, columns } = question;
  // Buckets can be put together where only amounts are asked for: who was counted in two of them would be counted twice.
  const isAnswered = bucket === null ? amount !== undefined && Object.keys(columns).length === 1 : bucket !== 'hour';
  return inTime(pool, options.limitMs, async (client) => {
    if (!cells || bucket === 'hour' || !isAnswered) return fromRows<G, T>(client, options, question);
    const cover = await coverOf(client, cells.kind, { from: options.from, to: options.to, bucket });
    if (cover.days.length + cover.weeks.length === 0) return fromRows<G, T>(client, options, question);
    const counted = await fromCells<G, T>(client, options, question, cells, cover);
    return bucket === null
      ? { ...counted, rows: putTogether(counted.rows as never, Object.keys(columns)[0]!) }
      : counted;
  });
}

const namesOf = (groups: readonly string[]): string[] => groups.map((_, index) => `g${index + 1}`);
const listed = (...columns: (string | string[])[]): string => columns.flat().join(', ');
const named = (columns: readonly string[], names: string[]): string[] =>
  columns.map((column, index) => `${column} as ${names[index]}`);
const bucketOf = (bucket: Bucket | null, at: string): string =>
  bucket === null ? 'null::timestamptz' : `date_trunc('${bucket}', ${at}, 'UTC')`;

/** One more than is shown, to know whether there is more. */
const largest = (names: string[], from: string, limit: number, bind: Bind): string =>
  names.length === 0
    ? ''
    : `top as (select ${listed(names, 'n')} from (${from}) counted order by ${listed('n desc', names)} limit ${bind(limit + 1)}),
       shown as (select ${listed(names)} from top order by ${listed('n desc', names)} limit ${bind(limit)}),`;

/** Nothing is a group too. */
const isShown = (columns: readonly string[], names: string[]): string =>
  names.length === 0 ? 'true' : `(${listed(columns.map(orNone))}) in (select ${listed(names.map(orNone))} from shown)`;

const answer = (names: string[], size: string, currency: string[]): string =>
  `select found.*, ${names.length === 0 ? '0' : '(select count(*)::int from top)'} as groups_found from found
   order by ${listed('bucket', `${size} desc`, names, currency)}`;

export async function fromRows<G extends string, T extends Keyed>(
  client: Client,
  options: SpanOptions<G>,
  { table, at, groups, where, columns, amount }: Question<G>,
): Promise<Counted<T>> {
  const asOf = new Date();
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const which = listed(`${at} >= ${bind(options.from)} and ${at} < ${bind(options.to)}`).concat(
    ...where(bind).map((one) => ` and ${one}`),
  );
  const names = namesOf(options.groups);
  const own = options.groups.map((group) => groups[group]);
  const bucket = bucketOf(options.bucket, at);
  const currency = amount ? ['p.currency'] : [];
  const picked = Object.entries(columns).map(([name, [rows]]) => `${rows} as ${name}`);
  const counts = `select ${listed(named(own, names), 'count(*) as n')} from ${table} where ${which} group by ${listed(names)}`;
  const text = `with ${largest(names, counts, options.limit, bind)} found as (
      select ${listed(`${bucket} as bucket`, named(own, names), currency, picked, amount ? `${spread(amount)} as spread` : [])} from ${table}
      where ${which} and ${isShown(own, names)} group by ${listed(bucket, own, currency)})
    ${answer(names, Object.keys(columns)[0]!, amount ? ['currency'] : [])}`;
  return { ...shaped<T>((await client.query(text, values)).rows, names, options.limit), asOf };
}

async function fromCells<G extends string, T extends Keyed>(
  client: Client,
  options: SpanOptions<G>,
  { table, at, groups, where, columns, amount }: Question<G>,
  cells: Cells,
  { days, weeks, rest, asOf }: Cover,
): Promise<Counted<T>> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const names = namesOf(options.groups);
  const own = options.groups.map((group) => groups[group]);
  const bucket = bucketOf(options.bucket, at);
  const currency = (of: string): string[] => (amount ? [`${of}.currency`] : []);
  const size = Object.keys(columns)[0]!;
  const spreads = !amount
    ? []
    : options.bucket === null
      ? ([
          ['amounts', `array_agg(${amount})`, 'c.amounts'],
          ['counts', 'array_agg(1)', 'c.counts'],
        ] as const)
      : ([['spread', spread(amount), 'c.spread']] as const);
  const picked = [...Object.entries(columns).map(([name, [rows, cell]]) => [name, rows, cell] as const), ...spreads];
  const which = [
    `c.dims = ${bind(cells.dims)}`,
    `(c.unit = 'day' and c.at = any(${bind(days)}::timestamptz[]) or c.unit = 'week' and c.at = any(${bind(weeks)}::timestamptz[]))`,
    ...(amount ? [`c.kind = ${bind(cells.kind)}`] : []),
    ...cells.equal.map(([column, value]) => `${column} = ${bind(value)}`),
  ].join(' and ');
  const pieces = rest.map((one) => `${at} >= ${bind(one.from)} and ${at} < ${bind(one.to)}`).join(' or ') || 'false';
  const text = `with parts as (
      select ${listed(
        options.bucket === null ? 'null::timestamptz as bucket' : 'c.at as bucket',
        named(cells.groups, names),
        currency('c'),
        picked.map(([name, , cell]) => `${cell} as ${name}`),
      )}
      from ${amount ? 'amount_cells' : 'posting_cells'} c where ${which}
      union all
      select ${listed(
        `${bucket} as bucket`,
        named(own, names),
        currency('p'),
        picked.map(([name, rows]) => `${rows} as ${name}`),
      )}
      from ${table} where ${[`(${pieces})`, ...where(bind)].join(' and ')} group by ${listed(bucket, own, currency('p'))}
    ), ${largest(names, `select ${listed(names, `sum(${size}) as n`)} from parts group by ${listed(names)}`, options.limit, bind)}
    found as (select ${listed(
      'bucket',
      names,
      currency('parts'),
      picked.map(([name]) =>
        amount && options.bucket === null && name !== size ? `to_json(${name}) as ${name}` : name,
      ),
    )}
      from parts where ${isShown(names, names)})
    ${answer(names, size, amount ? ['currency'] : [])}`;
  return { ...shaped<T>((await client.query(text, values)).rows, names, options.limit), asOf };
}

interface Piece extends Keyed {
  currency: string;
  amounts: number[];
  counts: number[];
}

/** One row a group and currency, of its pieces; the largest first. */
function putTogether<T extends Keyed>(pieces: Piece[], size: string): T[] {
  const all = Map.groupBy(pieces, ({ groups, currency }) => JSON.stringify([groups, currency]));
  const rows = [...all.values()].map((own) => {
    const counts = own.flatMap((piece) => piece.counts);
    return {
      bucket: null,
      groups: own[0]!.groups,
      currency: own[0]!.currency,
      [size]: counts.reduce((sum, n) => sum + n, 0),
      spread: spreadOfCounts(
        own.flatMap((piece) => piece.amounts),
        counts,
      ),
    };
  });
  return rows.sort((a, b) => Number(b[size]) - Number(a[size])) as unknown as T[];
}

function shaped<T extends Keyed>(
  rows: Record<string, unknown>[],
  names: string[],
  limit: number,
): Pick<Counted<T>, 'rows' | 'isCut'> {
  return {
    isCut: Number(rows[0]?.groups_found ?? 0) > limit,
    rows: rows.map(({ groups_found, g1, g2, ...row }) => ({
      ...row,
      groups: [g1, g2].slice(0, names.length) as (string | null)[],
    })) as unknown as T[],
  };
}

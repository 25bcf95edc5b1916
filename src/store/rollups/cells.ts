// What is rolled up: for each day and week the rows of a table by some dimensions, and their amounts by how often each was seen. The statements that make the cells
// of one bucket are put together here; what they count has to be what an answer from the rows counts (posting-analytics.ts, price-analytics.ts).

/** Values that a page can have in any number are kept one by one; the others also two by two. */
const FEW = ['source', 'country', 'remote_type', 'seniority', 'job_type'] as const;

export interface RolledUp {
  kind: 'postings' | 'prices';
  /** The rows of a bucket, from $1 to before $2, as `r`. */
  rows: string;
  /** Dimensions that have cells, in the order of their values; two are separated by a comma. */
  dims: readonly string[];
  /** Where not a column of the rows. */
  columns: Record<string, string>;
  joins: Record<string, string>;
  amount: string;
  hasAmount: string;
  products: string;
}

/** A posting with several skills counts for each of them. */
export const SKILLS = (data: string): string => `cross join lateral (
  select distinct skill from jsonb_array_elements_text(case jsonb_typeof(${data} -> 'skills') when 'array' then ${data} -> 'skills' else '[]' end) x(skill)) s`;

export const POSTINGS: RolledUp = {
  kind: 'postings',
  rows: `select source, company, country, city, remote_type, seniority, job_type, currency, pay, pay_inferred, coalesce(group_id, key) as job,
      lower(company) as employer, jsonb_build_object('skills', data -> 'skills') as data
    from postings where first_seen_at >= $1 and first_seen_at < $2`,
  dims: [
    '',
    ...FEW,
    'company',
    'city',
    'skill',
    ...FEW.flatMap((one, index) => FEW.slice(index + 1).map((other) => `${one},${other}`)),
  ],
  columns: { skill: 's.skill' },
  joins: { skill: SKILLS('r.data') },
  amount: 'r.pay',
  hasAmount: 'r.pay is not null and r.currency is not null and not r.pay_inferred',
  products: '0',
};

export const PRICES: RolledUp = {
  kind: 'prices',
  rows: 'select source, seller, zipcode, product, currency, price_minor from prices where at >= $1 and at < $2',
  dims: ['', 'source', 'seller', 'zipcode', 'source,seller', 'source,zipcode'],
  columns: {},
  joins: {},
  amount: 'r.price_minor::float8',
  hasAmount: 'true',
  products: 'count(distinct r.product)::int',
};

const each = (of: RolledUp, select: (head: string, from: string, by: string) => string): string =>
  of.dims
    .map((dims) => {
      const [v1 = 'null::text', v2 = 'null::text'] = dims
        .split(',')
        .filter(Boolean)
        .map((name) => of.columns[name] ?? `r.${name}`);
      return select(`'${dims}' as dims, ${v1} as v1, ${v2} as v2`, `rows r ${of.joins[dims] ?? ''}`, `${v1}, ${v2}`);
    })
    .join('\nunion all\n');

/** $3 is the unit. */
export const countCells = (of: RolledUp): string => `with rows as materialized (${of.rows})
  insert into posting_cells (unit, at, dims, v1, v2, postings, jobs, companies, remote, with_salary)
  select $3::text, $1::timestamptz, * from (${each(
    of,
    (
      head,
      from,
      by,
    ) => `select ${head}, count(*)::int as postings, count(distinct r.job)::int, count(distinct r.employer)::int,
      (count(*) filter (where r.remote_type = 'remote'))::int, count(r.pay)::int from ${from} group by ${by}`,
  )}) cells`;

/** min, p10, p25, p50, p75, p90, max, mean */
export const spread = (amount: string): string =>
  `array[min(${amount})] || percentile_cont(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by ${amount}) || array[max(${amount}), avg(${amount})]`;

/** No value, as a text that no page has, so that values can be compared with `=`. */
export const orNone = (value: string): string => `coalesce(${value}, e'\\x01')`;

export const amountCells = (of: RolledUp): string => `with rows as materialized (${of.rows}),
  spreads as (${each(
    of,
    (
      head,
      from,
      by,
    ) => `select ${head}, r.currency, count(*)::int as n, ${of.products} as products, ${spread(of.amount)} as spread
      from ${from} where ${of.hasAmount} group by ${by}, r.currency`,
  )}),
  seen as (${each(
    of,
    (head, from, by) => `select ${head}, r.currency, ${of.amount} as amount, count(*)::int as n
      from ${from} where ${of.hasAmount} group by ${by}, r.currency, ${of.amount}`,
  )}),
  histograms as (select dims, v1, v2, currency, array_agg(amount order by amount) as amounts, array_agg(n order by amount) as counts from seen group by 1, 2, 3, 4)
  insert into amount_cells (kind, unit, at, dims, v1, v2, currency, n, products, amounts, counts, spread)
  select '${of.kind}', $3::text, $1::timestamptz, s.dims, s.v1, s.v2, s.currency, s.n, s.products, h.amounts, h.counts, s.spread
  from spreads s join histograms h on h.dims = s.dims and h.currency = s.currency
    and ${orNone('h.v1')} = ${orNone('s.v1')} and ${orNone('h.v2')} = ${orNone('s.v2')}`;

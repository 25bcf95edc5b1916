// Companies and how each is scraped.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type CompanyFilter, type CompanyHealth, companyHealth } from '../../model/company/company.ts';
import { AppError } from '../../model/errors.ts';
import { isUniqueViolation, query } from '../postgres/pool.ts';
import { pgJson, pgText, plainArray, textArray } from '../postgres/text.ts';

export interface Company {
  id: string;
  name: string;
  website: string | null;
  active: boolean;
  /** `scraper_type` and what that source needs. */
  scrapingConfig: { scraper_type: string; [setting: string]: unknown };
  createdAt: Date;
  updatedAt: Date;
  /** Where it stands in lists, for a cursor. */
  place: string;
}

export interface CompanyInput {
  name: string;
  website: string | null;
  active: boolean;
  scrapingConfig: { scraper_type: string; [setting: string]: unknown };
}

interface CompanyRow {
  id: string;
  name: string;
  website: string | null;
  active: boolean;
  scraper_type: string;
  config: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
  place: string;
}

const COLUMNS = 'id, name, website, active, scraper_type, config, created_at, updated_at, lower(name) as place';

const toCompany = (row: CompanyRow): Company => ({
  id: row.id,
  name: row.name,
  website: row.website,
  active: row.active,
  scrapingConfig: { scraper_type: row.scraper_type, ...row.config },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  place: row.place,
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function getCompany(pool: Pool, idOrName: string): Promise<Company | null> {
  const rows = await query<CompanyRow>(
    pool,
    `select ${COLUMNS} from companies where ${UUID.test(idOrName) ? 'id = $1::uuid' : 'lower(name) = lower($1)'}`,
    [pgText(idOrName)],
  );
  return rows[0] ? toCompany(rows[0]) : null;
}

export async function listCompanies(
  pool: Pool,
  options: { active: boolean | null; q: string | null; after: string | null; limit: number },
): Promise<{ companies: Company[]; total: number }> {
  const filter = `($1::boolean is null or active = $1) and ($2::text is null or strpos(lower(name), lower($2)) > 0)`;
  const rows = await query<CompanyRow>(
    pool,
    `select ${COLUMNS} from companies where ${filter} and ($3::text is null or lower(name) > $3) order by lower(name) limit $4`,
    [options.active, pgText(options.q), options.after, options.limit],
  );
  const [counted] = await query<{ n: number }>(pool, `select count(*)::int as n from companies where ${filter}`, [
    options.active,
    pgText(options.q),
  ]);
  return { companies: rows.map(toCompany), total: counted!.n };
}

/** How a company is doing. */
export interface CompanyState {
  /** Open ones. */
  positions: number;
  last: {
    id: string;
    status: string;
    found: number;
    startedAt: Date;
    finishedAt: Date | null;
    error: string | null;
  } | null;
  health: CompanyHealth;
}

const SESSIONS_LOOKED_AT = 5;

export async function companyStates(pool: Pool, ids: readonly string[]): Promise<Map<string, CompanyState>> {
  const rows = await query<{
    id: string;
    positions: number;
    sessions: {
      id: string;
      status: string;
      found: number;
      started_at: string;
      finished_at: string | null;
      error: string | null;
    }[];
  }>(
    pool,
    `select c.id, (select count(*)::int from positions p where p.company_id = c.id and p.active) as positions,
       (select coalesce(jsonb_agg(l), '[]') from (
          select s.id, s.status, s.found, s.started_at, s.finished_at, s.errors->>0 as error
          from sessions s where s.company_id = c.id order by s.started_at desc, s.id desc limit $2) l) as sessions
     from unnest($1::uuid[]) as c(id)`,
    [plainArray(ids), SESSIONS_LOOKED_AT],
  );
  return new Map(
    rows.map(({ id, positions, sessions }) => {
      const [last] = sessions;
      const ended = sessions.map(({ status }) => status).filter((status) => status !== 'running');
      const state: CompanyState = {
        positions,
        last: last
          ? {
              id: last.id,
              status: last.status,
              found: last.found,
              startedAt: new Date(last.started_at),
              finishedAt: last.finished_at === null ? null : new Date(last.finished_at),
              error: last.status === 'failed' ? last.error : null,
            }
          : null,
        health: companyHealth(ended as Parameters<typeof companyHealth>[0]),
      };
      return [id, state];
    }),
  );
}

const PAGE = 5_000;

export async function activeCompanies(pool: Pool, filter: CompanyFilter = {}): Promise<Company[]> {
  const named = filter.companies?.map((one) => pgText(one).toLowerCase()) ?? null;
  const all: Company[] = [];
  for (let after: string | null = null; ; after = all.at(-1)!.place) {
    const rows: CompanyRow[] = await query<CompanyRow>(
      pool,
      `select ${COLUMNS} from companies where active and ($1::text is null or lower(name) > $1)
         and ($3::text[] is null or lower(name) = any($3) or id::text = any($3))
         and ($4::text is null or strpos(lower(name), lower($4)) > 0) and ($5::text is null or scraper_type = $5)
       order by lower(name) limit $2`,
      [after, PAGE, named, pgText(filter.q ?? null), pgText(filter.scraper_type ?? null)],
    );
    all.push(...rows.map(toCompany));
    if (rows.length < PAGE) return all;
  }
}

export async function createCompany(pool: Pool, input: CompanyInput): Promise<Company> {
  const rows = await query<CompanyRow>(
    pool,
    `insert into companies (id, name, website, active, scraper_type, config) values ($1, $2, $3, $4, $5, $6)
     on conflict (lower(name)) do nothing returning ${COLUMNS}`,
    [randomUUID(), ...columnsOf(input)],
  );
  if (!rows[0]) throw nameTaken(input.name);
  return toCompany(rows[0]);
}

export async function updateCompany(pool: Pool, id: string, input: CompanyInput): Promise<Company | null> {
  try {
    const rows = await query<CompanyRow>(
      pool,
      `update companies set name = $2, website = $3, active = $4, scraper_type = $5, config = $6, updated_at = now(),
         history = case when (scraper_type, config) = ($5, $6::jsonb) then history else '{}' end,
         unconfirmed = case when (scraper_type, config) = ($5, $6::jsonb) then unconfirmed end
       where id = $1 returning ${COLUMNS}`,
      [id, ...columnsOf(input)],
    );
    return rows[0] ? toCompany(rows[0]) : null;
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(input.name);
    throw error;
  }
}

const columnsOf = ({ name, website, active, scrapingConfig: { scraper_type, ...config } }: CompanyInput): unknown[] => [
  pgText(name),
  website,
  active,
  scraper_type,
  pgJson(config),
];

const nameTaken = (name: string): AppError =>
  new AppError('invalid_params', `A company with the name ${name} already exists.`, {
    errors: [{ pointer: '/name', detail: 'already exists. Use PATCH to change that company' }],
  });

export async function saveCompanies(
  pool: Pool,
  inputs: CompanyInput[],
): Promise<Map<string, 'created' | 'updated' | 'unchanged'>> {
  const columns = inputs.map(columnsOf) as [string, string | null, boolean, string, string][];
  const rows = await query<{ name: string; created: boolean }>(
    pool,
    `insert into companies (id, name, website, active, scraper_type, config)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::jsonb[])
     on conflict (lower(name)) do update set name = excluded.name, website = excluded.website, active = excluded.active,
       scraper_type = excluded.scraper_type, config = excluded.config, updated_at = now(),
       -- Another board is another history.
       history = case when (companies.scraper_type, companies.config) = (excluded.scraper_type, excluded.config) then companies.history else '{}' end,
       unconfirmed = case when (companies.scraper_type, companies.config) = (excluded.scraper_type, excluded.config) then companies.unconfirmed end
     where (companies.name, companies.website, companies.active, companies.scraper_type, companies.config)
       is distinct from (excluded.name, excluded.website, excluded.active, excluded.scraper_type, excluded.config)
     returning name, (xmax = 0) as created`,
    [
      plainArray(inputs.map(() => randomUUID())),
      textArray(columns.map(([name]) => name)),
      textArray(columns.map(([, website]) => website)),
      columns.map(([, , active]) => active),
      textArray(columns.map(([, , , type]) => type)),
      textArray(columns.map(([, , , , config]) => config)),
    ],
  );
  const written = new Map(rows.map((row) => [row.name, row.created]));
  return new Map(
    inputs.map(({ name }) => {
      const created = written.get(pgText(name));
      return [name, created === undefined ? 'unchanged' : created ? 'created' : 'updated'];
    }),
  );
}

export async function deleteCompany(pool: Pool, id: string): Promise<boolean> {
  return (await query(pool, 'delete from companies where id = $1 returning 1', [id])).length > 0;
}

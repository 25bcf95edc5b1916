// Companies: who is scraped, and how.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { AppError } from '../model/errors.ts';
import { query } from './pool.ts';
import { pgJson, pgText } from './text.ts';

export interface Company {
  id: string;
  name: string;
  website: string | null;
  active: boolean;
  /** `scraper_type` and what that source needs. */
  scrapingConfig: { scraper_type: string; [setting: string]: unknown };
  createdAt: Date;
  updatedAt: Date;
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
}

const COLUMNS = 'id, name, website, active, scraper_type, config, created_at, updated_at';

const toCompany = (row: CompanyRow): Company => ({
  id: row.id,
  name: row.name,
  website: row.website,
  active: row.active,
  scrapingConfig: { scraper_type: row.scraper_type, ...row.config },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By id or, in any case, by name. */
export async function getCompany(pool: Pool, idOrName: string): Promise<Company | null> {
  const rows = await query<CompanyRow>(
    pool,
    `select ${COLUMNS} from companies where ${UUID.test(idOrName) ? 'id = $1::uuid' : 'lower(name) = lower($1)'}`,
    [idOrName],
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
    [options.active, options.q, options.after, options.limit],
  );
  const [counted] = await query<{ n: number }>(pool, `select count(*)::int as n from companies where ${filter}`, [
    options.active,
    options.q,
  ]);
  return { companies: rows.map(toCompany), total: counted!.n };
}

/** Creates a company, or changes the one of the same name; says which. */
export async function saveCompany(pool: Pool, input: CompanyInput): Promise<{ company: Company; created: boolean }> {
  const { scraper_type, ...config } = input.scrapingConfig;
  const rows = await query<CompanyRow & { created: boolean }>(
    pool,
    `insert into companies (id, name, website, active, scraper_type, config) values ($1, $2, $3, $4, $5, $6)
     on conflict (lower(name)) do update set name = excluded.name, website = excluded.website, active = excluded.active,
       scraper_type = excluded.scraper_type, config = excluded.config, updated_at = now(),
       -- Another board is another history.
       history = case when (companies.scraper_type, companies.config) = (excluded.scraper_type, excluded.config) then companies.history else '{}' end
     returning ${COLUMNS}, (xmax = 0) as created`,
    [randomUUID(), pgText(input.name), input.website, input.active, scraper_type, pgJson(config)],
  );
  return { company: toCompany(rows[0]!), created: rows[0]!.created };
}

export async function createCompany(pool: Pool, input: CompanyInput): Promise<Company> {
  if (await getCompany(pool, input.name)) {
    throw new AppError('invalid_params', `There is a company called ${input.name} already.`, {
      errors: [{ pointer: '/name', detail: 'is taken; PATCH changes the company that has it' }],
    });
  }
  return (await saveCompany(pool, input)).company;
}

export async function deleteCompany(pool: Pool, id: string): Promise<boolean> {
  return (await query(pool, 'delete from companies where id = $1 returning 1', [id])).length > 0;
}

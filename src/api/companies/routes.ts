// Companies whose career pages are scraped: create, import, detect from a URL, scrape one or all.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CompanyRow, CompanySettings } from '../../model/company/company.ts';
import { AppError, type FieldError } from '../../model/errors.ts';
import { HIDDEN, keepSecrets, masksIn } from '../../model/secrets.ts';
import { within } from '../../observe/cached.ts';
import { noCompanies } from '../../orchestrator/intake/companies.ts';
import type { Company } from '../../store/companies/companies.ts';
import type { CompanyStore } from '../../store/companies/company-store.ts';
import type { Needs } from '../deps.ts';
import { contextOf } from '../http/intake-context.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { invalid } from '../validation/validators.ts';
import {
  COMPANY_BODY_EXAMPLE,
  COMPANY_EXAMPLE,
  CompanyBody,
  CompanyList,
  CompanyPatch,
  CompanyView,
  companyView,
  DETECTION_EXAMPLE,
  Detection,
  IMPORT_EXAMPLE,
  ImportBody,
  ImportReport,
  RUN_ACCEPTED_EXAMPLE,
  RunAccepted,
  SCRAPE_BODY_EXAMPLE,
  ScrapeAllBody,
  ScrapeBody,
} from './schemas.ts';

const TAG = 'Companies';
const LIST = 'companies';
const LIMIT_MS = 10_000;
const DETECT_MS = 20_000;
const SAVE_BATCH = 1_000;
const MASKED = `is hidden and not stored for this host. Send its value instead of ${HIDDEN}`;
const CompanyParams = z.object({ company: z.string().max(300).meta({ description: 'Id or name.' }) });

type CompanyDeps = Needs<CompanyStore, 'careers' | 'intake' | 'log'>;

export const companies = (deps: CompanyDeps): Route[] => [
  list(deps),
  create(deps),
  scrapeAll(deps),
  importFile(deps),
  detect(deps),
  show(deps),
  change(deps),
  remove(deps),
  scrapeOne(deps),
];

const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');

export async function findCompany({ store }: Pick<CompanyDeps, 'store'>, idOrName: string): Promise<Company> {
  const company = await inTime(store.getCompany(idOrName));
  if (!company) throw new AppError('unknown_id', `There is no company ${idOrName.slice(0, 80)}.`);
  return company;
}

function list({ store }: CompanyDeps): Route {
  return route({
    method: 'GET',
    path: '/companies',
    operationId: 'listCompanies',
    scope: 'read',
    tag: TAG,
    summary: 'List companies by name',
    query: z.strictObject({
      active: z.boolean().optional(),
      q: z.string().max(200).optional().meta({ description: 'Part of the name.' }),
      limit: z.int().min(1).max(1_000).default(100),
      cursor: z.string().max(2_000).optional(),
    }),
    replies: {
      200: json('A page of companies.', CompanyList, { companies: [COMPANY_EXAMPLE], total: 1, next_cursor: null }),
    },
    problems: ['invalid_params'],
    async handle({ query: { active, q, limit, cursor } }) {
      const after = decodeCursor(LIST, cursor, /^[^\0]{1,600}$/s);
      const found = await inTime(
        store.listCompanies({ active: active ?? null, q: q ?? null, after, limit: limit + 1 }),
      );
      const page = found.companies.slice(0, limit);
      const next = found.companies.length > limit ? encodeCursor(LIST, page.at(-1)!.place) : null;
      const states = await inTime(store.companyStates(page.map(({ id }) => id)));
      const companies = page.map((company) => companyView(company, states.get(company.id)));
      return { companies, total: found.total, next_cursor: next };
    },
  });
}

async function shown({ store }: Pick<CompanyDeps, 'store'>, company: Company) {
  const states = await inTime(store.companyStates([company.id]));
  return companyView(company, states.get(company.id));
}

function create(deps: CompanyDeps): Route {
  return route({
    method: 'POST',
    path: '/companies',
    operationId: 'createCompany',
    scope: 'submit',
    tag: TAG,
    summary: 'Add a company',
    body: CompanyBody,
    bodyExample: COMPANY_BODY_EXAMPLE,
    replies: {
      201: json('The company.', CompanyView, COMPANY_EXAMPLE),
    },
    async handle({ body, id }, reply) {
      refuse(problemsOf(deps, body.scraping_config));
      const company = await inTime(
        deps.store.createCompany({
          name: body.name.trim(),
          website: body.website,
          active: body.active,
          scrapingConfig: body.scraping_config,
        }),
      );
      deps.log.info('company.created', { company: company.name, request_id: id });
      reply.code(201).header('location', `/companies/${company.id}`);
      return companyView(company);
    },
  });
}

/** Masks that stand for nothing stored are no secrets. */
const problemsOf = ({ careers }: Pick<CompanyDeps, 'careers'>, settings: CompanySettings): FieldError[] => [
  ...careers.problems(settings),
  ...masksIn(settings).map((name) => ({
    pointer: `/scraping_config/${name.replaceAll('.', '/')}`,
    detail: MASKED,
  })),
];

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalid(errors, 'body');
}

function show(deps: CompanyDeps): Route {
  return route({
    method: 'GET',
    path: '/companies/:company',
    operationId: 'getCompany',
    scope: 'read',
    tag: TAG,
    summary: 'Get a company by id or name',
    params: CompanyParams,
    replies: {
      200: json('The company.', CompanyView, COMPANY_EXAMPLE),
    },
    problems: ['unknown_id'],
    handle: async ({ params }) => shown(deps, await findCompany(deps, params.company)),
  });
}

function change(deps: CompanyDeps): Route {
  return route({
    method: 'PATCH',
    path: '/companies/:company',
    operationId: 'changeCompany',
    scope: 'admin',
    tag: TAG,
    summary: 'Update a company (fields left out stay as they are)',
    description: '`scraping_config` is replaced as a whole.',
    params: CompanyParams,
    body: CompanyPatch,
    bodyExample: { active: false },
    replies: {
      200: json('The updated company.', CompanyView, { ...COMPANY_EXAMPLE, active: false }),
    },
    problems: ['unknown_id'],
    async handle({ params, body, id }) {
      const company = await findCompany(deps, params.company);
      const scrapingConfig: CompanySettings = body.scraping_config
        ? keepSecrets(body.scraping_config, company.scrapingConfig)
        : company.scrapingConfig;
      if (body.scraping_config) refuse(problemsOf(deps, scrapingConfig));
      const changed = await inTime(
        deps.store.updateCompany(company.id, {
          name: body.name?.trim() ?? company.name,
          website: body.website === undefined ? company.website : body.website,
          active: body.active ?? company.active,
          scrapingConfig,
        }),
      );
      if (!changed) throw new AppError('unknown_id', `The company ${company.name} was deleted.`);
      deps.log.info('company.changed', { company: changed.name, request_id: id });
      return shown(deps, changed);
    },
  });
}

function remove(deps: CompanyDeps): Route {
  return route({
    method: 'DELETE',
    path: '/companies/:company',
    operationId: 'deleteCompany',
    scope: 'admin',
    tag: TAG,
    summary: 'Delete a company with its sessions and positions',
    params: CompanyParams,
    replies: {
      200: json('Deleted.', z.object({ id: z.string(), name: z.string(), deleted: z.literal(true) }), {
        id: COMPANY_EXAMPLE.id,
        name: 'Acme',
        deleted: true,
      }),
    },
    problems: ['unknown_id'],
    async handle({ params, id }) {
      const company = await findCompany(deps, params.company);
      await inTime(deps.store.deleteCompany(company.id));
      deps.log.info('company.deleted', { company: company.name, request_id: id });
      return { id: company.id, name: company.name, deleted: true };
    },
  });
}

const ACCEPTED = {
  202: json('Accepted: the run is stored.', RunAccepted, RUN_ACCEPTED_EXAMPLE),
};

function scrapeOne(deps: CompanyDeps): Route {
  return route({
    method: 'POST',
    path: '/companies/:company/scrape',
    operationId: 'scrapeCompany',
    scope: 'submit',
    tag: TAG,
    summary: 'Scrape one company now, also if it waits to be tried again',
    description:
      'A full scrape creates, updates and closes positions. An incremental scrape fetches only new positions and closes none.',
    params: CompanyParams,
    body: ScrapeBody,
    bodyExample: SCRAPE_BODY_EXAMPLE,
    replies: ACCEPTED,
    problems: ['unknown_id', 'idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const company = await findCompany(deps, request.params.company);
      return scrape(deps, [company], request, reply);
    },
  });
}

function scrapeAll(deps: CompanyDeps): Route {
  return route({
    method: 'POST',
    path: '/companies/scrape',
    operationId: 'scrapeCompanies',
    scope: 'submit',
    tag: TAG,
    summary: 'Scrape all active companies now, or those that a filter names',
    description: 'All fields of the filter have to hold. Companies that wait to be tried again are tried at once.',
    body: ScrapeAllBody,
    bodyExample: SCRAPE_BODY_EXAMPLE,
    replies: ACCEPTED,
    problems: ['nothing_to_do', 'idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const { incremental: _, ...filter } = request.body ?? {};
      const active = await inTime(deps.store.activeCompanies(filter));
      if (active.length === 0) throw noCompanies(filter);
      return scrape(deps, active, request, reply);
    },
  });
}

async function scrape(deps: CompanyDeps, wanted: Company[], request: FastifyRequest, reply: FastifyReply) {
  const incremental = (request.body as { incremental?: boolean } | null | undefined)?.incremental ?? false;
  const accepted = await inTime(
    deps.intake.scrapeCompanies(
      { companies: wanted, incremental, trigger: 'manual' },
      contextOf(request, `POST ${request.url.split('?')[0]}`),
    ),
  );
  if (accepted.replayed) reply.header('idempotent-replay', 'true');
  else deps.log.info('run.accepted', { run_id: accepted.runId, request_id: request.id, companies: wanted.length });
  reply.code(202).header('location', `/jobs/scrape/${accepted.runId}`).header('retry-after', '2');
  return { status: 'success', data: { run_id: accepted.runId, status: 'queued', companies: accepted.total } };
}

function importFile({ careers, store, log }: CompanyDeps): Route {
  return route({
    method: 'POST',
    path: '/companies/import',
    operationId: 'importCompanies',
    scope: 'admin',
    tag: TAG,
    summary: 'Import companies from JSON or YAML (adds or updates by name)',
    description:
      'Each row is checked on its own: invalid rows are refused with all their errors, the others are imported.',
    body: ImportBody,
    bodyExample: { companies: [COMPANY_BODY_EXAMPLE] },
    replies: {
      200: json('The outcome of each row.', ImportReport, IMPORT_EXAMPLE),
    },
    async handle({ body, id }) {
      const rows = await (typeof body === 'string' ? careers.read(body) : careers.rows(body));
      for (const row of rows) await restoreSecrets(store, row);
      const wanted = rows.flatMap(({ company }) => company ?? []);
      const results = new Map<string, 'created' | 'updated' | 'unchanged'>();
      for (let at = 0; at < wanted.length; at += SAVE_BATCH) {
        const batch = wanted
          .slice(at, at + SAVE_BATCH)
          .map(({ scraping_config, ...company }) => ({ ...company, scrapingConfig: scraping_config }));
        for (const [name, result] of await inTime(store.saveCompanies(batch))) results.set(name, result);
      }
      const report = rows.map(({ row, name, company, problems }) => ({
        row,
        name,
        result: company ? results.get(company.name)! : ('refused' as const),
        problems,
      }));
      const count = (result: string) => report.filter((one) => one.result === result).length;
      const counts = {
        total: rows.length,
        created: count('created'),
        updated: count('updated'),
        unchanged: count('unchanged'),
        refused: count('refused'),
      };
      log.info('companies.imported', { ...counts, request_id: id });
      return { ...counts, rows: report };
    },
  });
}

/** An exported company has masks for its secrets: they stay as they are stored under its name. */
async function restoreSecrets(store: Pick<CompanyStore, 'getCompany'>, row: CompanyRow): Promise<void> {
  if (row.company === null || masksIn(row.company.scraping_config).length === 0) return;
  const stored = await inTime(store.getCompany(row.company.name));
  if (stored) row.company.scraping_config = keepSecrets(row.company.scraping_config, stored.scrapingConfig);
  const left = masksIn(row.company.scraping_config).map((name) => `scraping_config.${name}: ${MASKED}`);
  row.problems.push(...left);
  if (left.length > 0) row.company = null;
}

function detect({ careers }: CompanyDeps): Route {
  return route({
    method: 'POST',
    path: '/companies/detect',
    operationId: 'detectCompany',
    scope: 'submit',
    tag: TAG,
    summary: 'Detect how a career page can be scraped, with a confidence',
    body: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_000) }),
    bodyExample: { url: 'https://acme.example/careers' },
    replies: {
      200: json('Candidates, best first.', Detection, DETECTION_EXAMPLE),
    },
    async handle({ body }) {
      const { findings, looked, hints } = await careers.detect(body.url, AbortSignal.timeout(DETECT_MS));
      return {
        findings: findings.map(({ settings, confidence, evidence }) => ({
          scraping_config: settings,
          confidence,
          evidence,
        })),
        looked_at: looked.map(({ url, failed }) => ({ url, error: failed ?? null })),
        hints: hints.map(({ vendor, evidence, advice }) => ({ vendor, evidence, advice })),
      };
    },
  });
}

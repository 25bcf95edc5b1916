// Companies, their sessions and positions in the API: schemas, examples and views.
import { z } from 'zod';
import type { Waiting } from '../../model/run/why-waits.ts';
import { HIDDEN, hideSecrets } from '../../model/secrets.ts';
import type { Company, CompanyState } from '../../store/companies/companies.ts';
import type { Position } from '../../store/companies/positions.ts';
import type { Session } from '../../store/companies/sessions.ts';
import { POSTING_EXAMPLE } from '../searches/schemas.ts';
import { nameSchemas } from '../validation/named.ts';

const Name = z.string().min(1).max(300).regex(/\S/);
const Website = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .nullable();
const Settings = z.looseObject({ scraper_type: z.string().min(1).max(60) }).meta({
  description: `The source that scrapes the career page, and its parameters: \`{"scraper_type":"greenhouse","board":"acme"}\`. Headers and other secrets are shown as \`${HIDDEN}\`; sent back like that they stay as they are.`,
});

export const CompanyBody = z.strictObject({
  name: Name,
  website: Website.default(null),
  active: z.boolean().default(true),
  scraping_config: Settings,
});

export const CompanyPatch = z.strictObject({
  name: Name.optional(),
  website: Website.optional(),
  active: z.boolean().optional(),
  scraping_config: Settings.optional(),
});

export const CompanyView = z.object({
  id: z.string(),
  name: z.string(),
  website: z.string().nullable(),
  active: z.boolean(),
  scraping_config: z.looseObject({ scraper_type: z.string() }),
  positions: z.number().int().meta({ description: 'Open positions.' }),
  last_session: z
    .object({
      id: z.string(),
      status: z.enum(['running', 'completed', 'partial', 'failed']),
      jobs_found: z.number().int(),
      started_at: z.string(),
      finished_at: z.string().nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
  health: z
    .enum(['unknown', 'ok', 'degraded', 'failing'])
    .meta({ description: 'By its last five sessions: `failing` if the last three failed, or all of them.' }),
  created_at: z.string(),
  updated_at: z.string(),
});

export const COMPANY_BODY_EXAMPLE = {
  name: 'Acme',
  website: 'https://acme.example/careers',
  active: true,
  scraping_config: { scraper_type: 'greenhouse', board: 'acme' },
};

export const COMPANY_EXAMPLE = {
  id: '0b9f6e1c-6f0e-4d3a-9c53-2f4f9d1c8a70',
  ...COMPANY_BODY_EXAMPLE,
  positions: 109,
  last_session: {
    id: '5a0f6e1c-6f0e-4d3a-9c53-2f4f9d1c8a71',
    status: 'completed',
    jobs_found: 109,
    started_at: '2026-02-04T07:00:00.000Z',
    finished_at: '2026-02-04T07:00:09.500Z',
    error: null,
  },
  health: 'ok',
  created_at: '2026-02-04T10:33:00.000Z',
  updated_at: '2026-02-04T10:33:00.000Z',
};

const NEW: CompanyState = { positions: 0, last: null, health: 'unknown' };

export const companyView = (company: Company, { positions, last, health }: CompanyState = NEW) => ({
  id: company.id,
  name: company.name,
  website: company.website,
  active: company.active,
  scraping_config: hideSecrets(company.scrapingConfig),
  positions,
  last_session: last && {
    id: last.id,
    status: last.status,
    jobs_found: last.found,
    started_at: last.startedAt.toISOString(),
    finished_at: last.finishedAt?.toISOString() ?? null,
    error: last.error,
  },
  health,
  created_at: company.createdAt.toISOString(),
  updated_at: company.updatedAt.toISOString(),
});

export const CompanyList = z.object({
  companies: z.array(CompanyView),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});

export const ScrapeBody = z.strictObject({ incremental: z.boolean().optional() }).nullable();

/** Also the payload of schedules. */
export const FILTER_FIELDS = {
  companies: z.array(z.string().min(1).max(300)).min(1).max(1_000).optional().meta({ description: 'Ids or names.' }),
  q: z.string().min(1).max(200).optional().meta({ description: 'Part of the name.' }),
  scraper_type: z.string().min(1).max(60).optional().meta({ description: 'Only those of this source.' }),
};
export const ScrapeAllBody = z.strictObject({ incremental: z.boolean().optional(), ...FILTER_FIELDS }).nullable();
export const SCRAPE_BODY_EXAMPLE = { incremental: false };

export const RunAccepted = z.object({
  status: z.literal('success'),
  data: z.object({ run_id: z.string(), status: z.string(), companies: z.number().int() }),
});
export const RUN_ACCEPTED_EXAMPLE = {
  status: 'success',
  data: { run_id: 'manual_a1b2c3d4e5f60718', status: 'queued', companies: 1 },
};

export const ImportBody = z
  .union([z.strictObject({ companies: z.array(z.unknown()) }), z.array(z.unknown()), z.string()])
  .meta({
    description: '`{"companies":[…]}` or the array itself. Also as YAML, with `Content-Type: application/yaml`.',
  });

export const ImportReport = z.object({
  total: z.number().int(),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  refused: z.number().int(),
  rows: z.array(
    z.object({
      row: z.number().int(),
      name: z.string().nullable(),
      result: z.enum(['created', 'updated', 'unchanged', 'refused']),
      problems: z.array(z.string()),
    }),
  ),
});

export const IMPORT_EXAMPLE = {
  total: 2,
  created: 1,
  updated: 0,
  unchanged: 0,
  refused: 1,
  rows: [
    { row: 1, name: 'Acme', result: 'created', problems: [] },
    { row: 2, name: 'Bolt', result: 'refused', problems: ['scraping_config.regoin: is not a setting of lever'] },
  ],
};

export const Detection = z.object({
  findings: z.array(
    z.object({
      scraping_config: z.looseObject({ scraper_type: z.string() }),
      confidence: z.number(),
      evidence: z.string(),
    }),
  ),
  looked_at: z.array(z.object({ url: z.string(), error: z.string().nullable() })),
  hints: z
    .array(z.object({ vendor: z.string(), evidence: z.string(), advice: z.string() }))
    .meta({ description: 'Systems that were recognised and have no scraper of their own, with what to do instead.' }),
});

export const DETECTION_EXAMPLE = {
  findings: [
    {
      scraping_config: { scraper_type: 'greenhouse', board: 'acme' },
      confidence: 0.93,
      evidence: 'a script or frame: https://boards.greenhouse.io/embed/job_board/js?for=acme',
    },
  ],
  looked_at: [{ url: 'https://acme.example/careers', error: null }],
  hints: [],
};

export const SessionList = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      company: z.string(),
      run_id: z.string(),
      status: z.enum(['running', 'completed', 'partial', 'failed']),
      incremental: z.boolean(),
      jobs_found: z.number().int(),
      new: z.number().int(),
      updated: z.number().int(),
      unchanged: z.number().int(),
      deactivated: z.number().int(),
      closing_refused: z.string().nullable().meta({ description: 'Why positions that were not seen were not closed.' }),
      errors: z.array(z.string()),
      waiting_reason: z.string().nullable().meta({ description: 'Why it waits, while it does.' }),
      cause: z.string().nullable().meta({ description: 'While it is running: why the last attempt failed.' }),
      next_try_at: z.string().nullable().meta({ description: 'When the next attempt is due.' }),
      started_at: z.string(),
      finished_at: z.string().nullable(),
      duration_seconds: z.number().nullable(),
    }),
  ),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});

export const sessionView = (session: Session, stuck: ReadonlyMap<string, Waiting>) => ({
  id: session.id,
  company: session.company,
  run_id: session.run_id,
  status: session.status,
  incremental: session.incremental,
  jobs_found: session.found,
  new: session.created,
  updated: session.updated,
  unchanged: session.unchanged,
  deactivated: session.deactivated,
  closing_refused: session.closing_refused,
  errors: session.errors,
  waiting_reason: session.status === 'running' ? (stuck.get(session.source)?.message ?? retryOf(session)) : null,
  cause: session.cause,
  next_try_at: session.next_try_at?.toISOString() ?? null,
  started_at: session.started_at.toISOString(),
  finished_at: session.finished_at?.toISOString() ?? null,
  duration_seconds: session.finished_at ? (session.finished_at.getTime() - session.started_at.getTime()) / 1_000 : null,
});

const retryOf = ({ cause, next_try_at: at }: Session): string | null =>
  at &&
  `Will be tried again at ${at.toISOString()}${cause === null ? '' : `, since the last attempt failed: ${cause}`}`;

export const SESSIONS_EXAMPLE = {
  sessions: [
    {
      id: '5a0f6e1c-6f0e-4d3a-9c53-2f4f9d1c8a71',
      company: 'Acme',
      run_id: 'manual_a1b2c3d4e5f60718',
      status: 'completed',
      incremental: false,
      jobs_found: 109,
      new: 4,
      updated: 2,
      unchanged: 103,
      deactivated: 3,
      closing_refused: null,
      errors: [],
      waiting_reason: null,
      cause: null,
      next_try_at: null,
      started_at: '2026-02-04T07:00:00.000Z',
      finished_at: '2026-02-04T07:00:09.500Z',
      duration_seconds: 9.5,
    },
  ],
  total: 1,
  next_cursor: null,
};

export const PositionView = z.looseObject({
  id: z.string(),
  company: z.string(),
  company_id: z.string(),
  title: z.string(),
  job_url: z.string(),
  job_hash: z.string(),
  active: z.boolean(),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
  closed_at: z.string().nullable(),
  close_reason: z.string().nullable(),
  reopened_at: z.string().nullable(),
});
nameSchemas({ Company: CompanyView, Position: PositionView });

export const PositionList = z.object({
  positions: z.array(PositionView),
  total: z.number().int(),
  next_cursor: z.string().nullable(),
});

export const positionView = ({ posting, place: _place, ...position }: Position) => ({
  ...posting,
  id: position.id,
  company: position.company,
  company_id: position.companyId,
  active: position.active,
  first_seen_at: position.firstSeenAt.toISOString(),
  last_seen_at: position.lastSeenAt.toISOString(),
  closed_at: position.closedAt?.toISOString() ?? null,
  close_reason: position.closeReason,
  reopened_at: position.reopenedAt?.toISOString() ?? null,
});

export const POSITION_EXAMPLE = {
  ...POSTING_EXAMPLE,
  id: '7c0f6e1c-6f0e-4d3a-9c53-2f4f9d1c8a72',
  company: 'Acme',
  company_id: COMPANY_EXAMPLE.id,
  active: true,
  first_seen_at: '2026-02-04T07:00:09.000Z',
  last_seen_at: '2026-02-05T07:00:08.000Z',
  closed_at: null,
  close_reason: null,
  reopened_at: null,
};

// Positions of companies over time, and the sessions that found them.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { REMOTE_TYPES } from '../../model/posting/posting.ts';
import { POSTING_COLUMNS, POSTING_TYPES } from '../../model/posting/posting-columns.ts';
import { within } from '../../observe/cached.ts';
import type { CompanyStore, PositionStore, SessionStore } from '../../store/companies/company-store.ts';
import type { Position, PositionFilter } from '../../store/companies/positions.ts';
import type { Needs } from '../deps.ts';
import { chunksOf, type ExportTable, sendExport } from '../export/export.ts';
import { anyFormatOf, pagesOrFile } from '../export/formats.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { invalid } from '../validation/validators.ts';
import { findCompany } from './routes.ts';
import {
  POSITION_EXAMPLE,
  PositionList,
  PositionView,
  positionView,
  SESSIONS_EXAMPLE,
  SessionList,
  sessionView,
} from './schemas.ts';

const TAG = 'Companies';
const LIMIT_MS = 10_000;
const PLACE = /^-?\d{1,18},[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const POSITION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PAGE = 100;
const PAGE_MAX = 1_000;
const CHUNK = 200;
const paging = { limit: z.int().min(1).max(PAGE_MAX).default(PAGE), cursor: z.string().max(200).optional() };
const words = z.string().max(200).optional();

type PositionDeps = Needs<CompanyStore & PositionStore & Pick<SessionStore, 'listSessions'>, 'waiting'>;

export const positions = (deps: PositionDeps): Route[] => [listSessions(deps), list(deps), show(deps)];

const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');

/** End of the previous page. */
function placeOf(name: string, cursor: string | undefined): [place: string, id: string] | null {
  const place = decodeCursor(name, cursor, PLACE);
  return place === null ? null : (place.split(',') as [string, string]);
}

/** One page of rows that were read with one too many. */
function pageOf<T extends { place: string; id: string }>(name: string, found: T[], limit: number) {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next: found.length > limit && last ? encodeCursor(name, `${last.place},${last.id}`) : null };
}

function listSessions(deps: PositionDeps): Route {
  return route({
    method: 'GET',
    path: '/sessions',
    operationId: 'listSessions',
    scope: 'read',
    tag: TAG,
    summary: 'List scrape sessions of companies and what each changed, newest first',
    query: z.strictObject({
      company: z.string().max(300).optional().meta({ description: 'Id or name.' }),
      run_id: z.string().max(80).optional(),
      ...paging,
    }),
    replies: {
      200: json('A page of sessions.', SessionList, SESSIONS_EXAMPLE),
    },
    problems: ['unknown_id', 'invalid_params'],
    async handle({ query: { company, run_id, limit, cursor }, sees }) {
      const after = placeOf('sessions', cursor);
      const companyId = company === undefined ? null : (await findCompany(deps, company)).id;
      const found = await inTime(
        deps.store.listSessions({ companyId, runId: run_id ?? null, after, limit: limit + 1, owner: sees }),
      );
      const { page, next } = pageOf('sessions', found.sessions, limit);
      const stuck = await deps.waiting.bySource();
      return { sessions: page.map((session) => sessionView(session, stuck)), total: found.total, next_cursor: next };
    },
  });
}

function list(deps: PositionDeps): Route {
  return route({
    method: 'GET',
    path: '/positions',
    operationId: 'listPositions',
    scope: 'read',
    tag: TAG,
    summary: 'List positions of companies, newest first',
    description: '`format=ndjson`, `csv`, `parquet` and `xlsx` stream every match.',
    query: z.strictObject({
      company: z.string().max(300).optional().meta({ description: 'Id or name.' }),
      active: z.boolean().optional(),
      q: words.meta({ description: 'Words in title, department, location or company.' }),
      remote_type: z.enum(REMOTE_TYPES).optional(),
      location: words,
      department: words,
      new_since: z
        .string()
        .max(40)
        .optional()
        .meta({ description: 'First seen after this time (ISO 8601), or in the last `36h`, `1d`, `2w`.' }),
      ...pagesOrFile(PAGE, PAGE_MAX),
      cursor: paging.cursor,
    }),
    replies: {
      200: json('A page of positions.', PositionList, { positions: [POSITION_EXAMPLE], total: 1, next_cursor: null }),
    },
    problems: ['unknown_id', 'invalid_params'],
    async handle({ query, headers }, reply) {
      const after = placeOf('positions', query.cursor);
      const format = query.format ?? anyFormatOf(headers.accept);
      const limit = query.limit ?? (format === 'json' ? PAGE : Number.POSITIVE_INFINITY);
      if (format === 'json' && limit > PAGE_MAX)
        throw invalid(
          [{ pointer: '/limit', detail: `has to be at most ${PAGE_MAX}. Use next_cursor for the next page` }],
          'querystring',
        );
      const newSince = query.new_since === undefined ? null : sinceOf(query.new_since, Date.now());
      const companyId = query.company === undefined ? null : (await findCompany(deps, query.company)).id;
      const filter: PositionFilter = {
        companyId,
        active: query.active ?? null,
        q: query.q ?? null,
        remoteType: query.remote_type ?? null,
        location: query.location ?? null,
        department: query.department ?? null,
        newSince,
      };
      reply.header('vary', 'accept');
      if (format !== 'json') {
        const chunks = chunksOf(
          (from: [string, string] | null, size) => deps.store.readPositions({ ...filter, after: from, limit: size }),
          ({ place, id }): [string, string] => [place, id],
          { after, limit, chunk: CHUNK },
        );
        return sendExport(reply, EXPORTED, format, chunks);
      }
      const found = await inTime(deps.store.listPositions({ ...filter, after, limit: limit + 1 }));
      const { page, next } = pageOf('positions', found.positions, limit);
      return { positions: page.map(positionView), total: found.total, next_cursor: next };
    },
  });
}

const OWN_COLUMNS = ['id', 'active', 'first_seen_at', 'last_seen_at', 'closed_at', 'close_reason'] as const;

const EXPORTED: ExportTable<Position, ReturnType<typeof positionView>> = {
  name: 'positions',
  view: positionView,
  columns: [...POSTING_COLUMNS, ...OWN_COLUMNS],
  types: {
    ...POSTING_TYPES,
    active: 'boolean',
    first_seen_at: 'time',
    last_seen_at: 'time',
    closed_at: 'time',
  },
  row: (shown) => [...POSTING_COLUMNS, ...OWN_COLUMNS].map((column) => shown[column]),
};

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const LONGEST_MS = 100 * 365 * 86_400_000;

export function sinceOf(text: string, nowMs: number): Date {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count && unit) return new Date(nowMs - Math.min(LONGEST_MS, Number(count) * UNIT_MS[unit]!));
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw invalid(
      [
        {
          pointer: '/new_since',
          detail: 'has to be a time such as 2026-02-04T07:00:00Z, or a duration such as 36h, 1d, 2w',
        },
      ],
      'querystring',
    );
  return new Date(at);
}

function show({ store }: PositionDeps): Route {
  return route({
    method: 'GET',
    path: '/positions/:position_id',
    operationId: 'getPosition',
    scope: 'read',
    tag: TAG,
    summary: 'Get a position with its history',
    params: z.object({ position_id: z.string() }),
    replies: {
      200: json(
        'The position and its history, oldest first.',
        PositionView.extend({
          history: z.array(
            z.object({
              at: z.string(),
              kind: z.string(),
              changes: z.array(
                z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
              ),
            }),
          ),
        }),
        {
          ...POSITION_EXAMPLE,
          history: [
            { at: '2026-02-04T07:00:09.000Z', kind: 'created', changes: [] },
            {
              at: '2026-02-05T07:00:08.000Z',
              kind: 'updated',
              changes: [{ field: 'title', before: 'Engineer', after: 'Software Engineer' }],
            },
          ],
        },
      ),
    },
    problems: ['unknown_id'],
    async handle({ params: { position_id: id } }) {
      const found = POSITION_ID.test(id) ? await inTime(store.getPosition(id)) : null;
      if (!found) throw new AppError('unknown_id', `There is no position ${id.slice(0, 80)}.`);
      const history = found.events.map(({ at, kind, changes }) => ({ at: at.toISOString(), kind, changes }));
      return { ...positionView(found.position), history };
    },
  });
}

// Alerts: saved searches, and the new postings they matched: as a list, a feed, a file, or sent to a webhook.
import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { maySee } from '../../model/key/key.ts';
import { within } from '../../observe/cached.ts';
import type { AlertStore } from '../../store/alerts/alert-store.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../lists/cursor.ts';
import { tagsOf } from '../lists/etags.ts';
import { namesOf } from '../lists/filters.ts';
import { postingFilter } from '../postings/routes.ts';
import { invalid } from '../validation/validators.ts';
import { checkReceiver } from '../webhooks/receiver-check.ts';
import { alertFeed, FEED_TYPES } from './feed.ts';
import {
  ALERT_BODY_EXAMPLE,
  ALERT_EXAMPLE,
  AlertBody,
  AlertPatch,
  AlertView,
  alertInput,
  alertView,
  feedUrl,
  MATCH_EXAMPLE,
  MatchView,
  matchView,
  NOTICE_EXAMPLE,
  NoticeView,
  PreviewBody,
  savedSearch,
} from './schemas.ts';

const TAG = 'Alerts';
const LIST = 'alerts';
const LIMIT_MS = 10_000;
const LATEST = 5;
const IN_FEED = 50;
/** Counted up to this; `has_more` says that there are more. */
const COUNTED_MAX = 10_000;
const AlertParams = z.object({ alert_id: z.string().max(80) });

type AlertDeps = Needs<AlertStore, 'catalogue' | 'receivers' | 'maxAlerts' | 'log'>;

export const alerts = (deps: AlertDeps): Route[] => [
  list(deps),
  create(deps),
  preview(deps),
  show(deps),
  change(deps),
  remove(deps),
  matches(deps),
  feed(deps),
];

const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');
const originOf = (request: Pick<FastifyRequest, 'protocol' | 'host'>): string =>
  `${request.protocol}://${request.host}`;

async function findAlert({ store }: AlertDeps, id: string, sees: string | null): Promise<Alert> {
  const alert = await inTime(store.getAlert(id));
  if (!alert || !maySee(sees, alert)) throw new AppError('unknown_id', `There is no alert ${id.slice(0, 80)}.`);
  return alert;
}

function list({ store }: AlertDeps): Route {
  return route({
    method: 'GET',
    path: '/alerts',
    operationId: 'listAlerts',
    scope: 'read',
    tag: TAG,
    summary: 'List alerts, oldest first',
    query: z.strictObject({ limit: z.int().min(1).max(1_000).default(100), cursor: z.string().max(200).optional() }),
    replies: {
      200: json(
        'A page of alerts.',
        z.object({ alerts: z.array(AlertView), total: z.number().int(), next_cursor: z.string().nullable() }),
        { alerts: [ALERT_EXAMPLE], total: 1, next_cursor: null },
      ),
    },
    problems: ['invalid_params'],
    async handle(request) {
      const { limit, cursor } = request.query;
      const after = decodeCursor(LIST, cursor, /^alr_[0-9a-f]{32}$/);
      const found = await inTime(store.listAlerts({ after, limit: limit + 1, owner: request.sees }));
      const page = found.alerts.slice(0, limit);
      return {
        alerts: page.map((alert) => alertView(alert, originOf(request))),
        total: found.total,
        next_cursor: found.alerts.length > limit ? encodeCursor(LIST, page.at(-1)!.id) : null,
      };
    },
  });
}

function create(deps: AlertDeps): Route {
  return route({
    method: 'POST',
    path: '/alerts',
    operationId: 'createAlert',
    scope: 'submit',
    tag: TAG,
    summary: 'Create an alert: a saved search that notifies about new postings',
    description:
      'Each job matches once, with its first matching posting. Matches appear in the feed and in `/matches`, and are also sent to `webhook_url` and written to `file` if those are set.',
    body: AlertBody,
    bodyExample: ALERT_BODY_EXAMPLE,
    replies: {
      201: json('The alert.', AlertView, ALERT_EXAMPLE),
    },
    async handle(request, reply) {
      checkSources(deps, request.body.search);
      const input = alertInput(request.body, null);
      if (input.webhookUrl !== null) await checkReceiver(deps, input.webhookUrl, '/webhook_url');
      const alert = await inTime(deps.store.createAlert(input, { max: deps.maxAlerts, owner: request.owner }));
      if (!alert) {
        const detail = `is one too many: there are ${deps.maxAlerts} alerts already; delete one, or raise ALERTS_MAX`;
        throw invalid([{ pointer: '/name', detail }], 'body');
      }
      deps.log.info('alert.created', { alert: alert.id, request_id: request.id });
      reply.code(201).header('location', `/alerts/${alert.id}`);
      return alertView(alert, originOf(request));
    },
  });
}

/** A saved search with a misspelt source would never match, and nobody would notice. */
function checkSources({ catalogue }: AlertDeps, { source }: { source?: string | undefined }): void {
  const known = catalogue.all().map((site) => site.name);
  const unknown = namesOf(source)?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const detail = `"${unknown}" is not a source of postings. Known sources: ${known.join(', ')}`;
  throw invalid([{ pointer: '/search/source', detail }], 'body');
}

function preview(deps: AlertDeps): Route {
  const { store } = deps;
  return route({
    method: 'POST',
    path: '/alerts/preview',
    operationId: 'previewAlert',
    scope: 'read',
    tag: TAG,
    summary: 'Preview a search: how many stored postings match, and the newest of them',
    body: PreviewBody,
    bodyExample: { search: ALERT_BODY_EXAMPLE.search },
    replies: {
      200: json(
        'What the search matches now. An alert notifies only about postings that come after it was created.',
        z.object({
          matching: z
            .number()
            .int()
            .meta({ description: `Counted up to ${COUNTED_MAX}.` }),
          has_more: z.boolean(),
          newest: z.array(NoticeView),
        }),
        { matching: 12, has_more: false, newest: [NOTICE_EXAMPLE] },
      ),
    },
    async handle({ body }) {
      checkSources(deps, body.search);
      const search = savedSearch(body.search);
      const found = await inTime(
        store.previewSearch(search, postingFilter({ ...body.search, posted_after: search.posted_after }), {
          max: COUNTED_MAX + 1,
          shown: LATEST,
        }),
      );
      return {
        matching: Math.min(found.count, COUNTED_MAX),
        has_more: found.count > COUNTED_MAX,
        newest: found.newest,
      };
    },
  });
}

function show(deps: AlertDeps): Route {
  return route({
    method: 'GET',
    path: '/alerts/:alert_id',
    operationId: 'getAlert',
    scope: 'read',
    tag: TAG,
    summary: 'Get an alert with its match count and latest match',
    params: AlertParams,
    replies: {
      200: json('The alert.', AlertView.extend({ matches: z.number().int(), latest: z.array(MatchView) }), {
        ...ALERT_EXAMPLE,
        matches: 1,
        latest: [MATCH_EXAMPLE],
      }),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const alert = await findAlert(deps, request.params.alert_id, request.sees);
      const [count, latest] = await inTime(
        Promise.all([
          deps.store.countMatches(alert.id),
          deps.store.alertMatches(alert.id, { before: null, limit: LATEST }),
        ]),
      );
      return { ...alertView(alert, originOf(request)), matches: count, latest: latest.map(matchView) };
    },
  });
}

function change(deps: AlertDeps): Route {
  return route({
    method: 'PATCH',
    path: '/alerts/:alert_id',
    operationId: 'changeAlert',
    scope: 'submit',
    tag: TAG,
    summary: 'Update or pause an alert (its matches stay)',
    params: AlertParams,
    body: AlertPatch,
    bodyExample: { active: false },
    replies: {
      200: json('The updated alert.', AlertView, { ...ALERT_EXAMPLE, active: false }),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const { params, body, id, sees } = request;
      const before = await findAlert(deps, params.alert_id, sees);
      if (body.search) checkSources(deps, body.search);
      const input = alertInput(body, before);
      if (input.webhookUrl !== null && input.webhookUrl !== before.webhookUrl)
        await checkReceiver(deps, input.webhookUrl, '/webhook_url');
      const newToken = body.new_feed_token === true;
      const alert = await inTime(deps.store.updateAlert(before.id, input, { newToken }));
      if (!alert) throw new AppError('unknown_id', `The alert ${before.id} was deleted.`);
      deps.log.info('alert.changed', { alert: alert.id, active: alert.active, request_id: id });
      return alertView(alert, originOf(request));
    },
  });
}

function remove(deps: AlertDeps): Route {
  return route({
    method: 'DELETE',
    path: '/alerts/:alert_id',
    operationId: 'deleteAlert',
    scope: 'submit',
    tag: TAG,
    summary: 'Delete an alert with its matches and feed (its file stays)',
    params: AlertParams,
    replies: {
      200: json('Deleted.', z.object({ id: z.string(), deleted: z.literal(true) }), {
        id: ALERT_EXAMPLE.id,
        deleted: true,
      }),
    },
    problems: ['unknown_id'],
    async handle({ params, id, sees }) {
      const alert = await findAlert(deps, params.alert_id, sees);
      await inTime(deps.store.deleteAlert(alert.id));
      deps.log.info('alert.deleted', { alert: alert.id, request_id: id });
      return { id: alert.id, deleted: true };
    },
  });
}

function matches(deps: AlertDeps): Route {
  return route({
    method: 'GET',
    path: '/alerts/:alert_id/matches',
    operationId: 'listAlertMatches',
    scope: 'read',
    tag: TAG,
    summary: 'List the matches of an alert, newest first',
    params: AlertParams,
    query: z.strictObject({ limit: z.int().min(1).max(1_000).default(100), cursor: z.string().max(200).optional() }),
    replies: {
      200: json('A page of matches.', z.object({ matches: z.array(MatchView), next_cursor: z.string().nullable() }), {
        matches: [MATCH_EXAMPLE],
        next_cursor: null,
      }),
    },
    problems: ['unknown_id', 'invalid_params'],
    async handle({ params, query: { limit, cursor }, sees }) {
      const name = `matches ${params.alert_id}`;
      const before = decodeCursor(name, cursor, /^\d{1,18}$/);
      const alert = await findAlert(deps, params.alert_id, sees);
      const found = await inTime(deps.store.alertMatches(alert.id, { before, limit: limit + 1 }));
      const page = found.slice(0, limit);
      const next = found.length > limit ? encodeCursor(name, page.at(-1)!.seq) : null;
      return { matches: page.map(matchView), next_cursor: next };
    },
  });
}

function feed({ store }: AlertDeps): Route {
  return route({
    method: 'GET',
    path: '/alerts/:alert_id/feed',
    operationId: 'getAlertFeed',
    scope: 'read',
    tag: TAG,
    summary: 'Get the latest matches of an alert as a feed',
    description: 'Authenticated by the token in its URL instead of a key: `feed_url` of the alert is the complete URL.',
    params: AlertParams,
    query: z.strictObject({
      token: z.string().max(100).optional(),
      format: z.enum(['atom', 'rss']).default('atom'),
    }),
    hasToken: true,
    replies: {
      200: {
        description: `The last ${IN_FEED} matches.`,
        examples: {
          [FEED_TYPES.atom]: '<feed xmlns="http://www.w3.org/2005/Atom">…</feed>',
          [FEED_TYPES.rss]: '<rss version="2.0">…</rss>',
        },
      },
      304: { description: 'No new match since the `ETag` that was sent.', examples: {} },
    },
    problems: ['unauthorized', 'invalid_params'],
    async handle(request, reply) {
      const { token = '', format } = request.query;
      const alert = await inTime(store.getAlert(request.params.alert_id));
      // The same answer for an alert that does not exist, so that ids cannot be guessed.
      if (!alert || !isSame(alert.feedToken, token))
        throw new AppError(
          'unauthorized',
          'The feed needs its token. Use the complete feed_url of the alert from GET /alerts.',
        );
      const found = await inTime(store.alertMatches(alert.id, { before: null, limit: IN_FEED }));
      const etag = `"${format}-${alert.updatedAt.getTime()}-${found[0]?.seq ?? 0}-${found.length}"`;
      reply.header('etag', etag).header('cache-control', 'no-cache');
      if (tagsOf(request.headers['if-none-match']).includes(etag)) return reply.code(304).send();
      const latest = found[0]?.announcedAt ?? alert.updatedAt;
      return reply.type(`${FEED_TYPES[format]}; charset=utf-8`).send(
        alertFeed({
          format,
          id: alert.id,
          name: alert.name,
          url: `${feedUrl(alert, originOf(request))}${format === 'rss' ? '&format=rss' : ''}`,
          updatedAt: new Date(Math.max(latest.getTime(), alert.updatedAt.getTime())),
          matches: found,
        }),
      );
    },
  });
}

function isSame(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

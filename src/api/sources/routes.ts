// Sources: health, pause and resume. Tasks of a paused source are accepted and wait; none is lost and no attempt is used.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { KINDS } from '../../model/item/item.ts';
import { BREAKER_STATES } from '../../model/source/breaker.ts';
import { cached, within } from '../../observe/cached.ts';
import type { SourceHoldStore, SourceStore } from '../../store/sources/source-store.ts';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { nameSchemas } from '../validation/named.ts';
import { type SourceView, sourceView } from './views.ts';

const LIMIT_MS = 10_000;
const HOUR_MS = 3_600_000;
const KEPT_MS = 2_000;
/** Counting waiting tasks reads the whole queue, which may be a million tasks. */
const DEPTHS_KEPT_MS = 5_000;

const Period = z.object({
  attempts: z.number().int(),
  done: z.number().int(),
  retried: z.number().int(),
  failed: z.number().int(),
  success_rate: z.number().nullable(),
  latency_seconds: z.object({
    mean: z.number().nullable(),
    p50: z.number().nullable(),
    p90: z.number().nullable(),
    p99: z.number().nullable(),
  }),
  requests: z.number(),
  bytes: z.number(),
  blocks: z.number().int(),
  captchas: z.number().int(),
  items: z.number().int(),
});

const Source = z.object({
  name: z.string(),
  title: z.string(),
  kind: z.enum(KINDS as ['article', 'posting', 'product']),
  lane: z.string(),
  hosts: z.array(z.string()),
  module: z.string().nullable().meta({ description: 'The module that brought it; null for a built-in source.' }),
  params: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of its parameters.' }),
  workers: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Workers that take its tasks now; null while that is not known.' }),
  waiting_reason: z.string().nullable().meta({ description: 'Why no worker takes its tasks; null when one does.' }),
  health: z.object({
    state: z.enum(['unknown', 'ok', 'degraded', 'failing']),
    done_last_hour: z.number().int(),
    failed_last_hour: z.number().int(),
  }),
  paused: z.object({ since: z.string(), reason: z.string().nullable(), by: z.string().nullable() }).nullable(),
  breaker: z.object({
    state: z.enum(BREAKER_STATES),
    since: z.string().nullable(),
    until: z.string().nullable(),
    opens: z.number().int(),
    reason: z.string().nullable(),
  }),
  waiting: z.number().int(),
  active: z.number().int(),
  last_hour: Period,
  last_day: Period,
  quality: z.object({ items: z.number().int(), filled: z.record(z.string(), z.number()).nullable() }),
  last_error: z.object({ category: z.string(), message: z.string(), at: z.string() }).nullable(),
});

const PERIOD_EXAMPLE = {
  attempts: 120,
  done: 114,
  retried: 5,
  failed: 1,
  success_rate: 0.95,
  latency_seconds: { mean: 1.4, p50: 1.1, p90: 2.9, p99: 8.5 },
  requests: 640,
  bytes: 52_000_000,
  blocks: 3,
  captchas: 1,
  items: 2_310,
};
const SOURCE_EXAMPLE = {
  name: 'indeed',
  title: 'Indeed',
  kind: 'posting',
  lane: 'http',
  hosts: ['apis.indeed.com'],
  module: null,
  params: { type: 'object', properties: { search_term: { type: 'string' } }, required: ['search_term'] },
  workers: 3,
  waiting_reason: null,
  health: { state: 'ok', done_last_hour: 114, failed_last_hour: 1 },
  paused: null,
  breaker: { state: 'closed', since: null, until: null, opens: 0, reason: null },
  waiting: 3,
  active: 2,
  last_hour: PERIOD_EXAMPLE,
  last_day: PERIOD_EXAMPLE,
  quality: { items: 2_310, filled: { company: 1, location: 0.998, salary: 0.41 } },
  last_error: { category: 'timeout', message: 'timeout after 30s', at: '2026-02-04T10:32:00.000Z' },
};

const Name = z.object({ name: z.string() });

type SourceDeps = Needs<SourceHoldStore & SourceStore, 'sources' | 'moduleProblems' | 'workers' | 'log'>;

export const sources = (deps: SourceDeps): Route[] => {
  const depths = cached({
    ask: () => deps.store.sourceDepths(),
    keepMs: DEPTHS_KEPT_MS,
    limitMs: LIMIT_MS,
    what: 'The database',
  });
  const known = cached({ ask: () => readAll(deps, depths), keepMs: KEPT_MS, limitMs: LIMIT_MS, what: 'The database' });
  return [list(deps, known), show(known), pause(deps), resume(deps)];
};

async function readAll(
  { store, sources: all, workers: beats }: SourceDeps,
  depthsOf: () => ReturnType<SourceDeps['store']['sourceDepths']>,
): Promise<SourceView[]> {
  const to = new Date(Date.now() + HOUR_MS);
  const since = (hours: number) =>
    store.sourceTallies({ from: new Date(Date.now() - hours * HOUR_MS), to, bucket: null });
  const [hour, day, holds, depths, workers] = await Promise.all([
    since(1),
    since(24),
    store.listHolds(),
    depthsOf(),
    // How the sources did is known without the wire too.
    beats().catch(() => null),
  ]);
  return all.map((about) =>
    sourceView({
      about,
      hour: hour.find((tally) => tally.source === about.name),
      day: day.find((tally) => tally.source === about.name),
      hold: holds.find((hold) => hold.source === about.name),
      depth: depths.get(about.name),
      workers,
    }),
  );
}

const SourceList = z.object({
  sources: z.array(Source),
  problems: z
    .array(z.object({ module: z.string(), reason: z.string() }))
    .meta({ description: 'Source modules that could not be used, and why.' }),
});
nameSchemas({ Source, SourcePeriod: Period });

function list({ moduleProblems }: SourceDeps, known: () => Promise<SourceView[]>): Route {
  return route({
    method: 'GET',
    path: '/sources',
    operationId: 'listSources',
    scope: 'read',
    tag: 'Sources',
    summary: 'List sources with health, circuit breaker, speed, data quality and pause state',
    replies: {
      200: json('The sources.', SourceList, { sources: [SOURCE_EXAMPLE], problems: [] }),
    },
    handle: async () => ({ sources: await known(), problems: [...moduleProblems] }),
  });
}

function show(known: () => Promise<SourceView[]>): Route {
  return route({
    method: 'GET',
    path: '/sources/:name',
    operationId: 'getSource',
    scope: 'read',
    tag: 'Sources',
    summary: 'Get a source',
    description:
      '`quality.filled` is the share of items of the last day that have each field. An open circuit breaker holds tasks back until the site answers a probe.',
    params: Name,
    replies: {
      200: json('The source.', Source, SOURCE_EXAMPLE),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const { name } = request.params;
      const found = (await known()).find((source) => source.name === name);
      if (!found) throw unknownSource(name);
      return found;
    },
  });
}

const Held = z.object({ name: z.string(), paused: z.boolean(), tasks: z.number().int() });

function pause(deps: SourceDeps): Route {
  const { store, log } = deps;
  return route({
    method: 'POST',
    path: '/sources/:name/pause',
    operationId: 'pauseSource',
    scope: 'admin',
    tag: 'Sources',
    summary: 'Pause a source (its tasks wait until it is resumed)',
    description:
      'Waiting tasks are kept and use no attempts. Running tasks finish. Survives restarts. `tasks` is the number of waiting tasks.',
    params: Name,
    body: z.strictObject({ reason: z.string().max(500).optional() }).nullable(),
    bodyExample: { reason: 'The site is being rebuilt.' },
    replies: {
      200: json('Paused.', Held, { name: 'indeed', paused: true, tasks: 12 }),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const name = nameOf(deps, request.params.name);
      await within(store.pauseSource(name, request.body?.reason ?? null, request.caller), LIMIT_MS, 'The database');
      const tasks = await within(store.parkSource(name), LIMIT_MS, 'The database');
      log.info('source.paused', { request_id: request.id, site_name: name, tasks });
      return { name, paused: true, tasks };
    },
  });
}

function resume(deps: SourceDeps): Route {
  const { store, log } = deps;
  return route({
    method: 'POST',
    path: '/sources/:name/resume',
    operationId: 'resumeSource',
    scope: 'admin',
    tag: 'Sources',
    summary: 'Resume a paused source (no effect if it is not paused)',
    description:
      'An open circuit breaker still holds its tasks until the site answers. `tasks` is the number of released tasks.',
    params: Name,
    replies: {
      200: json('Resumed.', Held, { name: 'indeed', paused: false, tasks: 12 }),
    },
    problems: ['unknown_id'],
    async handle(request) {
      const name = nameOf(deps, request.params.name);
      const wasPaused = await within(store.resumeSource(name), LIMIT_MS, 'The database');
      const tasks = wasPaused ? await within(store.unparkSource(name), LIMIT_MS, 'The database') : 0;
      if (wasPaused) log.info('source.resumed', { request_id: request.id, site_name: name, tasks });
      return { name, paused: false, tasks };
    },
  });
}

function nameOf({ sources: all }: SourceDeps, name: string): string {
  if (!all.some((source) => source.name === name)) throw unknownSource(name);
  return name;
}

const unknownSource = (name: string): AppError =>
  new AppError('unknown_id', `There is no source ${name.slice(0, 80)}. See GET /sources.`);

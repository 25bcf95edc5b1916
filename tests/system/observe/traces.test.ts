// A fleet of separate processes sends its traces to a collector: what one request caused is one trace, whichever process did it.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../conformance/world.ts';
import { type Collector, type SeenSpan, startCollector } from '../../support/observe/collector.ts';
import { serve } from '../../support/web/servers.ts';
import { Fleet } from '../../support/worlds/fleet.ts';

const LIMIT_MS = 180_000;
/** Of a request for two articles: the request, its commit, four for each article, the webhook. */
const SPANS = 11;
let collector: Collector;
let receiver: Awaited<ReturnType<typeof serve>>;
let f: Fleet;
const arrived: (string | undefined)[] = [];

beforeAll(async () => {
  collector = await startCollector();
  receiver = await serve((request, response) => {
    arrived.push(request.headers.traceparent as string | undefined);
    request.resume().on('end', () => response.end());
  });
  f = await Fleet.start({
    workers: 1,
    hostMap: `hooks.test=${receiver.origin}`,
    env: {
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'windrow-test',
    },
  });
}, LIMIT_MS);

afterAll(async () => {
  await f?.close();
  await Promise.all([collector?.close(), receiver?.[Symbol.asyncDispose]()]);
}, LIMIT_MS);

const newTrace = (): string => randomBytes(16).toString('hex');
const ofTrace = (traceId: string): SeenSpan[] => collector.spans.filter((span) => span.traceId === traceId);

const ROUNDS = 6;

async function submit(traceparent: string | null, urls: string[], more: object = {}): Promise<string> {
  const answer = await fetch(`${f.client.origin}/jobs/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(traceparent ? { traceparent } : {}) },
    body: JSON.stringify({ articles: urls.map((url) => ({ url })), ...more }),
  });
  expect(answer.status).toBe(201);
  const { job_id } = (await answer.json()) as { job_id: string };
  // The fleet's own check knows what was submitted by its client only.
  await until(`${job_id} has ended`, async () => {
    const state = await (await fetch(`${f.client.origin}/jobs/${job_id}/status`)).json();
    return !['PENDING', 'IN_PROGRESS'].includes((state as { status: string }).status);
  });
  return job_id;
}

test('a request, its tasks, their pages, their results and its webhook are one trace', async () => {
  const traceId = newTrace();
  const parent = randomBytes(8).toString('hex');
  const urls = f.urls(2);
  const runId = await submit(`00-${traceId}-${parent}-01`, urls, { webhook_url: 'http://hooks.test/in' });
  // Each process sends its own, when it likes.
  await until('all of it has arrived', () => ofTrace(traceId).length >= SPANS);

  const spans = ofTrace(traceId);
  const named = (name: string): SeenSpan[] => spans.filter((span) => span.name === name);
  const one = (name: string): SeenSpan => {
    expect(named(name), name).toHaveLength(1);
    return named(name)[0]!;
  };
  const request = one('POST /jobs/submit');
  expect(request).toMatchObject({ kind: 'server', parentId: parent, service: 'windrow-test' });
  expect(request.attributes).toMatchObject({ 'http.route': '/jobs/submit', 'http.response.status_code': 201 });
  const created = one('create article');
  expect(created).toMatchObject({ kind: 'producer', parentId: request.spanId });
  expect(created.attributes).toMatchObject({ 'windrow.run.id': runId, 'messaging.batch.message_count': 2 });

  const sent = named('send http');
  expect(sent.map(({ kind, parentId }) => [kind, parentId])).toEqual(Array(2).fill(['client', created.spanId]));
  const attempts = named('process article');
  expect(attempts.map(({ kind, parentId }) => [kind, parentId])).toEqual(Array(2).fill(['consumer', created.spanId]));
  const ids = attempts.map(({ spanId }) => spanId).sort();
  const fetches = named('GET');
  expect(fetches.map(({ parentId }) => parentId).sort()).toEqual(ids);
  expect(fetches.map(({ attributes }) => attributes['url.full']).sort()).toEqual(urls.sort());
  expect(fetches[0]!.attributes['http.response.status_code']).toBe(200);
  const records = named('record');
  expect(records.map(({ parentId }) => parentId).sort()).toEqual(ids);

  const [hook] = spans.filter((span) => span.attributes['windrow.event.type'] !== undefined);
  expect(hook).toMatchObject({ name: 'POST', kind: 'client', parentId: created.spanId });
  expect(arrived).toEqual([`00-${traceId}-${hook!.spanId}-01`]);

  // A tree: everything but the request has a parent in it, and begins no earlier.
  for (const span of spans) {
    if (span === request) continue;
    const above = spans.find(({ spanId }) => spanId === span.parentId);
    expect(above, `the parent of ${span.name}`).toBeDefined();
    expect(span.startMs).toBeGreaterThanOrEqual(above!.startMs - 2);
  }
  // Three roles, each a process of its own.
  expect(new Set(spans.map(({ instance }) => instance)).size).toBe(3);
  expect(spans.filter(({ isError }) => isError)).toEqual([]);

  // The batch is a trace of its own, with a link to each of them.
  for (const record of records) {
    const batch = collector.spans.find(({ spanId }) => spanId === record.links[0]!.spanId)!;
    expect(batch).toMatchObject({ name: 'settle results', parentId: null });
    expect(batch.links).toContainEqual({ traceId, spanId: record.parentId });
  }
});

test('log lines of all roles name the trace', async () => {
  const traceId = newTrace();
  await submit(`00-${traceId}-${randomBytes(8).toString('hex')}-01`, f.urls(1));
  const events = (): unknown[] =>
    [...f.orchestrators, ...f.workers].flatMap((role) =>
      role.events.filter((line) => line.trace_id === traceId).map((line) => line.event),
    );
  await until('the lines are written', () => events().length >= 4);
  expect(events().sort()).toEqual(['run.settled', 'task.done', 'task.ended', 'task.started']);
});

test('who asks decides whether it is traced, and nothing that is not sampled is sent', async () => {
  const quiet = newTrace();
  await submit(`00-${quiet}-${randomBytes(8).toString('hex')}-00`, f.urls(1));
  const loud = newTrace();
  await submit(`00-${loud}-${randomBytes(8).toString('hex')}-01`, f.urls(1));
  // Sent later than what would have been sent of the quiet one.
  await until('the traced one has arrived', () => ofTrace(loud).some(({ name }) => name === 'record'));
  expect(ofTrace(quiet)).toEqual([]);
});

test('a traceparent that is none begins a new trace', async () => {
  const runId = await submit('00-zzzz-1-01', f.urls(1));
  const created = () =>
    collector.spans.find((span) => span.attributes['windrow.run.id'] === runId && span.name === 'create article');
  await until('it has arrived', () => created() !== undefined);
  const [request] = ofTrace(created()!.traceId).filter(({ kind }) => kind === 'server');
  expect(request!.parentId).toBeNull();
});

test('a task that fails is an error with its category, and trying its dead letter again links to it', async () => {
  const traceId = newTrace();
  const [url] = f.urls(1, '?status=404');
  await submit(`00-${traceId}-${randomBytes(8).toString('hex')}-01`, [url!]);
  const spanOf = (name: string) => ofTrace(traceId).find((span) => span.name === name);
  const failed = () => spanOf('process article');
  await until('its attempt has arrived', () => failed() !== undefined && spanOf('create article') !== undefined);
  expect(failed()!.isError).toBe(true);
  expect(failed()!.attributes['error.type']).toBe('not_found');
  const created = spanOf('create article')!;
  const letter = String(failed()!.attributes['messaging.message.id']);
  const again = newTrace();
  const answer = await fetch(`${f.client.origin}/dead-letters/${letter}/retry`, {
    method: 'POST',
    headers: { traceparent: `00-${again}-${randomBytes(8).toString('hex')}-01` },
  });
  expect(answer.status).toBe(202);
  const retried = () => ofTrace(again).find(({ name }) => name === 'create article');
  await until('the retry has arrived', () => retried() !== undefined);
  expect(retried()!.links).toEqual([{ traceId, spanId: created.spanId }]);
});

test('a collector that is away stops no work, and is told of once until it answers again', async () => {
  const told = (event: string): number => f.workers[0]!.events.filter((line) => line.event === event).length;
  collector.status = 500;
  await submit(null, f.urls(5));
  await until('it was told', () => told('traces.unsent') === 1);
  // Three processes send, each when it likes: after so many the worker was refused again.
  for (let round = 0; round < ROUNDS; round++) {
    const before = collector.requests;
    await submit(null, f.urls(1));
    await until('more was refused', () => collector.requests > before);
  }
  expect(told('traces.unsent')).toBe(1);
  collector.status = 200;
  await submit(null, f.urls(1));
  await until('it was told that it is back', () => told('traces.sent_again') === 1);
});

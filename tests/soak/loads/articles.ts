// Articles: quick, slow, redirecting, failing and hostile pages, shared between runs, cancelled at times; and pages that fail until they are repaired, whose
// dead letters are then tried again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { Ending } from '../ledger.ts';
import { type Load, type LoadContext, repeat, submitOnce } from './load.ts';

const HOSTILE = [
  'deep:20000',
  'huge-chunked:20mb',
  'gzip-twice:50mb',
  'headers:100kb',
  'redirect-loop',
  'binary',
  'bad-gzip',
];

const idOf = (json: Record<string, unknown>) => json.job_id;

export const articles: Load = async (context) => {
  const seen: string[] = [];
  await repeat(context, 900, async (random) => {
    const urls = new Map(Array.from({ length: 1 + random.below(5) }, () => page(context, random)));
    const isPlain = [...urls.values()].every((ending) => ending === 'done');
    const shared = seen.length > 0 && random.chance(0.3) ? random.some(seen.slice(-50), 2) : [];
    for (const [url, ending] of urls) if (ending === 'done') seen.push(url);
    for (const url of shared) urls.set(url, 'done');
    const list = [...urls.keys()].map((url) => ({ url, priority: 1 + random.below(10) }));
    const body = { articles: list, ...(random.chance(0.2) ? { max_age_seconds: 0 } : {}) };
    const cancelAfterMs = random.chance(0.1) ? random.below(1_500) : null;
    const runId = await submitOnce(context, random, { path: '/jobs/submit', body, idOf });
    if (runId === undefined) return;
    const run = { kind: 'article' as const, urls, cancelled: 'no' as 'no' | 'yes' | 'maybe', isPlain };
    context.ledger.add(runId, run);
    if (cancelAfterMs === null) return;
    run.isPlain = false;
    await sleep(cancelAfterMs);
    run.cancelled = 'maybe';
    const { status } = await context.world.client.call('DELETE', `/jobs/${runId}`);
    if (status === 200) run.cancelled = 'yes';
    else if (status !== 400) context.ledger.wrong.push(`the cancellation of ${runId} was answered with ${status}`);
  });
};

/** An address with a behaviour, and how it has to end. */
function page({ world }: LoadContext, random: Random): [string, Ending] {
  const [dice, ms, hostile] = [random.next(), random.below(3_000), random.pick(HOSTILE)];
  const [url] = world.fleet.urls(1) as [string];
  if (dice < 0.5) return [url, 'done'];
  if (dice < 0.7) return [`${url}?slow=${ms}`, 'done'];
  if (dice < 0.8) return [`${url}?redirect=${1 + (ms % 3)}`, 'done'];
  if (dice < 0.88) return [`${url}?status=503&times=1`, 'done'];
  if (dice < 0.92) return [`${url}?status=404`, 'failed'];
  if (dice < 0.94) return [`${url}?status=500`, 'failed'];
  if (dice < 0.95) return [`${url}?hang=1`, 'failed'];
  if (dice < 0.96) return [`${url}?cut=1`, 'either'];
  if (dice < 0.98) return [`${url}?costly=1`, 'either'];
  return [`http://p${/page\/(\d+)/.exec(url)![1]}.hostile.example/a-page-of-theirs?fault=${hostile}`, 'either'];
}

export const deadLetters: Load = (context) =>
  repeat(context, 8_000, async (random) => {
    const { world, ledger } = context;
    const [address] = world.fleet.urls(1) as [string];
    const url = `${address}?broken=1`;
    const run = (ending: Ending) => ({
      kind: 'article' as const,
      urls: new Map([[url, ending]]),
      cancelled: 'no' as const,
    });
    const body = { articles: [{ url, priority: 1 }] };
    const runId = await submitOnce(context, random, { path: '/jobs/submit', body, idOf });
    if (runId === undefined) return;
    ledger.add(runId, run('failed'));
    while ((await world.client.get(`/jobs/${runId}/status`)).json.status === 'IN_PROGRESS') {
      if (context.isOver()) return;
      await sleep(500);
    }
    world.fleet.target.repair(Number(/page\/(\d+)/.exec(url)![1]));
    const { json } = await world.client.get('/dead-letters?source=article&limit=1000');
    const letter = (json.dead_letters as { task_id: string; run_id: string }[]).find((one) => one.run_id === runId);
    if (letter === undefined) {
      ledger.wrong.push(`${runId} has failed and left no dead letter`);
      return;
    }
    const again = await submitOnce(context, random, {
      path: `/dead-letters/${letter.task_id}/retry`,
      body: undefined,
      idOf,
    });
    if (again === undefined) return;
    ledger.retriedDeadLetters++;
    ledger.add(again, run('done'));
  });

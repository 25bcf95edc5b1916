// One request on its way out and its answer on the way back, policy by policy in the order of this file: guard, robots, pace, cache, send,
// archive. Redirects come through here one by one, so that no policy is skipped by them. A policy that is off costs nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, asAppError } from '../../model/errors.ts';
import type { Archive } from '../archive/archive.ts';
import type { Guard } from '../guard/guard.ts';
import type { AttemptLedger } from '../ledger.ts';
import { gapMs, type Pace, type PaceOrder, type PaceOutcome, type PaceSlot, type PaceStore } from '../pace/pace.ts';
import type { Robots } from '../robots/robots.ts';
import type { HttpLimits, HttpRequest, HttpResponse } from './http.ts';
import type { HttpCache } from './http-cache.ts';
import { parseRetryAfter } from './http-errors.ts';

export interface HopPolicies {
  guard: Guard;
  robots: Robots | null;
  pace: PaceStore | null;
  cache: HttpCache | null;
  archive: Archive | null;
  random: () => number;
  /** Called when something besides the page failed: a full disk must not fail the page. */
  onProblem(event: string, error: unknown): void;
  onPaceWaited(seconds: number): void;
}

export interface HopContext {
  pace: Pace;
  maxPaceWaitMs: number;
  /** A refusal ends the attempt: `details.goesBack` tells sources that would ask again. */
  goesBack?: boolean;
  limits: HttpLimits;
  ledger: AttemptLedger;
  /** Answers to a visitor with cookies are that visitor's own, and are neither kept nor given to others. */
  isPersonal(): boolean;
  /** Exits that would do for this request, by their keys (`keyOfExit`), and the one whose turn came first. */
  exits(): readonly string[];
  leaveBy?(exit: string): Promise<void>;
  /** Other tasks cannot use these exits. */
  isPrivate?: boolean;
  /** For the archive: whose exchange this was. */
  about: { source: string; runId?: string; taskId?: string };
  send(request: HttpRequest): Promise<HttpResponse>;
  /** How long the host took, where that is not simply the time since we began (a wait for a free browser is not the host's). */
  hostLatencyMs?(): number;
}

export async function hop(policies: HopPolicies, context: HopContext, request: HttpRequest): Promise<HttpResponse> {
  const { url } = request;
  policies.guard.checkUrl(url);
  const crawlDelayMs = policies.robots === null ? 0 : await askRobots(policies.robots, url, context);
  const cache = context.isPersonal() ? null : policies.cache;
  const stored = cache === null ? null : cache.find(request);
  if (stored?.isFresh) {
    context.ledger.wasUnchanged();
    return stored.answer();
  }
  const place = policies.pace === null ? null : await waitForSlot(policies, context, url.hostname, crawlDelayMs);
  const began = performance.now();
  const latencyMs = context.hostLatencyMs ?? (() => performance.now() - began);
  let outcome: PaceOutcome = { kind: 'failed', latencyMs: 0 };
  try {
    if (place !== null) await context.leaveBy?.(place.exit);
    const conditional =
      stored === null ? request : { ...request, headers: { ...request.headers, ...stored.validators } };
    const answer = await context.send(conditional);
    outcome = outcomeOf(answer, latencyMs());
    context.ledger.received(answer.wireBytes);
    if (policies.archive !== null) await archived(policies, policies.archive, request, answer, context);
    if (stored !== null && answer.status === 304) {
      context.ledger.wasUnchanged();
      const confirmed = stored.answer(answer.headers);
      keep(policies, cache, request, confirmed);
      return confirmed;
    }
    // A cookie set on the way makes the next answer personal; this one was not.
    if (answer.setCookies.length === 0) keep(policies, cache, request, answer);
    return answer;
  } catch (error) {
    // A request that was cancelled says nothing about the host.
    const isHosts = asAppError(error).code !== 'cancelled';
    outcome = { kind: 'failed', latencyMs: isHosts ? latencyMs() : 0 };
    throw error;
  } finally {
    if (place !== null) policies.pace?.release(url.hostname, place, outcome);
  }
}

function keep(policies: HopPolicies, cache: HttpCache | null, request: HttpRequest, answer: HttpResponse): void {
  try {
    cache?.store(request, answer);
  } catch (error) {
    policies.onProblem('cache.failed', error);
  }
}

async function archived(
  policies: HopPolicies,
  archive: Archive,
  request: HttpRequest,
  answer: HttpResponse,
  { about, ledger }: HopContext,
): Promise<void> {
  try {
    ledger.wasArchived(await archive.record(request, answer, about));
  } catch (error) {
    policies.onProblem('archive.failed', error);
  }
}

async function askRobots(robots: Robots, url: URL, context: HopContext): Promise<number> {
  const { isAllowed, crawlDelayMs } = await robots.check(url, context.limits.signal);
  if (!isAllowed)
    throw new AppError(
      'robots',
      `Disallowed by robots.txt of ${url.hostname}. To fetch it anyway: WEB_ROBOTS=off:${context.about.source}`,
    );
  return crawlDelayMs;
}

async function waitForSlot(
  policies: HopPolicies,
  context: HopContext,
  host: string,
  crawlDelayMs: number,
): Promise<PaceSlot> {
  const { pace: store, random } = policies;
  if (store === null) throw new AppError('internal');
  const { limits } = context;
  const pace = crawlDelayMs > context.pace.delayMs ? { ...context.pace, delayMs: crawlDelayMs } : context.pace;
  const order: PaceOrder = {
    host,
    exits: context.exits(),
    ...(context.isPrivate === undefined ? {} : { isPrivate: context.isPrivate }),
    concurrency: pace.concurrency,
    gapMs: gapMs(pace, random),
    maxWaitMs: context.maxPaceWaitMs,
    signal: limits.signal,
  };
  const asked = performance.now();
  const hasTurn = context.ledger.waits(store);
  let place: PaceSlot | undefined;
  try {
    place = await store.reserve(order);
    while (place.waitMs > 0) {
      await sleep(place.waitMs, undefined, { signal: limits.signal });
      place = await store.renew(order, place);
      if (place.waitMs > context.maxPaceWaitMs) {
        throw new AppError(
          'rate_limited',
          `Waiting for ${host}: it asked for a pause of ${Math.ceil(place.waitMs / 1_000)} s`,
          {
            retryAfterMs: place.waitMs,
            details: { paced: true },
          },
        );
      }
    }
  } catch (error) {
    if (place !== undefined) store.release(host, place, { kind: 'failed', latencyMs: 0 });
    throw limits.signal.aborted ? new AppError('cancelled') : refusal(context, error);
  } finally {
    hasTurn();
  }
  // Waiting for one's turn is not the page's time.
  const waitedMs = performance.now() - asked;
  limits.deadlineAt += waitedMs;
  policies.onPaceWaited(waitedMs / 1_000);
  return place;
}

function refusal({ goesBack }: HopContext, thrown: unknown): unknown {
  const error = asAppError(thrown);
  if (!goesBack || error.details?.paced !== true) return thrown;
  const details = { ...error.details, goesBack };
  return new AppError(error.code, error.message, { retryAfterMs: error.retryAfterMs ?? 0, details });
}

function outcomeOf(answer: HttpResponse, latencyMs: number): PaceOutcome {
  if (answer.status === 429 || answer.status === 503) {
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], Date.now());
    return { kind: 'throttled', latencyMs, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return { kind: answer.status < 400 ? 'ok' : 'failed', latencyMs };
}

// Accepts searches of job sites: one run, one task per site. Equal running searches are shared; finished ones are not reused, because a repeated search
// wants new postings.
import { randomBytes } from 'node:crypto';
import { keyOf } from '../../model/ids.ts';
import { urlOption } from '../../store/runs/run-events.ts';
import type { Accepted } from '../../store/submissions/submit.ts';
import { askedBy, type IntakeContext, type IntakeOptions } from './intake.ts';

export interface ScrapeRequest {
  /** Parameters as the source's own schema has checked them. */
  sites: { name: string; params: Record<string, unknown> }[];
  priority: number;
  trigger: 'manual' | 'schedule';
  maxRetries?: number;
  /** Proxies of the caller, with their passwords: only in the tasks and nowhere else. */
  proxies?: readonly string[];
  /** Receives an event when the run has ended; already checked. */
  webhookUrl?: string | null;
  /** The request, stored with the run. */
  options: Record<string, unknown>;
}

const PREFIX = { manual: 'manual', schedule: 'sched' } as const;

export const scrapeRunId = (trigger: keyof typeof PREFIX): string =>
  `${PREFIX[trigger]}_${randomBytes(8).toString('hex')}`;

export type SubmitScrape = (request: ScrapeRequest, context: IntakeContext) => Promise<Accepted>;

export function createScrapeIntake({ store, wire, laneOf, ...limits }: IntakeOptions): SubmitScrape {
  return async (request, context) => {
    // Part of the key: an equal search of another caller must not use these proxies.
    const proxies = request.proxies?.length ? { proxies: request.proxies } : {};
    const sites = request.sites.map(({ name, params }) => ({ name, params: { ...params, ...proxies } }));
    const accepted = await store.submit({
      runId: scrapeRunId(request.trigger),
      kind: 'posting',
      itemKind: 'posting',
      trigger: request.trigger,
      ...askedBy(context),
      options: { ...request.options, ...urlOption(request.webhookUrl) },
      tasks: sites.map(({ name, params }) => ({
        key: paramsKey(name, params),
        source: name,
        lane: laneOf(name),
        params,
        priority: request.priority,
        maxRetries: request.maxRetries ?? limits.maxRetries,
        timeoutSeconds: limits.taskTimeoutSeconds,
        ref: { site: name },
      })),
      maxAgeSeconds: 0,
    });
    wire.wake();
    return accepted;
  };
}

export const paramsKey = (source: string, params: Record<string, unknown>): string =>
  keyOf(`${source}:${stableJson(params)}`);

/** The same text for the same parameters, in whatever order they were given. */
function stableJson(params: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))));
}

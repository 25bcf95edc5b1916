// Taking in searches of job sites: one run, one task a site. Equal searches under way are shared; finished ones are not reused, because
// who searches again wants to know what is new.
import { randomBytes } from 'node:crypto';
import { keyOf } from '../../model/ids.ts';
import { urlOption } from '../../store/runs/run-events.ts';
import type { Accepted } from '../../store/submissions/submit.ts';
import type { IntakeContext, IntakeOptions } from './intake.ts';

export interface ScrapeRequest {
  /** Parameters as the source's own schema has checked them. */
  sites: { name: string; params: Record<string, unknown> }[];
  priority: number;
  trigger: 'manual' | 'schedule';
  maxRetries?: number;
  /** The asker's own, with their passwords: they go with the tasks and nowhere else. */
  proxies?: readonly string[];
  /** Told when it has ended; the caller has had it checked. */
  webhookUrl?: string | null;
  /** What the asker sent, kept with the run. */
  options: Record<string, unknown>;
}

const PREFIX = { manual: 'manual', schedule: 'sched' } as const;

export const scrapeRunId = (trigger: keyof typeof PREFIX): string =>
  `${PREFIX[trigger]}_${randomBytes(8).toString('hex')}`;

export type SubmitScrape = (request: ScrapeRequest, context: IntakeContext) => Promise<Accepted>;

export function createScrapeIntake({ store, wire, laneOf, ...limits }: IntakeOptions): SubmitScrape {
  return async (request, context) => {
    // Part of what is asked: nobody's search leaves by another's proxies because it is otherwise the same.
    const proxies = request.proxies?.length ? { proxies: request.proxies } : {};
    const sites = request.sites.map(({ name, params }) => ({ name, params: { ...params, ...proxies } }));
    const accepted = await store.submit({
      runId: scrapeRunId(request.trigger),
      kind: 'posting',
      itemKind: 'posting',
      trigger: request.trigger,
      requestId: context.requestId,
      options: { ...request.options, ...urlOption(request.webhookUrl) },
      tasks: sites.map(({ name, params }) => ({
        key: keyOf(`${name}:${stableJson(params)}`),
        source: name,
        lane: laneOf(name),
        params,
        priority: request.priority,
        maxRetries: request.maxRetries ?? limits.maxRetries,
        timeoutSeconds: limits.taskTimeoutSeconds,
        ref: { site: name },
      })),
      maxAgeSeconds: 0,
      idempotency: context.idempotency,
    });
    wire.wake();
    return accepted;
  };
}

/** The same text for the same parameters, in whatever order they were given. */
function stableJson(params: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))));
}

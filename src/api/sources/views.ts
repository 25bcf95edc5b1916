// Sources in the API. Pure: state in, JSON out.
import { qualityFields } from '../../model/item/item-quality.ts';
import type { SourceAbout } from '../../model/source/site.ts';
import { whyUntaken, workersOf } from '../../model/source/staffing.ts';
import { latencyAt, successRate } from '../../model/source/tally.ts';
import type { WorkerBeat } from '../../model/task/messages.ts';
import type { SourceHold } from '../../store/sources/source-holds.ts';
import type { SourceTally } from '../../store/sources/source-tallies.ts';
import { healthOf } from '../searches/views.ts';

export interface KnownOfSource {
  about: SourceAbout;
  hold: SourceHold | undefined;
  /** Of the last hour and the last day. */
  hour: SourceTally | undefined;
  day: SourceTally | undefined;
  depth: { waiting: number; active: number } | undefined;
  /** Null while the wire is away. */
  workers: readonly WorkerBeat[] | null;
}

export function sourceView({ about, hold, hour, day, depth, workers }: KnownOfSource) {
  const { name, title, kind, lane, hosts, module, params } = about;
  return {
    name,
    title,
    kind,
    lane,
    hosts,
    module,
    params,
    workers: workers && workersOf(about, workers),
    waiting_reason: workers && whyUntaken(about, workers),
    health: healthOf(hour),
    paused: hold?.pausedAt ? { since: hold.pausedAt.toISOString(), reason: hold.pauseReason, by: hold.pausedBy } : null,
    breaker: breakerView(hold),
    waiting: depth?.waiting ?? 0,
    active: depth?.active ?? 0,
    last_hour: periodView(hour),
    last_day: periodView(day),
    quality: qualityView(about, day),
    last_error:
      day?.lastError && day.lastErrorAt
        ? { category: day.lastError.category, message: day.lastError.message, at: day.lastErrorAt.toISOString() }
        : null,
  };
}
export type SourceView = ReturnType<typeof sourceView>;

function breakerView(hold: SourceHold | undefined) {
  return {
    state: hold?.breaker ?? ('closed' as const),
    since: hold?.openedAt?.toISOString() ?? null,
    until: hold?.until?.toISOString() ?? null,
    opens: hold?.opens ?? 0,
    reason: hold?.trouble ?? null,
  };
}

export function periodView(tally: SourceTally | undefined) {
  const { done = 0, retried = 0, failed = 0, latencies = [] } = tally ?? {};
  const attempts = done + retried + failed;
  return {
    attempts,
    done,
    retried,
    failed,
    success_rate: successRate({ done, retried, failed }),
    latency_seconds: {
      mean: attempts === 0 ? null : Math.round(((tally?.seconds ?? 0) / attempts) * 1_000) / 1_000,
      p50: latencyAt(latencies, 0.5),
      p90: latencyAt(latencies, 0.9),
      p99: latencyAt(latencies, 0.99),
    },
    requests: tally?.requests ?? 0,
    bytes: tally?.bytes ?? 0,
    blocks: tally?.blocks ?? 0,
    captchas: tally?.captchas ?? 0,
    items: tally?.items ?? 0,
  };
}

/** The share of items that have each field; null where there was no item to look at. */
function qualityView({ kind }: SourceAbout, tally: SourceTally | undefined) {
  const items = tally?.items ?? 0;
  const share = (field: string): number => Math.round(((tally?.filled[field] ?? 0) / items) * 1_000) / 1_000;
  return {
    items,
    filled: items === 0 ? null : Object.fromEntries(qualityFields(kind).map((field) => [field, share(field)])),
  };
}

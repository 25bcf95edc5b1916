// Circuit breakers: what attempts at a source came to is judged by what all orchestrators have seen of it, and changes are written to the store, where all
// of them see those too. A source whose site answers costs nothing: its verdicts stay here, and are written with the first trouble.
// Only sources of one site have one: a source that fetches any URL would be stopped by the failure of a single site.
import {
  BREAKER,
  type BreakerPolicy,
  type BreakerState,
  reasonToOpen,
  VERDICTS_MAX,
  type Verdict,
  verdictOf,
} from '../../model/source/breaker.ts';
import type { SourceHold } from '../../store/sources/source-holds.ts';
import type { SourceHoldStore } from '../../store/sources/source-store.ts';
import type { SeenVerdict } from '../../store/sources/source-verdicts.ts';
import type { TaskSettled } from './record.ts';

export interface BreakerOptions {
  store: SourceHoldStore;
  /** Whether a source belongs to one site. */
  isGuarded(source: string): boolean;
  policy?: BreakerPolicy;
  now?: () => number;
  onChange(source: string, change: BreakerState, fields: object): void;
}

export interface Breaker {
  see(settled: TaskSettled): void;
  /** Why it was given up; null: it was not. */
  givenUp(source: string): string | null;
  step(signal: AbortSignal): Promise<void>;
}

type Unwritten = Verdict & { atMs: number };

/** Maximum number of results that wait while the store is down. */
const PENDING_MAX = 1_000;

export function createBreaker(options: BreakerOptions): Breaker {
  const { store, policy = BREAKER, now = Date.now, onChange } = options;
  const keepMs = Math.max(policy.windowMs, policy.throttled.windowMs);
  /** By source, the latest, not written yet. */
  const unwritten = new Map<string, Unwritten[]>();
  /** Sources of which the store has verdicts: those in trouble. */
  let troubled = new Set<string>();
  let holds = new Map<string, SourceHold>();
  const pending: (Verdict & { source: string })[] = [];

  const isBroken = (source: string): boolean => (holds.get(source)?.breaker ?? 'closed') !== 'closed';
  const isGivenUp = (source: string): boolean => holds.get(source)?.breaker === 'given_up';

  async function judge({ source, taskId, trouble }: Verdict & { source: string }): Promise<void> {
    if (trouble === null) {
      // Tasks sent before it opened may still succeed: only the probe counts, or any task once nothing is held back.
      const probe = isGivenUp(source) ? null : taskId;
      if (!(await store.closeBreaker({ source, probe }))) return;
      await forget(source);
      onChange(source, 'closed', {});
      await store.unparkSource(source);
      return;
    }
    const now = await store.reopenBreaker({ source, taskId, trouble, policy });
    if (now === null) return;
    onChange(source, now.breaker, { opens: now.opens, trouble });
    if (now.breaker === 'given_up') await store.unparkSource(source);
  }

  async function forget(source: string): Promise<void> {
    unwritten.delete(source);
    await store.forgetVerdicts(source);
  }

  /** Writes what is new of sources in trouble, and opens those of which enough was seen. */
  async function compare(): Promise<void> {
    const fresh: SeenVerdict[] = [];
    const written: string[] = [];
    for (const [source, verdicts] of unwritten) {
      if (!troubled.has(source) && verdicts.every(({ trouble }) => trouble === null)) continue;
      written.push(source);
      fresh.push(...verdicts.map(({ atMs, ...verdict }) => ({ ...verdict, source, ageMs: Math.max(0, now() - atMs) })));
    }
    for (const source of written) unwritten.delete(source);
    if (fresh.length > 0) await store.addVerdicts(fresh, keepMs);
    const seen = Map.groupBy(await store.recentVerdicts(keepMs), ({ source }) => source);
    troubled = new Set(seen.keys());
    for (const [source, verdicts] of seen) {
      const trouble = reasonToOpen(verdicts, policy);
      if (trouble !== null) await open(source, trouble);
    }
  }

  async function open(source: string, trouble: string): Promise<void> {
    const isOurs = await store.openBreaker({ source, trouble, policy });
    await forget(source);
    if (!isOurs) return;
    onChange(source, 'open', { opens: 1, trouble });
    await store.parkSource(source);
  }

  async function goOn({ source }: SourceHold): Promise<void> {
    const taskId = isGivenUp(source) ? null : await store.probeSource({ source, policy });
    if (taskId !== null) onChange(source, 'half_open', { task_id: taskId });
    // No task waits, or nothing was held back for long enough: close it, and the next task shows the state of the site.
    else if (await store.closeBreaker({ source, overdue: true })) onChange(source, 'closed', {});
  }

  return {
    givenUp: (source) => (isGivenUp(source) ? (holds.get(source)?.trouble ?? 'trouble') : null),
    see({ result, outcome }) {
      const source = result.scraper_type;
      if (outcome === 'stale' || !options.isGuarded(source)) return;
      const verdict = verdictOf(result.task_id, result.status === 'failed' ? result.error : null);
      if (verdict === null) return;
      if (isBroken(source)) {
        if (pending.length < PENDING_MAX) pending.push({ ...verdict, source });
        return;
      }
      const verdicts = unwritten.get(source) ?? [];
      unwritten.set(source, verdicts);
      verdicts.push({ ...verdict, atMs: now() });
      if (verdicts.length > VERDICTS_MAX) verdicts.shift();
    },
    async step(signal) {
      for (; pending.length > 0; pending.shift()) await judge(pending[0]!);
      await compare();
      const listed = await store.listHolds();
      holds = new Map(listed.map((hold) => [hold.source, hold]));
      for (const hold of listed) {
        if (signal.aborted) return;
        if (hold.breaker !== 'closed' && hold.isOver && hold.pausedAt === null) await goOn(hold);
      }
    },
  };
}

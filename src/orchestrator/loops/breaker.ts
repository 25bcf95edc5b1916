// Circuit breakers: results go into the window of their source, and changes are written to the store, where all orchestrators see them.
// Only sources of one site have one: a source that fetches any URL would be stopped by the failure of a single site.
import {
  BREAKER,
  type BreakerPolicy,
  type BreakerState,
  createWindow,
  isTrouble,
  type Window,
} from '../../model/source/breaker.ts';
import type { SourceHold } from '../../store/sources/source-holds.ts';
import type { SourceHoldStore } from '../../store/sources/source-store.ts';
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
  isGivenUp(source: string): boolean;
  step(signal: AbortSignal): Promise<void>;
}

interface Verdict {
  source: string;
  taskId: string;
  trouble: string | null;
}

/** Maximum number of results that wait while the store is down. */
const PENDING_MAX = 1_000;

export function createBreaker(options: BreakerOptions): Breaker {
  const { store, policy = BREAKER, now = Date.now, onChange } = options;
  const windows = new Map<string, Window>();
  let holds = new Map<string, SourceHold>();
  const pending: Verdict[] = [];
  const tripped = new Map<string, string>();

  const isBroken = (source: string): boolean => (holds.get(source)?.breaker ?? 'closed') !== 'closed';
  const isGivenUp = (source: string): boolean => holds.get(source)?.breaker === 'given_up';

  async function judge({ source, taskId, trouble }: Verdict): Promise<void> {
    if (trouble === null) {
      // Tasks sent before it opened may still succeed: only the probe counts, or any task once nothing is held back.
      const probe = isGivenUp(source) ? null : taskId;
      if (!(await store.closeBreaker({ source, probe }))) return;
      windows.delete(source);
      onChange(source, 'closed', {});
      await store.unparkSource(source);
      return;
    }
    const now = await store.reopenBreaker({ source, taskId, trouble, policy });
    if (now === null) return;
    onChange(source, now.breaker, { opens: now.opens, trouble });
    if (now.breaker === 'given_up') await store.unparkSource(source);
  }

  async function open(source: string, trouble: string): Promise<void> {
    windows.delete(source);
    if (!(await store.openBreaker({ source, trouble, policy }))) return;
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
    isGivenUp,
    see({ result, outcome, category }) {
      const source = result.scraper_type;
      if (outcome === 'stale' || !options.isGuarded(source)) return;
      const trouble = isTrouble(category) ? (result.error?.message ?? String(category)) : null;
      if (isBroken(source)) {
        if (pending.length < PENDING_MAX) pending.push({ source, taskId: result.task_id, trouble });
        return;
      }
      const window = windows.get(source) ?? createWindow(policy);
      windows.set(source, window);
      window.see({ taskId: result.task_id, isTrouble: trouble !== null, atMs: now() });
      if (trouble !== null && window.isTripped(now())) tripped.set(source, trouble);
    },
    async step(signal) {
      for (; pending.length > 0; pending.shift()) await judge(pending[0]!);
      for (const [source, trouble] of [...tripped]) {
        await open(source, trouble);
        tripped.delete(source);
      }
      const listed = await store.listHolds();
      holds = new Map(listed.map((hold) => [hold.source, hold]));
      for (const hold of listed) {
        if (signal.aborted) return;
        if (hold.breaker !== 'closed' && hold.isOver && hold.pausedAt === null) await goOn(hold);
      }
    },
  };
}

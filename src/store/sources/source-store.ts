// Interfaces of the store for sources: health, pauses and circuit breakers.
import type { Pool } from 'pg';
import type { BreakerPolicy } from '../../model/source/breaker.ts';
import type { Tally } from '../../model/source/tally.ts';
import { bindAll } from '../postgres/bind.ts';
import {
  closeBreaker,
  listHolds,
  openBreaker,
  parkSource,
  pauseSource,
  probeSource,
  reopenBreaker,
  resumeSource,
  type SourceHold,
  sourceDepths,
  unparkSource,
} from './source-holds.ts';
import { type SourceChange, tellSources } from './source-states.ts';
import { type SourceStats, sourceStats } from './source-stats.ts';
import { addTallies, type SourceTally, sourceTallies } from './source-tallies.ts';
import { addVerdicts, forgetVerdicts, recentVerdicts, type SeenVerdict } from './source-verdicts.ts';

/** How sources do. */
export interface SourceStore {
  /** What ended within the last minutes, by source. */
  sourceStats(minutes: number): Promise<SourceStats[]>;
  /** Adds what was counted to the slot of this time. */
  addTallies(slot: Date, tallies: ReadonlyMap<string, Tally>): Promise<void>;
  /** Added up by source, and by bucket where one is named. */
  sourceTallies(options: {
    from: Date;
    to: Date;
    bucket: 'hour' | 'day' | 'week' | null;
    sources?: readonly string[];
  }): Promise<SourceTally[]>;
  /** Tasks that wait or are with a worker, by source; reads the whole queue, so callers cache it. */
  sourceDepths(): Promise<Map<string, { waiting: number; active: number }>>;
  /** Looks only where somebody wants to know: it reads every task that ended lately. */
  tellSources(options: { minutes: number }): Promise<SourceChange[]>;
}

/** Sources that are paused, or whose breaker is open. The state is shared by all processes. */
export interface SourceHoldStore {
  /** All of them; a source that nothing holds back has none. */
  listHolds(): Promise<SourceHold[]>;
  /** A second pause changes the reason and who it was, and nothing else. */
  pauseSource(source: string, reason: string | null, by?: string | null): Promise<void>;
  /** Returns whether it was paused. Its tasks still wait; `unparkSource` releases them. */
  resumeSource(source: string): Promise<boolean>;
  /** Parks the ready tasks of a source, so that dispatch does not read them one by one; returns how many there were. */
  parkSource(source: string): Promise<number>;
  /** Releases the waiting tasks of a source; returns how many there were. */
  unparkSource(source: string): Promise<number>;
  /** Verdicts on sources in trouble, of all orchestrators together. */
  addVerdicts(verdicts: readonly SeenVerdict[], keepMs: number): Promise<void>;
  recentVerdicts(withinMs: number): Promise<SeenVerdict[]>;
  forgetVerdicts(source: string): Promise<void>;
  /** Returns whether it is this call that opened it. */
  openBreaker(options: { source: string; trouble: string; policy: BreakerPolicy }): Promise<boolean>;
  /**
   * Open long enough (or a probe that was never heard of): lets one waiting task go. Returns its id; null when another orchestrator was first, or when
   * nobody waits for this source.
   */
  probeSource(options: { source: string; policy: BreakerPolicy }): Promise<string | null>;
  /** The probe failed: open for twice as long, or given up. Returns which; null when it was not the probe. */
  reopenBreaker(options: {
    source: string;
    taskId: string;
    trouble: string;
    policy: BreakerPolicy;
  }): Promise<Pick<SourceHold, 'breaker' | 'opens'> | null>;
  /** `probe`: only if this task is the one that was sent to find out. `overdue`: only if its time is over. */
  closeBreaker(options: { source: string; probe?: string | null; overdue?: boolean }): Promise<boolean>;
}

export const sourceStore = (pool: Pool): SourceStore & SourceHoldStore =>
  bindAll(pool, {
    sourceStats,
    addTallies,
    sourceTallies,
    sourceDepths,
    tellSources,
    listHolds,
    pauseSource,
    resumeSource,
    parkSource,
    unparkSource,
    addVerdicts,
    recentVerdicts,
    forgetVerdicts,
    openBreaker,
    probeSource,
    reopenBreaker,
    closeBreaker,
  });

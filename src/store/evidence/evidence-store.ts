// Interface of the store for evidence of failures.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import {
  type Evidence,
  type EvidenceFilter,
  type EvidenceLimits,
  evidenceFile,
  evidenceOfTasks,
  forgetEvidence,
  getEvidence,
  listEvidence,
  type NewEvidence,
  newestEvidence,
  oldEvidence,
  saveEvidence,
  surplusEvidence,
  suspectEvidence,
} from './evidence.ts';

/** For screens. */
export interface EvidenceStore {
  /** Newest first. `before`: the `seq` of the last one of the page before. */
  listEvidence(options: EvidenceFilter & { limit: number; before: string | null }): Promise<Evidence[]>;
  getEvidence(id: string): Promise<Evidence | null>;
  /** By task, in the order of the attempts. */
  evidenceOfTasks(taskIds: string[]): Promise<Evidence[]>;
  /** The newest of each of these causes. */
  newestEvidence(causes: { source: string; code: string }[], owner: string | null): Promise<Evidence[]>;
  /** Pages of results of these runs that look wrong. */
  suspectEvidence(runIds: string[]): Promise<Evidence[]>;
  /** Null: it is not in the database. */
  evidenceFile(id: string, part: 'page' | 'screenshot'): Promise<Buffer | null>;
}

/** For whoever keeps it. */
export interface EvidenceKeepingStore {
  /** False if it was stored before. Its files are stored too if `place` is the database. */
  saveEvidence(one: NewEvidence): Promise<boolean>;
  oldEvidence(limits: EvidenceLimits): Promise<Evidence[]>;
  surplusEvidence(of: { source: string; code: string; keep: number; batch: number }): Promise<Evidence[]>;
  /** Returns how many were there. */
  forgetEvidence(ids: string[]): Promise<number>;
}

export const evidenceStore = (pool: Pool): EvidenceStore & EvidenceKeepingStore =>
  bindAll(pool, {
    listEvidence,
    getEvidence,
    evidenceOfTasks,
    newestEvidence,
    suspectEvidence,
    evidenceFile,
    saveEvidence,
    oldEvidence,
    surplusEvidence,
    forgetEvidence,
  });

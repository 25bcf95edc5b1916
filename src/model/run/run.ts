// A run: one accepted request for work. Its state transitions are a table, so that a late result or a second cancel can never restart it.
import { z } from 'zod';

import type { Waiting } from './why-waits.ts';

export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export interface Run {
  id: string;
  kind: string;
  status: RunStatus;
  total: number;
  cached: number;
  completed: number;
  failed: number;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
  requestId: string | null;
  /** Of the key that asked; null: nobody in particular. */
  owner: string | null;
}

/** The status a run has once `completed` and `failed` of `total` tasks are in; the store applies the same rule in SQL. */
export function statusAfter(run: { total: number; completed: number; failed: number }): RunStatus {
  if (run.completed + run.failed < run.total) return 'running';
  return run.completed === 0 && run.failed > 0 ? 'failed' : 'completed';
}

/** The update that subscribers get when a run changes. Superseded states may be dropped; a final one never. */
export const RunUpdate = z.object({
  runId: z.string(),
  kind: z.string(),
  status: z.enum(RUN_STATUSES),
  total: z.number().int(),
  completed: z.number().int(),
  failed: z.number().int(),
  /** The item that caused the move, when one did. */
  itemId: z.string().nullable(),
  /** What the run was asked for with, where it is known. */
  requestId: z.string().nullable().optional(),
  /** Who may be told; null and left out: only those who see everybody's. */
  owner: z.string().nullable().optional(),
});
export type RunUpdate = z.infer<typeof RunUpdate> & {
  /** Why nothing of it moves, where that was looked up; null: it moves. */
  waiting?: Waiting | null;
  /** From accepting it until its end, for metrics. */
  seconds?: number;
  /** The span that the run began with, if it is traced. */
  traceparent?: string;
};

export const isFinal = (status: RunStatus): boolean => status !== 'running';

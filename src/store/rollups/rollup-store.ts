// Interface of the store for roll-ups.
import type { Pool } from 'pg';
import { bindAll } from '../postgres/bind.ts';
import { type RollUpOptions, rollUp } from './roll-up.ts';

export interface RollupStore {
  /** Makes roll-ups anew that are due, the newest first, one at a time; says how many. One process is enough, several do no harm. */
  rollUp(options: RollUpOptions): Promise<number>;
}

export const rollupStore = (pool: Pool): RollupStore => bindAll(pool, { rollUp });

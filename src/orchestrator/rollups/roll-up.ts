// Rolling up: a little at a time, by one orchestrator.
import type { MarkStore } from '../../store/marks.ts';
import type { RollupStore } from '../../store/rollups/rollup-store.ts';

export const ROLL_UP_EVERY_MS = 5_000;
/** Of the time between two steps; a bucket that was begun is finished. */
const BUDGET_MS = 1_500;
/** A bucket that changes all the time takes two percent of one core. */
const REST = 50;

export function createRollUp(
  store: RollupStore & Pick<MarkStore, 'takeTurn'>,
  onRolledUp: (buckets: number) => void,
): () => Promise<void> {
  return async () => {
    if (!(await store.takeTurn('roll-up', (ROLL_UP_EVERY_MS / 1_000) * 0.9))) return;
    const buckets = await store.rollUp({ budgetMs: BUDGET_MS, rest: REST });
    if (buckets > 0) onRolledUp(buckets);
  };
}

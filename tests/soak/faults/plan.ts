// Which faults strike when: rounds of one to three faults of different groups, which overlap. Each group is a pack of cards that is dealt to its end
// before it is shuffled again, so that a long soak meets every fault.
import type { Random } from '../../support/random.ts';
import { between, type Fault, type FaultGroup } from './fault.ts';
import { postgresFaults } from './postgres.ts';
import { apiFaults, orchestratorFaults, workerFaults } from './processes.ts';
import { redisFaults } from './redis.ts';
import { siteFaults } from './sites.ts';

export const GROUPS: FaultGroup[] = [
  redisFaults,
  postgresFaults,
  workerFaults,
  orchestratorFaults,
  apiFaults,
  siteFaults,
];
/** Redis and PostgreSQL have most of the faults. */
const WEIGHTS = [3, 3, 2, 1, 1, 1];

export interface Planned {
  fault: Fault;
  afterMs: number;
  random: Random;
}

/** The next round each time it is called. */
export function faultPlan(random: Random): () => Planned[] {
  const packs = GROUPS.map(() => [] as Fault[]);
  const deal = (group: number): Fault => {
    if (packs[group]!.length === 0) packs[group] = random.some(GROUPS[group]!, GROUPS[group]!.length);
    return packs[group]!.pop()!;
  };
  return () => {
    const hat = WEIGHTS.flatMap((weight, group) => Array.from({ length: weight }, () => group));
    const groups = new Set(random.some(hat, 1 + random.below(3)));
    return [...groups].map((group) => ({
      fault: deal(group),
      afterMs: between(random, 0, 4),
      random: random.fork(),
    }));
  };
}

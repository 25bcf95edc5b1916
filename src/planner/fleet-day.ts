// A day of a fleet, minute by minute: pages come as they do in a day (least at night, most in the busiest hour), the fleet does as many as its weakest part can, and
// the rest waits. A part can be away for a while, which is what the room to spare is for. The same rates predict a bench: `rateOf`.
import { costsFor, type FleetInput, type FleetPlan } from './fleet.ts';
import type { FleetCosts } from './fleet-costs.ts';

export interface FleetSize {
  workers: number;
  slots: number;
  secondsPerPage: number;
  /** Cores that all processes share; each part on machines of its own has none to share. */
  sharedCores?: number;
}

/** Pages a second that so many workers do, and what stops them from doing more. */
export function rateOf(size: FleetSize, costs: FleetCosts): { rate: number; by: 'slots' | 'processor' } {
  const slots = (size.workers * size.slots) / size.secondsPerPage;
  if (size.sharedCores === undefined) return { rate: slots, by: 'slots' };
  const perPage = Object.values(costs.cpuMs).reduce((sum, ms) => sum + ms, 0) / 1_000;
  const { api, orchestrator, worker, postgres, redis } = costs.idleCpu;
  const free = size.sharedCores - api - orchestrator - postgres - redis - size.workers * worker;
  const processor = Math.max(0, free) / perPage;
  return slots <= processor ? { rate: slots, by: 'slots' } : { rate: processor, by: 'processor' };
}

export interface Outage {
  /** Minutes into the busiest hour. */
  minutes: number;
}

export interface FleetDay {
  /** Pages that wait at the worst minute. */
  worstBacklog: number;
  /** How long the page waits that comes at that minute. */
  worstWaitSeconds: number;
  /** From the end of the outage until nothing waits; null where that is not reached on the same day. */
  recoveredAfterMinutes: number | null;
}

const MINUTES = 1_440;
const BUSIEST = 15 * 60;

/** How much comes in a minute, next to the mean of the day: `peak` at three in the afternoon, least twelve hours before. */
export function shareOf(minute: number, peak: number): number {
  const wave = (1 + Math.cos(((minute - BUSIEST) / MINUTES) * 2 * Math.PI)) / 2;
  // The higher the peak, the narrower: its mean over the day must not be more than all of the day.
  let [power, mean] = [1, 1 / 2];
  while (mean * peak > 1) {
    power += 1;
    mean *= (2 * power - 1) / (2 * power);
  }
  const least = (1 - peak * mean) / (1 - mean);
  return least + (peak - least) * wave ** power;
}

/** What all parts of a plan can do in a second, with nothing spared. */
export function capacityOf(plan: FleetPlan, input: FleetInput, measured: FleetCosts): number {
  const costs = costsFor(measured, input.pageKb);
  const workers = plan.parts.find(({ part }) => part === 'worker')!.processes;
  const slots = (workers * input.slots) / input.secondsPerPage;
  const byParts = plan.parts.map(({ part, processes }) => {
    const cores = processes * ((part === 'worker' ? 2 : 1) - costs.idleCpu[part]);
    return cores / (costs.cpuMs[part] / 1_000);
  });
  return Math.min(slots, ...byParts, ...plan.limits.map(({ fullAt }) => fullAt));
}

/** The day of so many pages on a fleet that does `capacity` a second; during the outage it does none, and everything is still accepted. */
export function dayOf(
  { pagesPerDay, peak }: Pick<FleetInput, 'pagesPerDay' | 'peak'>,
  capacity: number,
  outage: Outage,
): FleetDay {
  const perMinute = pagesPerDay / MINUTES;
  const ends = BUSIEST + outage.minutes;
  let backlog = 0;
  let worstBacklog = 0;
  let recovered: number | null = null;
  for (let minute = 0; minute < MINUTES; minute++) {
    const isOut = minute >= BUSIEST && minute < ends;
    const came = perMinute * shareOf(minute, peak);
    backlog = Math.max(0, backlog + came - (isOut ? 0 : capacity * 60));
    worstBacklog = Math.max(worstBacklog, backlog);
    if (recovered === null && minute >= ends && backlog === 0) recovered = minute - ends + 1;
  }
  return { worstBacklog, worstWaitSeconds: worstBacklog / capacity, recoveredAfterMinutes: recovered };
}

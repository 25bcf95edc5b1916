// What a page costs each part of a fleet, as `npm run bench -- fleet` measured it. BENCH_COSTS=<file> keeps those of a machine; the ones that come with Windrow are in
// fleet-costs.json, beside the processor they were measured on.
import { z } from 'zod';
import measured from './fleet-costs.json' with { type: 'json' };

const amount = z.number().nonnegative();
const parts = z.strictObject({ api: amount, orchestrator: amount, worker: amount, postgres: amount, redis: amount });

export const fleetCosts = z.strictObject({
  /** The processor and the version they hold for. */
  measuredOn: z.string(),
  /** Of the pages it was measured with, as they were sent. */
  pageKb: z.number().positive(),
  /** CPU milliseconds of each part for one page: submitted, dispatched, fetched, read, recorded. */
  cpuMs: parts,
  walBytes: amount,
  /** What stays in the database of one page, with its indexes. */
  storedBytes: amount,
  /** Both directions. */
  redisBytes: amount,
  /** CPU-seconds a second of each process without work. */
  idleCpu: parts,
  redisConnections: z.strictObject({ api: amount, orchestrator: amount, worker: amount }),
  /** Resident: of a process, and of a worker for each slot that is in use. */
  memoryMb: z.strictObject({ api: amount, orchestrator: amount, worker: amount, slot: amount }),
});

export type FleetCosts = z.infer<typeof fleetCosts>;

export const MEASURED_COSTS: FleetCosts = measured;

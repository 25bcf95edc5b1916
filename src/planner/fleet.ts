// What a fleet needs for so many pages a day, reckoned from what a page costs each part (fleet-costs.json, written by `npm run bench -- fleet`). Parts that can be
// multiplied are given as many as the busiest hour needs, with room to spare; those of which there is one (PostgreSQL, Redis, the disk) say at which rate they are
// full. What a reader would get wrong: costs are of one kind of processor and one size of page; both can be said, and neither is known for another machine.
import type { FleetCosts } from './fleet-costs.ts';

export interface FleetInput {
  pagesPerDay: number;
  /** The busiest hour, next to the mean of the day. */
  peak: number;
  /** From the first byte asked for to the last that came. */
  secondsPerPage: number;
  slots: number;
  pageKb: number;
  coresPerMachine: number;
  /** Cores of the one PostgreSQL. */
  postgresCores: number;
  /** What its disk writes, for WAL. */
  diskMbPerSecond: number;
  maxConnections: number;
  /** Of each API process and each orchestrator. */
  connectionsOfProcess: number;
  retentionDays: number;
  /** Share of everything that is left free in the busiest hour. */
  headroom: number;
  /** Pages that one site allows a second: what it takes in sites. */
  pagesPerSecondOfSite: number;
}

export type PartName = 'api' | 'orchestrator' | 'worker';

export interface FleetPart {
  part: PartName;
  processes: number;
  /** CPU cores of all of them in the busiest hour. */
  cores: number;
  memoryGb: number;
}

export interface FleetLimit {
  part: 'PostgreSQL: processor' | 'PostgreSQL: WAL on the disk' | 'PostgreSQL: connections' | 'Redis: one core';
  /** Share of it in use in the busiest hour. */
  used: number;
  /** Pages a second at which it is full, with nothing spared. */
  fullAt: number;
  remedy: string;
}

export interface FleetPlan {
  pagesPerSecond: number;
  busiestPagesPerSecond: number;
  parts: FleetPart[];
  machines: number;
  postgres: { cores: number; walMbPerSecond: number; storedGbPerMonth: number; keptGb: number; connections: number };
  redis: { cores: number; mbPerSecond: number; connections: number };
  sites: number;
  /** The first to be full comes first. */
  limits: FleetLimit[];
}

/** One process of ours runs JavaScript on one core; the threads that read pages are on others. */
const CORES_OF_PROCESS = { api: 1, orchestrator: 1, worker: 2 } as const;
const FEWEST = { api: 2, orchestrator: 2, worker: 1 } as const;
const DAY_SECONDS = 86_400;
const MONTH_DAYS = 30;

const REMEDY: Record<FleetLimit['part'], string> = {
  'PostgreSQL: processor':
    'read lists, exports and analytics from a replica (DATABASE_READ_URL), then a larger server. Past the largest: a second Windrow for other sources or owners',
  'PostgreSQL: WAL on the disk':
    'a faster disk for the WAL. Keep fewer days (RUN_RETENTION_DAYS, ARTICLE_RETENTION_DAYS) and export old items to Parquet',
  'PostgreSQL: connections': 'PgBouncer in transaction mode (?pgbouncer=true in DATABASE_URL)',
  'Redis: one core':
    'a second Windrow for other sources or owners, with a Redis of its own. Redis Cluster is not supported: streams of all lanes are read as one',
};

/** Reading a page takes longer the more of it there is; all else does not know its size. */
export function costsFor(costs: FleetCosts, pageKb: number): FleetCosts {
  return { ...costs, pageKb, cpuMs: { ...costs.cpuMs, worker: (costs.cpuMs.worker * pageKb) / costs.pageKb } };
}

export function planFleet(input: FleetInput, measured: FleetCosts): FleetPlan {
  const costs = costsFor(measured, input.pageKb);
  const mean = input.pagesPerDay / DAY_SECONDS;
  const busiest = mean * input.peak;
  const usable = 1 - input.headroom;
  const sizeOf = (part: PartName): FleetPart => {
    const perProcess = CORES_OF_PROCESS[part] * usable;
    const byCpu = (busiest * costs.cpuMs[part]) / 1_000 / Math.max(0.01, perProcess - costs.idleCpu[part]);
    const bySlots = part === 'worker' ? (busiest * input.secondsPerPage) / (input.slots * usable) : 0;
    const processes = Math.max(FEWEST[part], Math.ceil(byCpu), Math.ceil(bySlots));
    const slots = part === 'worker' ? input.slots : 0;
    return {
      part,
      processes,
      cores: (busiest * costs.cpuMs[part]) / 1_000 + processes * costs.idleCpu[part],
      memoryGb: (processes * (costs.memoryMb[part] + slots * costs.memoryMb.slot)) / 1_024,
    };
  };
  const parts = [sizeOf('worker'), sizeOf('api'), sizeOf('orchestrator')];
  const countOf = (part: PartName): number => parts.find((one) => one.part === part)!.processes;
  const sum = (byPart: Partial<Record<PartName, number>>): number =>
    Object.entries(byPart).reduce((total, [part, each]) => total + countOf(part as PartName) * each, 0);
  const connections = (countOf('api') + countOf('orchestrator')) * input.connectionsOfProcess;
  const postgresCores = costs.idleCpu.postgres + (busiest * costs.cpuMs.postgres) / 1_000;
  const redisCores = costs.idleCpu.redis + (busiest * costs.cpuMs.redis) / 1_000;
  const walMb = (busiest * costs.walBytes) / 1e6;
  const limit = (part: FleetLimit['part'], used: number): FleetLimit => ({
    part,
    used,
    fullAt: used === 0 ? Number.POSITIVE_INFINITY : busiest / used,
    remedy: REMEDY[part],
  });
  const storedGbPerDay = (input.pagesPerDay * costs.storedBytes) / 1e9;
  return {
    pagesPerSecond: mean,
    busiestPagesPerSecond: busiest,
    parts,
    machines: Math.ceil(parts.reduce((total, { cores }) => total + cores, 0) / (input.coresPerMachine * usable)),
    postgres: {
      cores: postgresCores,
      walMbPerSecond: walMb,
      storedGbPerMonth: storedGbPerDay * MONTH_DAYS,
      keptGb: storedGbPerDay * input.retentionDays,
      connections,
    },
    redis: {
      cores: redisCores,
      mbPerSecond: (busiest * costs.redisBytes) / 1e6,
      connections: sum(costs.redisConnections),
    },
    sites: Math.ceil(busiest / input.pagesPerSecondOfSite),
    limits: [
      limit('PostgreSQL: processor', postgresCores / input.postgresCores),
      limit('PostgreSQL: WAL on the disk', walMb / input.diskMbPerSecond),
      limit('PostgreSQL: connections', connections / input.maxConnections),
      limit('Redis: one core', redisCores),
    ].sort((a, b) => b.used - a.used),
  };
}

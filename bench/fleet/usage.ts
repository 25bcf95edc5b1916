// What the parts of a fleet have used so far: CPU of processes with all they started, bytes of WAL, of the database and through Redis, connections, memory.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import type { Sql } from '../../tests/support/invariants.ts';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** After the name of the program, which may have spaces: state, parent, …, user and system time of itself and of the children that have ended. */
function statOf(pid: string | number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return null;
  }
}

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    const parent = Number(statOf(name)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree: number[] = [];
  for (const queue = [root]; queue.length > 0; ) {
    const pid = queue.shift()!;
    tree.push(pid);
    queue.push(...(children.get(pid) ?? []));
  }
  return tree;
}

/** CPU-seconds of a process and all that it started, whether they have ended or not. */
export function cpuOf(root: number): number {
  const ticks = treeOf(root).flatMap((pid) => {
    const stat = statOf(pid);
    return stat ? [Number(stat[11]) + Number(stat[12]) + Number(stat[13]) + Number(stat[14])] : [];
  });
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}

/** Resident megabytes of a process and all that it started. */
export function residentMb(root: number): number {
  const pages = treeOf(root).flatMap((pid) => {
    const kb = /VmRSS:\s+(\d+)/.exec(readable(`/proc/${pid}/status`))?.[1];
    return kb ? [Number(kb)] : [];
  });
  return pages.reduce((sum, kb) => sum + kb, 0) / 1_024;
}

function readable(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export interface ServerUse {
  walBytes: number;
  storedBytes: number;
  redisBytes: number;
}

export async function serverUse(sql: Sql, redis: Redis): Promise<ServerUse> {
  const [row] = await sql<{ wal: string; stored: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal, pg_database_size(current_database()) as stored",
  );
  const stats = await redis.info('stats');
  const through = (name: string): number => Number(new RegExp(`${name}:(\\d+)`).exec(stats)![1]);
  return {
    walBytes: Number(row!.wal),
    storedBytes: Number(row!.stored),
    redisBytes: through('total_net_input_bytes') + through('total_net_output_bytes'),
  };
}

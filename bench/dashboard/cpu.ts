// CPU seconds that processes, and the sessions of PostgreSQL that serve this database, have used since a reading before. A session that began or ended in between does
// not count: pools keep theirs.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type pg from 'pg';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Seconds by process. */
export type Reading = ReadonlyMap<number, number>;

export async function readCpu(pids: readonly number[], client: pg.Client): Promise<Reading> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const all = [...pids, ...rows.map(({ pid }) => pid)];
  return new Map(all.flatMap((pid) => ((seconds) => (seconds === null ? [] : [[pid, seconds]]))(cpuSeconds(pid))));
}

export function secondsSince(before: Reading, now: Reading): number {
  return [...now].reduce((sum, [pid, seconds]) => sum + (before.has(pid) ? seconds - before.get(pid)! : 0), 0);
}

function cpuSeconds(pid: number): number | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

// CPU seconds of processes, and of the sessions of PostgreSQL that serve this database: pools keep theirs, so nothing is lost between two readings.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type pg from 'pg';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function cpuSeconds(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export async function cpuSecondsOf(pids: readonly number[], client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return [...pids, ...rows.map(({ pid }) => pid)].reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

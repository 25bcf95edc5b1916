// The processes below one of ours, from /proc: what a browser weighs, and what is left of it after a crash. Elsewhere than on Linux
// nothing is known, and the caller does without.
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  pid: number;
  parent: number;
  group: number;
  isZombie: boolean;
}

export function processTable(): Process[] {
  if (process.platform !== 'linux') return [];
  const table: Process[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const fields = readOrEmpty(`/proc/${pid}/stat`).split(') ')[1]?.split(' ');
    if (fields === undefined) continue;
    table.push({ pid, isZombie: fields[0] === 'Z', parent: Number(fields[1]), group: Number(fields[2]) });
  }
  return table;
}

/** Our own children whose command line holds the mark, and everything below them. */
export function markedProcesses(mark: string): Process[] {
  const table = processTable();
  const roots = table.filter(({ pid }) => readOrEmpty(`/proc/${pid}/cmdline`).includes(mark));
  const found = new Map(roots.map((root) => [root.pid, root]));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of table) if (found.has(entry.parent)) found.set(entry.pid, entry);
  }
  return [...found.values()];
}

/** Memory of these processes with shared pages divided among their users. */
export function memoryBytes(processes: { pid: number }[]): number {
  const kilobytes = processes.map(({ pid }) =>
    Number(/^Pss:\s+(\d+)/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, kb) => sum + kb, 0) * 1024;
}

/** A process may end between listing and reading. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

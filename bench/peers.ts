// Runs peers as processes of their own, interleaved (A, B, A, B, …), and takes medians: on a shared machine only the ratio of neighbours in
// time means something.
import { spawn } from 'node:child_process';

export interface Sample {
  rate: number;
  [more: string]: number;
}

/** A peer prints one JSON object as its last line. */
export function runPeer(file: URL, env: Record<string, string>, flags: readonly string[] = []): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, file.pathname], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.on('exit', (code) => {
      if (code !== 0) return reject(new Error(`${file.pathname} ended with ${code}`));
      resolve(JSON.parse(out.trim().split('\n').at(-1)!) as Sample);
    });
  });
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

export function row(...cells: (string | number)[]): void {
  console.log(
    `| ${cells.map((cell) => (typeof cell === 'number' ? Math.round(cell).toLocaleString('en') : cell)).join(' | ')} |`,
  );
}

/** CPU-seconds of this process so far, all threads, user and system. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

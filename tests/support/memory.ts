// What is really in use: after everything that nobody refers to is gone.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Memory {
  heapMb: number;
  rssMb: number;
}

const MB = 1024 * 1024;

export async function memoryInUse(): Promise<Memory> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice, with a turn of the event loop between: what a finalizer releases is gone after the second.
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapMb: Math.round((heapUsed / MB) * 10) / 10, rssMb: Math.round(rss / MB) };
}

// (c) How many jobs a second the API accepts, each answered after its commit to PostgreSQL, beside a Fastify server that only sends the body back. Server
// and load are processes of their own; the load writes requests it has made before and reads no more of an answer than it must, so that it is not the limit.
// Once with few callers and once with many: what waits for the same commit shares it. The promise is held against the many.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort, freshDatabase, startRedis } from '../../tests/support/own-servers.ts';
import { found } from '../found.ts';
import { median, row, runPeer, type Sample } from '../peers.ts';

const REPEATS = Number(process.env.BENCH_REPEATS ?? 3);
const CONNECTIONS = (process.env.BENCH_CONNECTIONS ?? '64,512').split(',').map(Number);
const PROMISED = 0.5;
const peers = ['windrow', 'echo'] as const;
const script = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** The real command as it is set up by default: a log line for every run, metrics, no keys on loopback. */
const COMMANDS = { windrow: [script('../../src/cli/main.ts'), 'api'], echo: [script('./echo.ts')] };
const TICKS_PER_SECOND = 100;

interface Server {
  port: number;
  /** CPU-seconds so far. */
  cpu(): number;
  stop(): Promise<unknown>;
}

async function startServer(name: (typeof peers)[number], env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, COMMANDS[name], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  while (!(await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}; BENCH_VERBOSE=1 shows why`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    port,
    cpu() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    },
    stop() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

const redis = await startRedis();
row('connections', 'server', 'accepted/s (median)', 'min', 'max', 'per CPU-second of the server', 'p50 ms', 'p99 ms');
row('---', '---', '---', '---', '---', '---', '---', '---');
const ratios: number[] = [];
for (const connections of CONNECTIONS) ratios.push(await measure(connections));
await redis.stop();
for (const [index, ratio] of ratios.entries())
  found(
    `accepting next to an echo, ${CONNECTIONS[index]} callers`,
    ratio,
    'times',
    index === ratios.length - 1 ? { atLeast: PROMISED } : {},
  );
process.exit();

async function measure(connections: number): Promise<number> {
  const samples: Record<string, Sample[]> = { windrow: [], echo: [] };
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const peer of peers) {
      const database = await freshDatabase();
      const server = await startServer(peer, { DATABASE_URL: database.url, REDIS_URL: redis.url });
      const before = server.cpu();
      const load = await runPeer(new URL('./load.ts', import.meta.url), {
        TARGET_PORT: String(server.port),
        BENCH_CONNECTIONS: String(connections),
      });
      samples[peer]!.push({ ...load, perCpuSecond: load.answered! / (server.cpu() - before) });
      await server.stop();
      await database.drop();
    }
  }
  const middle = (peer: string, field: string): number => median(samples[peer]!.map((sample) => sample[field]!));
  for (const peer of peers) {
    const rates = samples[peer]!.map((sample) => sample.rate);
    const latency = [middle(peer, 'p50Ms').toFixed(1), middle(peer, 'p99Ms').toFixed(1)];
    row(
      connections,
      peer,
      middle(peer, 'rate'),
      Math.min(...rates),
      Math.max(...rates),
      middle(peer, 'perCpuSecond'),
      ...latency,
    );
  }
  // Neighbours in time are compared, so that a slow minute of the machine falls on both.
  return median(samples.windrow!.map((sample, index) => sample.rate / samples.echo![index]!.rate));
}

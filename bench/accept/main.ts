// (c) How many jobs a second the API accepts, each answered after its commit to PostgreSQL, beside a Fastify server that only sends the body back. Server
// and load are processes of their own; the load writes requests it has made before and reads no more of an answer than it must, so that it is not the limit.
import { type ChildProcess, spawn } from 'node:child_process';
import { freshDatabase } from '../../tests/support/own-servers.ts';
import { median, row, runPeer, type Sample } from '../peers.ts';

const REPEATS = Number(process.env.BENCH_REPEATS ?? 5);
const PROMISED = 0.5;
const peers = ['windrow', 'echo'] as const;

interface Server {
  port: number;
  stop(): Promise<{ cpuSeconds: number }>;
}

/** A server prints its port as its first line, and its CPU time when it is told to stop. */
async function startServer(name: string, env: Record<string, string>): Promise<Server> {
  const file = new URL(`./${name}.ts`, import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, [...process.execArgv, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', process.env.BENCH_VERBOSE ? 'inherit' : 'ignore'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let out = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      if (out.includes('\n')) resolve(Number(out.split('\n')[0]));
    });
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      return { cpuSeconds: Number(out.trim().split('\n').at(-1)) };
    },
  };
}

const samples: Record<string, Sample[]> = { windrow: [], echo: [] };
for (let repeat = 0; repeat < REPEATS; repeat++) {
  for (const peer of peers) {
    const database = await freshDatabase();
    const server = await startServer(peer, { DATABASE_URL: database.url });
    const load = await runPeer(new URL('./load.ts', import.meta.url), { TARGET_PORT: String(server.port) });
    const { cpuSeconds } = await server.stop();
    samples[peer]!.push({ ...load, perCpuSecond: load.answered! / cpuSeconds });
    await database.drop();
  }
}
const middle = (peer: string, field: string): number => median(samples[peer]!.map((sample) => sample[field]!));
row('server', 'accepted/s (median)', 'min', 'max', 'per CPU-second of the server', 'p50 ms', 'p99 ms');
row('---', '---', '---', '---', '---', '---', '---');
for (const peer of peers) {
  const rates = samples[peer]!.map((sample) => sample.rate);
  const latency = [middle(peer, 'p50Ms').toFixed(1), middle(peer, 'p99Ms').toFixed(1)];
  row(peer, middle(peer, 'rate'), Math.min(...rates), Math.max(...rates), middle(peer, 'perCpuSecond'), ...latency);
}
// Neighbours in time are compared, so that a slow minute of the machine falls on both.
const ratio = median(samples.windrow!.map((sample, index) => sample.rate / samples.echo![index]!.rate));
console.log(`windrow accepts at ${ratio.toFixed(2)} of the rate of a bare echo (promised ${PROMISED})`);
process.exit(ratio >= PROMISED ? 0 : 1);

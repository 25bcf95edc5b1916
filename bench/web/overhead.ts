// What the whole web layer costs on plain fetches (guard, robots, pace, block recognition, charset, ledger), next to bare undici
// in the same run: pages per CPU-second, rounds interleaved, median of the rounds. Floor: 0.7 of undici.
// `node bench/web/overhead.ts [pages per round] [rounds]`
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { createWeb } from '../../src/web/web.ts';
import { found } from '../found.ts';

const pages = Number(process.argv[2] ?? 6_000);
const rounds = Number(process.argv[3] ?? 7);
const concurrency = 64;

const site = fork(fileURLToPath(new URL('./server.ts', import.meta.url)));
const [{ port }] = (await once(site, 'message')) as [{ port: number }];
const origin = `http://127.0.0.1:${port}`;
const agent = new Agent();
const webs = createWeb({ guard: { allow: ['127.0.0.1'] } });

const contenders: Record<string, (path: string) => Promise<number>> = {
  'bare undici': async (path) => {
    const { body } = await request(origin + path, { dispatcher: agent });
    return (await body.text()).length;
  },
  'web layer': async (path) => {
    // One attempt a page, as the worker does it.
    const web = webs.forAttempt({
      signal: new AbortController().signal,
      source: 'article',
      pace: { concurrency: 64, delayMs: 0 },
    });
    return (await web.text(origin + path)).length;
  },
};

const rates: Record<string, number[]> = {};
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, fetchOne] of Object.entries(contenders)) {
    const { perCpuSecond, perSecond } = await measure(fetchOne);
    // The first round is the warm-up.
    if (round === 0) continue;
    rates[name] ??= [];
    rates[name].push(perCpuSecond);
    console.log(
      `round ${round} ${name.padEnd(12)} ${Math.round(perCpuSecond)} pages/CPU-s, ${Math.round(perSecond)} pages/s`,
    );
  }
}
const bare = median(rates['bare undici'] ?? []);
const ours = median(rates['web layer'] ?? []);
found('fetches per CPU-second next to bare undici', ours / bare, 'times', { atLeast: 0.7 });
await webs.close();
await agent.destroy();
site.disconnect();

async function measure(fetchOne: (path: string) => Promise<number>) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < pages) {
      next += 1;
      if ((await fetchOne(`/news/${next}`)) < 1000) throw new Error('a page came back short');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const used = process.cpuUsage(cpu);
  return {
    perCpuSecond: pages / ((used.user + used.system) / 1e6),
    perSecond: pages / ((performance.now() - began) / 1000),
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

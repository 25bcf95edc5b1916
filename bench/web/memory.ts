// What a plain HTTP worker's web layer weighs: private memory of a process with 100 fetches going, above an empty Node. Ceiling: 50 MB.
// `node bench/web/memory.ts`; Linux only, since it reads /proc.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { found } from '../found.ts';

const CEILING_MB = 50;
// One arena: glibc would otherwise keep what each of its threads once needed.
const FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=48', '--optimize-for-size'];
const ENV = { MALLOC_ARENA_MAX: '1' };
const role = process.argv[2];

if (role === 'empty' || role === 'web') await measured(role, process.argv[3] ?? '');
else {
  const site = fork(fileURLToPath(new URL('./server.ts', import.meta.url)));
  const [{ port }] = (await once(site, 'message')) as [{ port: number }];
  const empty = await run('empty', port);
  const web = await run('web', port);
  site.disconnect();
  console.log(`private memory: empty Node ${empty.toFixed(1)} MB, 100 fetches at a time ${web.toFixed(1)} MB`);
  found('web layer with 100 fetches above an empty Node', web - empty, 'MB', { atMost: CEILING_MB });
}

async function run(which: string, port: number): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), [which, `http://127.0.0.1:${port}`], {
    execArgv: FLAGS,
    env: { ...process.env, ...ENV },
  });
  const [privateMb] = (await once(child, 'message')) as [number];
  child.kill();
  return privateMb;
}

async function measured(which: 'empty' | 'web', origin: string): Promise<void> {
  if (which === 'web') {
    const { createWeb } = await import('../../src/web/web.ts');
    const webs = createWeb({ guard: { allow: ['127.0.0.1'] } });
    let fetched = 0;
    let peak = 0;
    const lane = async () => {
      while (fetched < 10_000) {
        fetched += 1;
        const web = webs.forAttempt({
          signal: new AbortController().signal,
          source: 'article',
          pace: { concurrency: 100, delayMs: 0 },
        });
        await web.text(`${origin}/news/${fetched}`);
        if (fetched % 500 === 0) peak = Math.max(peak, privateMb());
      }
    };
    await Promise.all(Array.from({ length: 100 }, lane));
    process.send?.(peak);
  } else process.send?.(privateMb());
  await sleep(5_000);
}

function privateMb(): number {
  const rollup = readFileSync('/proc/self/smaps_rollup', 'utf8');
  return Number(/^Private_Dirty:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

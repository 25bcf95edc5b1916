// (b) Articles per CPU-second: fetched from a local server, extracted and stored. Windrow does it whole (queue, leases, extraction of any page,
// PostgreSQL); plain undici + cheerio and Crawlee's CheerioCrawler read four fields by selectors and write JSON lines. CPU is that of the
// peer's own process, once it is warm. Crawlee is held against us as it comes; without its sessions and cookies it is shown beside.
// What a reader would get wrong: the CPU of PostgreSQL's own processes is not in it; what the others write goes to /dev/null.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freshDatabase } from '../../tests/support/own-servers.ts';
import { found } from '../found.ts';
import { median, row, runPeer, type Sample } from '../peers.ts';

const REPEATS = Number(process.env.BENCH_REPEATS ?? 3);
const peers = ['windrow', 'undici-cheerio', 'crawlee', 'crawlee-bare'] as const;
const target = fork(fileURLToPath(new URL('../sandbox/target.ts', import.meta.url)));
const [{ origin }] = (await once(target, 'message')) as [{ origin: string }];
const samples: Record<string, Sample[]> = {};
try {
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const peer of peers) {
      const database = await freshDatabase();
      const sample = await runPeer(new URL(`./${peer}.ts`, import.meta.url), {
        DATABASE_URL: database.url,
        TARGET: origin,
      });
      samples[peer] = [...(samples[peer] ?? []), sample];
      await database.drop();
    }
  }
} finally {
  target.disconnect();
}
const of = (peer: string, field: string): number => median(samples[peer]!.map((sample) => sample[field]!));
row('peer', 'pages per CPU-second', 'pages/s', 'items', 'RSS MB');
row('---', '---', '---', '---', '---');
for (const peer of peers) row(peer, of(peer, 'rate'), of(peer, 'wall'), of(peer, 'items'), of(peer, 'rss'));
const ratio = of('windrow', 'rate') / of('crawlee', 'rate');
found('articles per CPU-second next to Crawlee picking four fields', ratio, 'times', { atLeast: 2 });
process.exit();

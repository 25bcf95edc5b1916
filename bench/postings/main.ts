// Postings per CPU-second next to Crawlee on the same pages, a hundred requests at once in one process: `texts` does what the Crawlee peer does, `windrow` is
// the source itself, which also normalises every posting (places, pay, dates, levels) and validates it. The sandbox is a process of its own, so its
// work counts for nobody.
import { fork } from 'node:child_process';
import { median, row, runPeer, type Sample } from '../peers.ts';

const ROUNDS = 3;
const PROMISED = 3;
const target = fork(new URL('../sandbox/target.ts', import.meta.url));
const { origin } = await new Promise<{ origin: string }>((resolve) =>
  target.once('message', (message) => resolve(message as { origin: string })),
);
const env = { ORIGIN: origin };
const peers = {
  texts: new URL('windrow-texts-peer.ts', import.meta.url),
  windrow: new URL('windrow-peer.ts', import.meta.url),
  crawlee: new URL('crawlee-peer.ts', import.meta.url),
};
// The first scrape fills the sandbox's memory of searches; it is not measured.
await runPeer(peers.texts, env);
const samples: Record<keyof typeof peers, Sample[]> = { texts: [], windrow: [], crawlee: [] };
for (let round = 0; round < ROUNDS; round++)
  for (const name of ['texts', 'windrow', 'crawlee'] as const) samples[name].push(await runPeer(peers[name], env));
target.disconnect();
row('peer', 'postings', 'pages', 'postings per CPU-second', 'postings per minute', 'ms per page, 100 in flight');
row('---', '---', '---', '---', '---', '---');
for (const [name, taken] of Object.entries(samples)) {
  const middle = (key: string) => median(taken.map((sample) => sample[key] ?? Number.NaN));
  row(
    name,
    middle('postings'),
    middle('pages'),
    middle('rate'),
    middle('perMinute'),
    taken[0]?.meanPageMs === undefined ? '-' : middle('meanPageMs'),
  );
}
const rate = (name: keyof typeof peers) => median(samples[name].map((sample) => sample.rate));
const [ratio, whole] = [rate('texts') / rate('crawlee'), rate('windrow') / rate('crawlee')];
console.log(
  `the same work: ${ratio.toFixed(1)} times Crawlee (promised ${PROMISED}); with all normalisation: ${whole.toFixed(1)} times`,
);
process.exitCode = ratio >= PROMISED ? 0 : 1;

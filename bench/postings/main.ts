// (f) Postings. First CPU: postings per CPU-second next to Crawlee on the same 800 pages of the sandbox's LinkedIn, a hundred requests at once in one
// process, every posting written as a line of JSON. The Crawlee peer is a CheerioCrawler whose handler picks the nine texts a card has. `texts` does just
// that with Windrow's web layer and HTML reader; `windrow` is the source itself with everything it does (place, pay, date, level, types, hashes …:
// sixty fields). All run under plain Node, interleaved, medians of three; `lean` is `windrow` with the flags of
// WORKER_LEAN=on, which gives up speed for memory (bench/memory). The sandbox is a process of its own, so its work counts for nobody.
// Then the service as a whole (service.ts).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { LEAN_FLAGS } from '../../src/cli/process/lean.ts';
import { found } from '../found.ts';
import { median, row, runPeer, type Sample } from '../peers.ts';
import { measureService } from './service.ts';

const ROUNDS = Number(process.env.BENCH_REPEATS ?? 3);
const PROMISED = 3;
const PEERS = {
  texts: { file: new URL('windrow-texts-peer.ts', import.meta.url), flags: [] },
  windrow: { file: new URL('windrow-peer.ts', import.meta.url), flags: [] },
  lean: { file: new URL('windrow-peer.ts', import.meta.url), flags: LEAN_FLAGS },
  crawlee: { file: new URL('crawlee-peer.ts', import.meta.url), flags: [] },
};
type Peer = keyof typeof PEERS;
const names = Object.keys(PEERS) as Peer[];

async function samplesOf(): Promise<Record<Peer, Sample[]>> {
  const target = fork(new URL('../sandbox/target.ts', import.meta.url));
  try {
    const [{ origin }] = (await once(target, 'message')) as [{ origin: string }];
    const samples: Record<Peer, Sample[]> = { texts: [], windrow: [], lean: [], crawlee: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const name of names)
        samples[name].push(await runPeer(PEERS[name].file, { ORIGIN: origin }, PEERS[name].flags));
    return samples;
  } finally {
    target.disconnect();
  }
}

const samples = await samplesOf();
const of = (name: Peer, field: string): number => median(samples[name].map((sample) => sample[field]!));
row('peer', 'postings per CPU-second', 'times Crawlee', 'postings', 'bytes a posting');
row('---', '---', '---', '---', '---');
const times = (name: Peer): number => of(name, 'rate') / of('crawlee', 'rate');
for (const name of names)
  row(name, of(name, 'rate'), times(name).toFixed(1), of(name, 'postings'), of(name, 'bytesPerPosting'));

found('postings per CPU-second with nine texts next to Crawlee', times('texts'), 'times', { atLeast: PROMISED });
found('postings per CPU-second with everything next to Crawlee', times('windrow'), 'times', { atLeast: PROMISED });
await measureService();
process.exit();

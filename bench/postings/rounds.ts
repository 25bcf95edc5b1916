// How a peer is measured: it goes over the same pages again and again in one process, and the first times are not counted, since a worker lives for
// hours and what a process costs in its first second (modules, compiling) says nothing about that. It holds for all peers alike.
import { cpuSeconds } from '../peers.ts';

const WARM_ROUNDS = 2;
const ROUNDS = 2;

/** One round gives every posting to `keep`, which writes it as a line of JSON, as a program that stores them would. */
export type Round = (keep: (posting: unknown) => void, isMeasured: boolean) => Promise<{ pages: number }>;

export async function measure(round: Round): Promise<void> {
  let [postings, bytes, pages, cpu, ms] = [0, 0, 0, 0, 0];
  for (let i = -WARM_ROUNDS; i < ROUNDS; i++) {
    const [cpuBefore, started] = [cpuSeconds(), performance.now()];
    let count = 0;
    const done = await round((posting) => {
      const size = Buffer.byteLength(`${JSON.stringify(posting)}\n`);
      if (i >= 0) bytes += size;
      count += 1;
    }, i >= 0);
    if (i < 0) continue;
    postings += count;
    pages += done.pages;
    cpu += cpuSeconds() - cpuBefore;
    ms += performance.now() - started;
  }
  console.log(
    JSON.stringify({
      rate: postings / cpu,
      postings,
      pages,
      perMinute: (postings / ms) * 60_000,
      bytesPerPosting: bytes / postings,
    }),
  );
}

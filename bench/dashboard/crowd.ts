// Pages that are open: each has its WebSocket and asks again what a page asks, at its own times. A process of its own, so that what the pages cost the server is
// not mixed with what they cost here.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Asked } from './screens.ts';

export interface Crowd {
  url: string;
  pages: Asked[][];
}

process.on('message', ({ url, pages }: Crowd) => {
  let answers = 0;
  let refused = 0;
  const ask = async (path: string): Promise<void> => {
    const reply = await fetch(url + path, { headers: { 'accept-encoding': 'gzip' } });
    await reply.arrayBuffer();
    if (reply.ok) answers++;
    else refused++;
  };
  for (const [at, page] of pages.entries())
    void (async () => {
      // Nobody opens fifty at once.
      await sleep(at * 50);
      const reply = await fetch(`${url}/ws/ticket`, { method: 'POST' });
      const { ticket } = (await reply.json()) as { ticket: string };
      // One that is refused is counted like any other question: the page would ask again.
      new WebSocket(`${url.replace('http', 'ws')}/ws?batch=1&ticket=${encodeURIComponent(ticket)}`)
        .on('message', () => {})
        .on('error', () => {
          refused++;
        });
      await Promise.all(page.map(({ path }) => ask(path)));
      for (const { path, everyMs } of page) if (everyMs !== null) setInterval(() => void ask(path), everyMs);
      if (at === pages.length - 1) process.send?.('open');
    })();
  process.on('SIGTERM', () => {
    process.send?.({ answers, refused }, () => process.exit(0));
  });
});

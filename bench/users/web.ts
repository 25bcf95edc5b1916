// The web as the bench's workers have it: without the pace of the real shop, which would make the bench last for hours.
import { createWeb, type Webs } from '../../src/web/web.ts';
import type { WorkerOptions } from '../../src/worker/worker.ts';

export function unpacedWeb(): { webs: Webs; webFor: WorkerOptions['webFor'] } {
  const webs = createWeb({ hostMap: process.env.WEB_HOST_MAP!, robots: 'off', timeoutMs: 20_000 });
  const pace = { concurrency: 1_000, delayMs: 0 };
  return {
    webs,
    webFor: (source, signal, task) =>
      webs.forAttempt({ signal, source: source.name, pace, locality: String(task.params.zipcode) }),
  };
}

// Runs a source as a worker would: parameters checked, the real web layer, every item collected.
import type { ItemOf, Kind } from '../../../src/model/item/item.ts';
import type { Source } from '../../../src/sources/define.ts';
import { createWeb, type WebOptions } from '../../../src/web/web.ts';

const TIMEOUT_MS = 60_000;

export async function scrapeWith<P, K extends Kind>(source: Source<P, K>, params: unknown, options: WebOptions) {
  const webs = createWeb({ timeoutMs: 30_000, maxPaceWaitMs: 60_000, ...options });
  try {
    const web = webs.forAttempt({
      signal: AbortSignal.timeout(TIMEOUT_MS),
      source: source.name,
      ...(source.policy === undefined ? {} : { policy: source.policy }),
    });
    const items: ItemOf[K][] = [];
    for await (const item of source.scrape(source.params.parse(params), web)) items.push(item);
    return { items, ledger: { ...web.ledger } };
  } finally {
    await webs.close();
  }
}

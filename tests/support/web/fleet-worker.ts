// One worker process of the fleet test: fetches its share of the pages with the pace agreed on in Redis, comes back as often as it is told
// to, and reports what became of each page. Arguments as JSON in FLEET.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { AppError } from '../../../src/model/errors.ts';
import { createRedisPace } from '../../../src/web/pace/redis.ts';
import { createWeb } from '../../../src/web/web.ts';

interface Fleet {
  redis: string;
  prefix: string;
  proxies: string;
  urls: string[];
  pace: { concurrency: number; delayMs: number };
}

const fleet = JSON.parse(process.env.FLEET ?? '{}') as Fleet;
const redis = new Redis(fleet.redis);
const pace = await createRedisPace({ redis, prefix: fleet.prefix });
const webs = createWeb({
  guard: { allow: ['127.0.0.1'] },
  robots: 'off',
  pace,
  proxies: fleet.proxies,
  maxPaceWaitMs: 2_000,
});
const outcomes: Record<string, string[]> = {};

await Promise.all(fleet.urls.map(obtain));
process.send?.({ outcomes, proxies: webs.proxies().map(({ label, isDead }) => ({ label, isDead })) });
await webs.close();
await pace.close();
redis.disconnect();

async function obtain(url: string): Promise<void> {
  const seen: string[] = [];
  outcomes[url] = seen;
  for (let attempt = 0; attempt < 12; ) {
    const web = webs.forAttempt({ signal: AbortSignal.timeout(60_000), source: 'article', pace: fleet.pace });
    try {
      const text = await web.text(url);
      seen.push(text.includes('<article>') ? 'ok' : 'wrong page');
      return;
    } catch (thrown) {
      const error = thrown as AppError;
      const isTurn = error.details?.paced === true;
      // Waiting for one's turn is no attempt.
      if (!isTurn) attempt += 1;
      if (!isTurn) seen.push(error.code);
      if (error.retry === 'never') return;
      await sleep(Math.min(error.retryAfterMs ?? 20, 3_000));
    }
  }
}

// Pages of failed attempts, in a stream of their own on a connection of their own: they are large, and reports must not wait behind them.
// What a reader would get wrong: there is no consumer group. Who reads deletes what he has stored; two who read at once both store it, which changes nothing.
import type { Redis } from 'ioredis';
import { EVIDENCE_WAITING_MAX, type Wire } from './port.ts';
import { limitFor, within } from './redis-limits.ts';

export interface EvidenceStreamOptions {
  connection(): Promise<Redis>;
  stream: string;
  /** How long Redis may take to answer, besides the time for the bytes. */
  patienceMs: number;
}

/** An orchestrator is near Redis: a megabyte each takes it no longer. */
const READ_EXTRA_MS = 5_000;

export function createEvidenceStream({ connection, stream, patienceMs }: EvidenceStreamOptions): {
  send: Wire['sendEvidence'];
  read: Wire['readEvidence'];
} {
  async function limited<T>(limitMs: number, work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = await connection();
    return within(work(redis), limitMs, () => {
      redis.disconnect(true);
      return new Error(`Evidence was not transferred within ${Math.round(limitMs)} ms`);
    });
  }
  return {
    async send(evidence) {
      const text = JSON.stringify(evidence);
      await limited(limitFor(text.length, patienceMs), (redis) =>
        redis.xadd(stream, 'MAXLEN', '=', EVIDENCE_WAITING_MAX, '*', 'data', text),
      );
    },
    async read(max) {
      const entries = await limited(patienceMs + READ_EXTRA_MS, (redis) =>
        redis.xrange(stream, '-', '+', 'COUNT', max),
      );
      return {
        evidence: entries.map(([, fields]) => parsed(fields[1])),
        async ack() {
          if (entries.length > 0)
            await limited(patienceMs, (redis) => redis.xdel(stream, ...entries.map(([id]) => id)));
        },
      };
    },
  };
}

/** Invalid JSON is passed on unchanged, so that whoever stores it refuses and counts it. */
function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return text;
  }
}

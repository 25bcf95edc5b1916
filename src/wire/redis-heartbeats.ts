// Heartbeats: one expiring key per worker for what it is, one for what it holds. A newer one replaces the older, so that nothing queues, and both ends use a
// connection of their own, so that nothing is in front of them. The age of a heartbeat is read off the time its key has left: no clock of another machine counts.
import type { Redis } from 'ioredis';
import { Held, WorkerBeat } from '../model/task/messages.ts';
import type { Heard, Wire } from './port.ts';

export interface HeartbeatOptions {
  connection(): Promise<Redis>;
  keys: { workers: string; worker(name: string): string; held(name: string): string; health: string };
}

const BEAT_LIFE_MS = 10_000;
/** Longer than any lease. */
const HELD_LIFE_MS = 2 * 3_600_000;

export function createHeartbeats({ connection, keys }: HeartbeatOptions): Pick<Wire, 'beat' | 'workers' | 'held'> {
  return {
    async beat(beat, held) {
      const redis = await connection();
      const text = JSON.stringify(beat);
      const pipeline = redis.pipeline();
      // First what it holds: leases depend on it.
      if (held) pipeline.set(keys.held(beat.worker), JSON.stringify(held), 'PX', HELD_LIFE_MS);
      pipeline.set(keys.worker(beat.worker), text, 'PX', BEAT_LIFE_MS).sadd(keys.workers, beat.worker);
      for (const [error] of (await pipeline.publish(keys.health, text).exec()) ?? []) if (error) throw error;
    },
    async workers() {
      const redis = await connection();
      const names = await redis.smembers(keys.workers);
      if (names.length === 0) return [];
      const beats = await redis.mget(names.map(keys.worker));
      const dead = names.filter((_name, index) => beats[index] === null);
      if (dead.length > 0) await redis.srem(keys.workers, ...dead);
      return beats.flatMap((text) => (text === null ? [] : parse(WorkerBeat, text)));
    },
    async held() {
      const redis = await connection();
      const names = await redis.smembers(keys.workers);
      if (names.length === 0) return [];
      const pipeline = redis.pipeline();
      for (const name of names) pipeline.get(keys.held(name)).pttl(keys.held(name));
      const answers = (await pipeline.exec()) ?? [];
      return names.flatMap((_name, n): Heard[] => {
        const [error, text] = answers[2 * n] ?? [];
        const [late, leftMs] = answers[2 * n + 1] ?? [];
        if (error ?? late) throw error ?? late;
        if (typeof text !== 'string' || typeof leftMs !== 'number' || leftMs < 0) return [];
        return parse(Held, text).map((held) => ({ held, ageMs: HELD_LIFE_MS - leftMs }));
      });
    },
  };
}

/** What a worker of another make says in a shape of its own is ignored. */
function parse<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  text: string,
): T[] {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

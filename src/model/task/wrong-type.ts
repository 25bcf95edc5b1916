// Keys of ours in Redis that hold a value of another type: somebody else wrote them, or a restore mixed them up. Every command on such a key fails, for ever, and work stands still. So they
// are set aside: renamed, not deleted, since the value is not ours. What belongs there is made anew from PostgreSQL, like after a loss of Redis.
/** A client of Redis. */
interface Redis {
  eval(script: string, keys: number, ...args: string[]): Promise<unknown>;
}

export type KeyType = 'string' | 'list' | 'set' | 'zset' | 'hash' | 'stream';

export interface MovedKey {
  key: string;
  to: string;
  expected: KeyType;
}

export const isWrongType = (error: unknown): boolean => error instanceof Error && error.message.includes('WRONGTYPE');

/** In one step, so that of two who look only one moves it, and never what was put there meanwhile. */
const SET_ASIDE = `
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('TYPE', KEYS[1]).ok == ARGV[1] then return 0 end
redis.call('RENAME', KEYS[1], KEYS[2])
return 1`;

/** Those that were moved. With Redis Cluster a key and its new name are on one node when the prefix is a hash tag. */
export async function setAside(redis: Redis, keys: Iterable<readonly [string, KeyType]>): Promise<MovedKey[]> {
  const moved: MovedKey[] = [];
  for (const [key, expected] of keys) {
    const to = `${key}:wrong-type`;
    if ((await redis.eval(SET_ASIDE, 2, key, to, expected)) === 1) moved.push({ key, to, expected });
  }
  return moved;
}

/** The same calls; one that meets such a key calls `repair` and fails as before: it is made again by whoever made it. */
export function withRepair<T extends object>(calls: T, repair: () => Promise<unknown>): T {
  let isRepairing = false;
  const mend = async (): Promise<void> => {
    if (isRepairing) return;
    isRepairing = true;
    try {
      await repair();
    } catch {
      // Redis is away, or out of memory: the next call that fails tries again.
    } finally {
      isRepairing = false;
    }
  };
  const look = (error: unknown): Promise<never> => {
    if (isWrongType(error)) void mend();
    return Promise.reject(error);
  };
  const wrapped = Object.entries(calls).map(([name, call]) => [
    name,
    (...args: unknown[]) => {
      const answer: unknown = (call as (...given: unknown[]) => unknown)(...args);
      return answer instanceof Promise ? answer.catch(look) : answer;
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}

// Workers that take no more tasks: one key with all their names, and a message to those who are listening. A key that is not there says nothing.
import type { Redis } from 'ioredis';
import type { Wire } from './port.ts';
import type { PubSub } from './redis-pubsub.ts';

export interface DrainsOptions {
  commands: Redis;
  key: string;
  pubsub: PubSub;
}

export function createDrains({
  commands,
  key,
  pubsub,
}: DrainsOptions): Pick<Wire, 'tellDrains' | 'drains' | 'onDrains'> {
  let told: string | undefined;
  return {
    async tellDrains(workers) {
      const text = JSON.stringify(workers);
      await commands.set(key, text);
      // Said again every moment: only what is new is worth a message.
      if (text !== told) await pubsub.publish('drains', workers);
      told = text;
    },
    async drains() {
      const text = await commands.get(key);
      return text === null ? null : namesIn(text);
    },
    onDrains: (listener) => pubsub.subscribe('drains', listener),
  };
}

/** What others wrote there is no word of ours. */
function namesIn(text: string): string[] | null {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.map(String) : null;
  } catch {
    return null;
  }
}

// Messages for all current subscribers. None of them is needed for correctness: the next poll, heartbeat or status read makes up for a lost one.
import type { Redis, RedisOptions } from 'ioredis';
import type { EvidenceWish } from '../model/evidence/evidence.ts';
import type { RunUpdate } from '../model/run/run.ts';
import type { TaskRef } from '../model/task/messages.ts';

interface Topics {
  cancel: TaskRef[];
  wishes: EvidenceWish[];
  drains: readonly string[];
  updates: RunUpdate[];
  wake: undefined;
}

export interface PubSub {
  publish<T extends keyof Topics>(topic: T, value: Topics[T]): Promise<void>;
  subscribe<T extends keyof Topics>(topic: T, listener: (value: Topics[T]) => void): () => void;
  wake(): void;
}

/** One wake-up in this time is enough. The first is sent at once: a single submit does not wait. */
const WAKE_EVERY_MS = 20;

export function createPubSub(options: {
  commands: Redis;
  connect(extra: RedisOptions): Redis;
  channels: Record<keyof Topics, string>;
  log(error: Error): void;
}): PubSub {
  const { channels } = options;
  const listeners = new Map<string, Set<(value: never) => void>>();
  let subscriber: Redis | undefined;
  let wakeTimer: NodeJS.Timeout | undefined;
  let isWakeDue = false;

  function ensureSubscriber(): Redis {
    if (subscriber) return subscriber;
    // ioredis subscribes again by itself after a reconnect, but not to what was asked for while it was down; hence on every ready.
    const made = options.connect({ autoResubscribe: false });
    made.on('ready', () => void made.subscribe(...Object.values(channels)).catch(options.log));
    made.on('message', (channel: string, text: string) => {
      // Other programs may publish here; a message that is not valid must not end the process.
      try {
        const value: unknown = text === '' ? undefined : JSON.parse(text);
        for (const listener of listeners.get(channel) ?? []) listener(value as never);
      } catch (error) {
        options.log(error as Error);
      }
    });
    subscriber = made;
    return made;
  }

  return {
    async publish(topic, value) {
      await options.commands.publish(channels[topic], value === undefined ? '' : JSON.stringify(value));
    },
    subscribe(topic, listener) {
      ensureSubscriber();
      const channel = channels[topic];
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all);
      all.add(listener as (value: never) => void);
      return () => all.delete(listener as (value: never) => void);
    },
    wake() {
      if (wakeTimer) {
        isWakeDue = true;
        return;
      }
      isWakeDue = false;
      options.commands.publish(channels.wake, '').catch(options.log);
      wakeTimer = setTimeout(() => {
        wakeTimer = undefined;
        if (isWakeDue) this.wake();
      }, WAKE_EVERY_MS);
      wakeTimer.unref();
    },
  };
}

// The wire that the configuration asks for. Only the one that is used is loaded.
import { setTimeout as sleep } from 'node:timers/promises';

import { AppError } from '../model/errors.ts';
import { serverAddress } from '../model/server/connection-error.ts';
import type { Wire } from '../wire/port.ts';
import type { Role } from './process/role.ts';

const CHECK_AGAIN_MS = 5_000;

export async function openWire(role: Role): Promise<Wire> {
  const wire = await (role.config.redisUrl ? redisWire(role, role.config.redisUrl) : memoryWire());
  role.life.own('wire', () => wire.close());
  return wire;
}

async function redisWire({ config, log, life, name }: Role, url: string): Promise<Wire> {
  const { openRedisWire } = await import('../wire/redis.ts');
  const address = serverAddress({ server: 'Redis', url });
  const say = (event: string, fields: object) => log.warn(event, { ...fields, address });
  void checkSetup(url, life.signal).then(
    (problems) => {
      for (const problem of problems) say('wire.setup', { problem });
    },
    (error: unknown) => life.fail('Redis', error),
  );
  return openRedisWire({ url, prefix: config.redisPrefix, name, log: say });
}

/** What would go wrong later, and for reasons that are hard to see; rejects if nothing can work. That it cannot be reached says the wire itself. */
async function checkSetup(url: string, signal: AbortSignal): Promise<string[]> {
  const { checkRedis } = await import('../wire/redis.ts');
  while (!signal.aborted) {
    try {
      return (await checkRedis(url)).warnings;
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_config') throw error;
      if (error instanceof AppError) return [error.message];
    }
    await sleep(CHECK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
  }
  return [];
}

async function memoryWire(): Promise<Wire> {
  const { createMemoryWire } = await import('../wire/memory.ts');
  return createMemoryWire();
}

// The wire that the configuration asks for. Only the one that is used is loaded.
import { serverAddress } from '../model/connection-error.ts';
import { AppError } from '../model/errors.ts';
import type { Wire } from '../wire/port.ts';
import type { Role } from './process/role.ts';

export async function openWire(role: Role): Promise<Wire> {
  const wire = await (role.config.redisUrl ? redisWire(role, role.config.redisUrl) : memoryWire());
  role.life.own('wire', () => wire.close());
  return wire;
}

async function redisWire({ config, log, name }: Role, url: string): Promise<Wire> {
  const { openRedisWire } = await import('../wire/redis.ts');
  const address = serverAddress({ server: 'Redis', url });
  const say = (event: string, fields: object) => log.warn(event, { ...fields, address });
  void setupProblems(url).then((problems) => {
    for (const problem of problems) say('wire.setup', { problem });
  });
  return openRedisWire({ url, prefix: config.redisPrefix, name, log: say });
}

/** What would go wrong later, and for reasons that are hard to see. That it cannot be reached says the wire itself. */
async function setupProblems(url: string): Promise<string[]> {
  const { checkRedis } = await import('../wire/redis.ts');
  return checkRedis(url).then(
    ({ warnings }) => warnings,
    (error: unknown) => (error instanceof AppError ? [error.message] : []),
  );
}

async function memoryWire(): Promise<Wire> {
  const { createMemoryWire } = await import('../wire/memory.ts');
  return createMemoryWire();
}

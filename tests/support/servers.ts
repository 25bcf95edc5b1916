// The servers every suite shares: one PostgreSQL and one Redis in a folder of their own, gone when the runner is. A folder that a killed
// runner left behind is removed by the next one.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { homeLock, homeOwner } from '../../src/store/embedded/lock.ts';
import { findOrInstall, type Tool } from './find-servers.ts';
import { startPostgres, startRedis } from './own-servers.ts';

const PREFIX = 'windrow-test-';

export interface TestServers {
  /** For the test processes. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

export interface TestServersOptions {
  /** Programs that are wanted besides; their paths are in `TEST_<NAME>`. */
  also?: readonly Tool[];
  /** Whether PostgreSQL waits for the disk, as everybody's does: what is measured must, what is tested goes quicker without. */
  isDurable: boolean;
}

export async function startTestServers(
  { also = [], isDurable }: TestServersOptions,
  say: (line: string) => void,
): Promise<TestServers> {
  const tools = findOrInstall(['postgres', 'redis', ...also], say);
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  const lock = await homeLock(folder);
  // Servers run as another user when we are root, and have folders of their own below this one.
  await chmod(folder, 0o711);
  process.env.TEST_FOLDER = folder;
  const bin = dirname(tools.postgres!);
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
    await lock.release();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  try {
    const postgres = await startPostgres({ bin, maxConnections: 400, isDurable });
    started.push(postgres);
    const redis = await startRedis({ program: tools.redis! });
    started.push(redis);
    say(`started PostgreSQL on port ${postgres.port} and Redis on port ${redis.port}`);
    return {
      env: {
        TEST_FOLDER: folder,
        TEST_DATABASE_URL: postgres.url,
        TEST_REDIS_URL: redis.url,
        TEST_POSTGRES_BIN: bin,
        TEST_REDIS_SERVER: tools.redis!,
        ...Object.fromEntries(also.map((tool) => [`TEST_${tool.toUpperCase()}`, tools[tool]!])),
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(tmpdir(), name);
    if (await homeOwner(folder)) continue;
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

// Everything that a database or a Redis holds, as text: for tests that look for what must not be there.
import { Redis } from 'ioredis';
import pg from 'pg';

export async function onDatabase<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=windrow,public' });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/** Table → its rows. */
export const databaseContents = (url: string): Promise<Map<string, string>> =>
  onDatabase(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'windrow' and table_type = 'BASE TABLE'`,
    );
    const contents = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from windrow.${name} t`);
      contents.set(name, rows.map(({ row }) => row).join('\n'));
    }
    return contents;
  });

/** Key → what is there. */
export async function redisContents(url: string): Promise<Map<string, string>> {
  const redis = new Redis(url);
  try {
    const contents = new Map<string, string>();
    for (const key of await redis.keys('*')) contents.set(key, JSON.stringify(await readKey(redis, key)));
    return contents;
  } finally {
    redis.disconnect();
  }
}

async function readKey(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === 'string') return redis.get(key);
  if (type === 'hash') return redis.hgetall(key);
  if (type === 'list') return redis.lrange(key, 0, -1);
  if (type === 'set') return redis.smembers(key);
  if (type === 'zset') return redis.zrange(key, '0', '-1');
  if (type === 'stream') return redis.xrange(key, '-', '+');
  throw new Error(`${key} is of type ${type}, which this test does not know`);
}

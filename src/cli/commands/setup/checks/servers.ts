// The store and the wire: reachable, new enough, and set up as they should be.
import type { Pool, PoolConfig } from 'pg';
import type { Config } from '../../../../config.ts';
import { connectionError } from '../../../../model/server/connection-error.ts';
import type { ServerFile } from '../../../../store/embedded/home.ts';
import { hasTrigrams } from '../../../../store/names/names.ts';
import { knownMigrations, readSchema } from '../../../../store/postgres/migrate.ts';
import { createPool } from '../../../../store/postgres/pool.ts';
import { sessionRefusal } from '../../../../store/postgres/pooler.ts';
import { type Finding, fail, ok, warn } from './check.ts';

const POSTGRES_MIN = 15;
const SKEW_WARN_SECONDS = 5;

/** The database of DATABASE_URL, or that of the Windrow that runs in the home; undefined when none runs. */
export function storeConnection(config: Config, running: ServerFile | undefined): string | PoolConfig | undefined {
  const socket = running?.postgres;
  if (config.databaseUrl) return config.databaseUrl;
  return socket && { host: socket.socketDir, user: socket.user, database: socket.database };
}

export async function checkStore(config: Config, running: ServerFile | undefined): Promise<Finding[]> {
  const connection = storeConnection(config, running);
  if (config.databaseUrl) {
    const at = { server: 'PostgreSQL', setting: 'DATABASE_URL', url: config.databaseUrl } as const;
    return askStore(config.databaseUrl, 'PostgreSQL').catch((error: unknown) =>
      Promise.reject(connectionError(at, error)),
    );
  }
  if (connection) return askStore(connection, 'embedded PostgreSQL');
  const { nativeDirOfPackage } = await import('../../../../store/embedded/binaries.ts');
  nativeDirOfPackage();
  return [ok('store', `embedded PostgreSQL: \`windrow up\` starts it in ${config.home}`)];
}

async function askStore(connection: string | PoolConfig, what: string): Promise<Finding[]> {
  const pool = createPool({ connection, max: 1, statementTimeoutMs: 5_000 });
  try {
    const started = performance.now();
    const { rows } = await pool.query<{ version: string; skew: number }>(
      `select current_setting('server_version') as version, extract(epoch from clock_timestamp())::float8 - $1::float8 as skew`,
      [Date.now() / 1_000],
    );
    const { version, skew } = rows[0]!;
    const detail = `${what} ${version}, ${Math.round(performance.now() - started)} ms`;
    const findings = [
      Number.parseInt(version, 10) >= POSTGRES_MIN
        ? ok('store', detail)
        : fail('store', `${detail} is too old. PostgreSQL ${POSTGRES_MIN} or newer is needed`),
    ];
    if (Math.abs(skew) > SKEW_WARN_SECONDS)
      findings.push(
        warn('clock', `the clocks of this machine and of PostgreSQL differ by ${Math.abs(skew).toFixed(0)} s`),
      );
    const refusal = await sessionRefusal(pool);
    if (refusal) return [...findings, fail('store', refusal.message)];
    const migrations = await checkMigrations(pool);
    return [
      ...findings,
      migrations,
      ...(migrations.status === 'ok' ? [await checkNames(pool), await checkWeeks(pool)] : []),
    ];
  } finally {
    await pool.end();
  }
}

/** What `fuzzy=true` of the lists compares names with. */
const checkNames = async (pool: Pool): Promise<Finding> =>
  ok(
    'fuzzy names',
    (await hasTrigrams(pool))
      ? 'pg_trgm: all names are compared'
      : 'without pg_trgm: names with the same first two letters are compared. For all: `create extension pg_trgm` as a superuser, then `create index on windrow.item_names using gin (name gin_trgm_ops)`',
  );

/** What large tables in the order of time are kept in. */
async function checkWeeks(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{ partitions: number; timescale: string | null }>(
    `select (select count(*)::int from pg_inherits where inhparent = 'windrow.prices'::regclass) as partitions,
       (select extversion from pg_extension where extname = 'timescaledb') as timescale`,
  );
  const { partitions, timescale } = rows[0]!;
  const other =
    timescale === null
      ? 'TimescaleDB is not installed, and not needed'
      : `TimescaleDB ${timescale} is installed, and not used`;
  return ok(
    'time series',
    `plain PostgreSQL: prices by the week, ${partitions} partitions. ${other} (docs/decisions/013-no-timescaledb-sql.md)`,
  );
}

export const isMigrated = async (pool: Pool): Promise<boolean> => (await checkMigrations(pool)).status === 'ok';

async function checkMigrations(pool: Pool): Promise<Finding> {
  const files = await knownMigrations();
  const { rows: present } = await pool.query<{ there: boolean }>(
    `select to_regclass('windrow.migrations') is not null as there`,
  );
  if (!present[0]!.there) return missingMigrations(files.length, files.length);
  const { newest, known, missing, refusal } = await readSchema(pool, files);
  if (refusal) return fail('migrations', refusal.message);
  if (newest > known)
    return warn(
      'migrations',
      `the database is at migration ${newest} of a newer Windrow, which this one (${known}) can work with while it is upgraded`,
    );
  return missing.length > 0
    ? missingMigrations(missing.length, files.length)
    : ok('migrations', `all ${files.length} applied`);
}

const missingMigrations = (missing: number, known: number): Finding =>
  warn('migrations', `${missing} of ${known} are missing. The next start applies them, or \`windrow migrate\``);

export async function checkWire(config: Config): Promise<Finding[]> {
  if (!config.redisUrl) return [ok('wire', 'memory: all roles run in one process')];
  const { checkRedis } = await import('../../../../wire/redis.ts');
  const at = { server: 'Redis', setting: 'REDIS_URL', url: config.redisUrl } as const;
  const { version, warnings } = await checkRedis(config.redisUrl).catch((error: unknown) =>
    Promise.reject(connectionError(at, error)),
  );
  return [ok('wire', `Redis ${version}`), ...warnings.map((line) => warn('wire', line))];
}

// Access to PostgreSQL: a pool with statement and lock timeouts, transactions that are retried when PostgreSQL asks for it, and a distinction between
// "the database is not available" and "this statement is wrong".
import pg from 'pg';
import { AppError } from '../../model/errors.ts';
import { isDiskFull, noteDiskFull } from './disk-full.ts';
import { closeLostConnections, WatchedClient } from './lost-connections.ts';
import { IDLE_IN_TRANSACTION_MS, isBehindPooler, NamelessClient, OWN_SESSION, SEARCH_PATH } from './pooler.ts';

export interface PoolOptions {
  /** A connection string, or the socket of an embedded server. */
  connection: string | pg.PoolConfig;
  max?: number;
  statementTimeoutMs?: number;
  /** How long a caller waits for a connection: a new one, or one that somebody gives back. */
  connectTimeoutMs?: number;
  lockTimeoutMs?: number;
  onError?: (error: Error) => void;
  /** Why the server cannot be reached now, as a sentence, where that is known. */
  whyDown?: () => string | null;
}

export type Client = pg.PoolClient;

export function createPool(options: PoolOptions): pg.Pool {
  const base = typeof options.connection === 'string' ? { connectionString: options.connection } : options.connection;
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const isPooled = isBehindPooler(options.connection);
  const pool = new pg.Pool({
    ...base,
    Client: isPooled ? NamelessClient : WatchedClient,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 3_000,
    idleTimeoutMillis: 30_000,
    // A server that stopped answering (frozen, black-holed) must not hold a caller forever; the server's own limit comes first. Lost connections are found sooner.
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
    // Statements that do not wait for each other are sent together.
    pipeline: true,
    application_name: 'windrow',
    ...(isPooled ? {} : { options: sessionSettings(statementTimeoutMs, options.lockTimeoutMs ?? 5_000) }),
  });
  // A connection that breaks is replaced by the pool; without listeners Node would end the process. The pool listens only while a connection
  // is idle: one that breaks between two statements of a transaction tells its own listener, and the next statement fails.
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)));
  closeLostConnections(pool);
  if (options.whyDown) whyDown.set(pool, options.whyDown);
  return pool;
}

/** As PostgreSQL's programs take them. */
const sessionSettings = (statementTimeoutMs: number, lockTimeoutMs: number): string =>
  Object.entries({
    search_path: SEARCH_PATH,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    [OWN_SESSION]: 1,
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

const whyDown = new WeakMap<pg.Pool, () => string | null>();

/** How long a probe may take: whoever sent it has given up by then. */
const PROBE_MS = 2_000;

/** One connection beside those of a pool. */
export function probePool(pool: pg.Pool): pg.Pool {
  const { options } = pool;
  const probing = new pg.Pool({ ...options, max: 1, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  // The next probe makes a new one.
  probing.on('error', () => {});
  probing.on('connect', (client) => client.on('error', () => {}));
  return probing;
}

/** Deadlock and serialisation failures: PostgreSQL rolled back and asks for another try. */
const TRY_AGAIN = new Set(['40001', '40P01']);

/** Connection trouble, shutting down, too many connections, out of disk, lock or statement timeouts: the store cannot take work now. */
const UNAVAILABLE = /^(08|53|57|58)|^(25006|55P03)$/;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (UNAVAILABLE.test(code) || isUnanswered(error)) return true;
  return (
    /^E(CONN|PIPE|TIMEDOUT|NOENT|HOST)/.test(code) ||
    /timeout exceeded when trying to connect|Connection terminated|not queryable|Cannot use a pool after/i.test(
      error.message,
    )
  );
}

const isUnanswered = (error: unknown): boolean => error instanceof Error && /Query read timeout/.test(error.message);

/** Runs `work` in a transaction; everything inside must use the client it is given. */
export async function transaction<T>(pool: pg.Pool, work: (client: Client) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let client: Client;
    try {
      client = await pool.connect();
    } catch (error) {
      throw storeError(pool, error);
    }
    let broken = false;
    try {
      // Sent with the first statement. If it fails, the connection is broken and so is everything after it.
      const begun = client.query('begin');
      begun.catch(() => {});
      const result = await work(client);
      await begun;
      await client.query('commit');
      return result;
    } catch (error) {
      // A server that did not answer a statement will not answer the rollback either. The session ends with its connection.
      if (isUnanswered(error)) broken = true;
      else
        await client.query('rollback').catch(() => {
          broken = true;
        });
      if (TRY_AGAIN.has(codeOf(error)) && attempt < 4) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
        continue;
      }
      throw storeError(pool, error);
    } finally {
      client.release(broken);
    }
  }
}

/** One statement outside a transaction. With a name it is planned once a connection: only for what looks rows up by their keys, whatever the size of the tables. */
export async function query<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: string | { name: string; text: string; values: unknown[] },
  values: unknown[] = [],
): Promise<R[]> {
  try {
    return (await (typeof statement === 'string' ? pool.query<R>(statement, values) : pool.query<R>(statement))).rows;
  } catch (error) {
    throw storeError(pool, error);
  }
}

/** The same, but null when it fails with one of these codes. */
export async function queryUnless<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  codes: readonly string[],
  statement: { name: string; text: string; values: unknown[] },
): Promise<R[] | null> {
  try {
    return (await pool.query<R>(statement)).rows;
  } catch (error) {
    if (codes.includes(codeOf(error))) return null;
    throw storeError(pool, error);
  }
}

/** What callers are told: an outage, or the error itself. */
export function storeError(pool: pg.Pool, error: unknown): unknown {
  if (isDiskFull(error)) return noteDiskFull(pool, error);
  if (!isUnavailable(error) && !TRY_AGAIN.has(codeOf(error))) return error;
  return new AppError('unavailable', whyDown.get(pool)?.() ?? undefined, { cause: error, retryAfterMs: 2_000 });
}

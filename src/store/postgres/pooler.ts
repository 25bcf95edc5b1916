// PgBouncer in transaction mode: the next transaction may run on another connection of PostgreSQL, so nothing may be kept on one. `?pgbouncer=true` in the URL says so:
// statements go without names, and the settings of a session come from the role, since PgBouncer does not pass those of a client on. Whether they are there is looked at
// before anything else is done; without them tables would not be found, or a statement might take for ever.
import type { ClientConfig, Pool, PoolConfig } from 'pg';
import { AppError } from '../../model/errors.ts';
import { WatchedClient } from './lost-connections.ts';

export const SEARCH_PATH = 'windrow,public';
/** A setting of no use, by which a session of our own is known: a pooler that drops the settings of clients drops it too. */
export const OWN_SESSION = 'windrow.session';
export const IDLE_IN_TRANSACTION_MS = 60_000;

/** Of a role that is used behind a pooler, unless the operator chose others. */
const ROLE_SETTINGS = {
  search_path: 'windrow, public',
  statement_timeout: `'30s'`,
  lock_timeout: `'5s'`,
  idle_in_transaction_session_timeout: `'60s'`,
} as const;

export const isBehindPooler = (connection: string | ClientConfig): boolean =>
  typeof connection === 'string' && new URL(connection).searchParams.get('pgbouncer') === 'true';

/** Sends no statement by name: the connection that knows the name may be somebody else's by then. */
export class NamelessClient extends WatchedClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    const send = this.query as (...args: unknown[]) => unknown;
    this.query = ((first: unknown, ...rest: unknown[]) => send(withoutName(first), ...rest)) as typeof this.query;
  }
}

/** Copies and cursors send themselves. */
function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return statement;
  return { ...statement, name: undefined };
}

interface Session {
  own: string | null;
  role: string;
  database: string;
  search_path: string;
  statement_timeout: string;
  lock_timeout: string;
  idle_in_transaction_session_timeout: string;
}

/** Why the sessions of this pool cannot be worked with; null if they can. */
export async function sessionRefusal(pool: Pool): Promise<AppError | null> {
  const { rows } = await pool.query<Session>(
    `select nullif(current_setting('${OWN_SESSION}', true), '') as own, quote_ident(current_user) as role, quote_ident(current_database()) as database,
      ${Object.keys(ROLE_SETTINGS)
        .map((name) => `current_setting('${name}') as ${name}`)
        .join(', ')}`,
  );
  const session = rows[0]!;
  if ((pool.options as PoolConfig).Client === NamelessClient) return roleRefusal(session);
  if (session.own !== null) return null;
  return new AppError(
    'invalid_config',
    'Between Windrow and PostgreSQL is a pooler (PgBouncer) that drops the settings of a connection. Add ?pgbouncer=true to the database URL, or name PostgreSQL itself in it.',
  );
}

function roleRefusal(session: Session): AppError | null {
  const isMissing = {
    search_path: session.search_path.split(',')[0]!.replaceAll('"', '') !== 'windrow',
    statement_timeout: session.statement_timeout === '0',
    lock_timeout: session.lock_timeout === '0',
    idle_in_transaction_session_timeout: session.idle_in_transaction_session_timeout === '0',
  };
  const missing = Object.entries(ROLE_SETTINGS).filter(([name]) => isMissing[name as keyof typeof isMissing]);
  if (missing.length === 0) return null;
  const sql = missing
    .map(([name, value]) => `alter role ${session.role} in database ${session.database} set ${name} = ${value};`)
    .join(' ');
  return new AppError(
    'invalid_config',
    `Behind PgBouncer the role has to bring its settings. Run this on PostgreSQL, and RECONNECT on the console of PgBouncer: ${sql}`,
  );
}

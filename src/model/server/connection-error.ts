// Why a server that a setting names cannot be used, for a person: where it is, which setting says so, and the reason. The URL itself is not shown, since
// it may hold a password.
import { AppError } from '../errors.ts';
import { redisAddress } from './redis-url.ts';

interface ServerAt {
  server: 'PostgreSQL' | 'Redis';
  /** The environment variable with the URL. */
  setting: string;
  url: string;
}

const POSTGRES_PORT = '5432';

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed early',
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'the connection timed out',
  '57P03': 'it is still starting',
  '53300': 'it has no connection left',
  EHOSTUNREACH: 'no route to the host',
  ENOENT: 'its socket file does not exist',
};

/** `127.0.0.1:5432`, without user and password. */
export function serverAddress({ server, url }: Pick<ServerAt, 'server' | 'url'>): string {
  if (server === 'Redis') return redisAddress(url);
  const { hostname, port, searchParams } = new URL(url);
  const host = hostname || searchParams.get('host') || 'localhost';
  return `${host}:${port || POSTGRES_PORT}`;
}

/** System errors, refused logins, a database that does not exist, a server that is starting. */
const IS_CONNECTION = /^(E[A-Z_]+|08\w{3}|28\w{3}|3D000|53300|57P0\d)$/;
/** A certificate that is not trusted, is too old, or belongs to another name. */
const IS_TLS = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_)/;
/** What PgBouncer says of settings that it does not pass on, and of what it does not know. Neither will mend itself. */
const POOLER_REFUSAL = 'unsupported startup parameter';
const UNKNOWN_TO_POOLER = ['no such database', 'no such user'];
const IS_LOST = /timeout exceeded when trying to connect|Connection terminated|Connection is closed/i;

/** Anything that is not about the connection is handed back as it is: a statement that failed is another matter. */
export function connectionError(at: ServerAt, thrown: unknown): unknown {
  const error = firstOf(thrown);
  if (!(error instanceof Error) || error instanceof AppError) return thrown;
  const isTls = IS_TLS.test(codeOf(error));
  if (!isTls && !IS_CONNECTION.test(codeOf(error)) && !IS_LOST.test(error.message)) return thrown;
  return new AppError(
    'unavailable',
    `Cannot reach ${at.server} at ${serverAddress(at)} (${at.setting}): ${isTls ? tlsReason(at, error) : connectionReason(error)}`,
    { cause: thrown },
  );
}

/** Whether a server that may only be starting could be the reason; a refused login or a missing database is not. */
export function isNotThereYet({ cause }: AppError): boolean {
  const error = firstOf(cause);
  if (!(error instanceof Error)) return false;
  if (IS_TLS.test(codeOf(error))) return false;
  if ([POOLER_REFUSAL, ...UNKNOWN_TO_POOLER].some((start) => error.message.startsWith(start))) return false;
  return /^(E[A-Z_]+|08\w{3}|57P0[123]|53300)$/.test(codeOf(error)) || IS_LOST.test(error.message);
}

/** A host with several addresses fails with one error for each, and no message of its own. */
const firstOf = (thrown: unknown): unknown =>
  thrown instanceof AggregateError && thrown.message === '' ? thrown.errors[0] : thrown;

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');

function connectionReason(error: Error): string {
  if (error.message.startsWith(POOLER_REFUSAL))
    return `it is PgBouncer (${error.message}). Add ?pgbouncer=true to the URL, or name PostgreSQL itself in it`;
  return REASONS[codeOf(error)] ?? error.message;
}

/** With the word that names the CA in such a URL. */
const tlsReason = ({ server }: ServerAt, { message }: Error): string =>
  `its TLS certificate is not trusted (${message}). Name the file of its CA in the URL: ${server === 'Redis' ? 'ca_file=' : 'sslrootcert='}`;

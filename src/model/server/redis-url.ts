// Where Redis is: one server, or the sentinels that know which one it is now.
//   redis://user:password@host:6379/0                        rediss:// with TLS
//   redis+sentinel://user:password@host:26379,host:26379/name/0   rediss+sentinel:// with TLS
// After `?` come the CA file for TLS, a client certificate, and what the sentinels ask for themselves.

export interface RedisUrl {
  hosts: { host: string; port: number }[];
  /** What the sentinels call the server; null: the host is the server. */
  master: string | null;
  isTls: boolean;
  username: string | null;
  password: string | null;
  db: number;
  params: Partial<Record<(typeof PARAMS)[number], string>>;
}

const PARAMS = ['ca_file', 'cert_file', 'key_file', 'sentinel_username', 'sentinel_password'] as const;
const SHAPE = /^(rediss?)(\+sentinel)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]*)(?::(\d{1,5}))?$/i;
const NAMES_MAX = 64;

export const REDIS_URL_SHAPE =
  'a URL like redis://user:password@host:6379/0 or rediss:// with TLS, or redis+sentinel://host:26379,host:26379/name';

/** Null: it is none. */
export function parseRedisUrl(url: string): RedisUrl | null {
  const [, scheme, sentinel, user = '', authority = '', path = '', query = ''] = SHAPE.exec(url) ?? [];
  if (scheme === undefined) return null;
  const hosts = authority.split(',').map((text) => hostOf(text, sentinel ? 26_379 : 6_379));
  const [name, db = '', ...rest] = sentinel ? path.split('/') : [null, path];
  const params = new URLSearchParams(query);
  const isKnown = [...params.keys()].every((key) => (PARAMS as readonly string[]).includes(key));
  const credentials = decoded(user);
  if (!isKnown || rest.length > 0 || name === '' || !/^\d{0,5}$/.test(db) || credentials === null) return null;
  if (hosts.length > (sentinel ? NAMES_MAX : 1) || hosts.includes(null)) return null;
  return {
    hosts: hosts as RedisUrl['hosts'],
    master: name ?? null,
    isTls: scheme.toLowerCase() === 'rediss',
    ...credentials,
    db: Number(db),
    params: Object.fromEntries(params),
  };
}

/** For people: without user and password. */
export function redisAddress(url: string): string {
  const parsed = parseRedisUrl(url);
  if (!parsed) return 'an address that cannot be read';
  const hosts = parsed.hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  return parsed.master === null ? hosts : `${hosts} (sentinels of ${parsed.master})`;
}

function hostOf(text: string, usualPort: number): { host: string; port: number } | null {
  const [, host, port] = HOST.exec(text) ?? [];
  if (host === undefined || Number(port ?? 0) > 65_535) return null;
  return { host: host.replace(/^\[|\]$/g, '') || 'localhost', port: Number(port ?? usualPort) };
}

function decoded(user: string): { username: string | null; password: string | null } | null {
  const at = user.indexOf(':');
  const part = (text: string): string | null => (text === '' ? null : decodeURIComponent(text));
  try {
    // A name alone is the password, as in older URLs.
    return at < 0
      ? { username: part(user), password: null }
      : { username: part(user.slice(0, at)), password: part(user.slice(at + 1)) };
  } catch {
    return null;
  }
}

// Authentication. Keys are known by their hashes: those of the settings (API_KEYS) are compared in constant time, those of the store looked up. Without keys the server listens on loopback only, and then the danger is the
// user's own browser: another site may send requests to us, or resolve its own host name to our address. Hence the checks of Host and Origin.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../model/errors.ts';
import { keyHash, keyStatus, type Scope } from '../../model/key/key.ts';
import type { KnownKey } from '../../store/keys/keys.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { type PageSessions, sessionToken } from '../session/page-sessions.ts';

export interface Caller {
  /** Null where no keys are needed. */
  keyId: string | null;
  /** Whose work it is; null where no keys are needed. */
  owner: string | null;
  scope: Scope;
  /** The limit of the key; null: as the settings say. */
  requestsPerMinute: number | null;
  /** A key of the owner says how much it may have waiting, or ask for in a day. */
  isLimited: boolean;
  /** The key came in a header that a page of another site cannot set. */
  isDeliberate: boolean;
}

/** Whose work a caller may see; null: everybody's. */
export const seesOf = ({ scope, owner }: Pick<Caller, 'scope' | 'owner'>): string | null =>
  scope === 'admin' ? null : owner;

export interface Access {
  /**
   * Throws `unauthorized` unless no keys are needed or one was given, in a header and not in the URL. A promise only for keys that are not known yet:
   * waiting for one costs time on every request.
   */
  callerOf(headers: IncomingHttpHeaders, url?: string): Caller | Promise<Caller>;
  /** Of who needs no key for what is asked for. One that is given has to be good, and must not be in the URL. */
  visitorOf(headers: IncomingHttpHeaders, url?: string): Caller | Promise<Caller>;
  /** Of a key from the subprotocols of a WebSocket. */
  callerWith(key: string): Caller | Promise<Caller>;
  /** Of a key that was checked before, by its id; throws when it does not work any more. */
  callerById(keyId: string | null): Caller;
  /** Throws `forbidden_origin` for requests that a page of another site made. */
  refuseForeign(method: string, headers: IncomingHttpHeaders, caller: Caller): void;
  readonly needsKeys: boolean;
}

export interface AccessOptions {
  /** Of the settings: they may do everything. */
  apiKeys: readonly string[];
  /** Those of the store; without it there are none. */
  ring?: Pick<KeyRing, 'find' | 'findById' | 'hasKeys' | 'isLimited' | 'readAgain' | 'noteUse'>;
  /** Of people who signed in to the dashboard; without it nobody can. */
  sessions?: Pick<PageSessions, 'find'>;
  /** Where the server listens. */
  host?(): string;
  now?(): number;
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** What browsers say of a request that a page of another origin made; a page cannot change it. Programs say nothing. */
const FOREIGN_SITES = new Set(['cross-site', 'same-site']);
const LOOPBACK_HOST = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
const KEY_IN_URL = /[?&](?:api_?-?key|key|(?:access_)?token|auth\w{0,20})=/i;
/** Whoever asks where no keys are needed. */
export const ANYONE: Caller = {
  keyId: null,
  owner: null,
  scope: 'admin',
  requestsPerMinute: null,
  isLimited: false,
  isDeliberate: false,
};

export const isLoopback = (host: string): boolean =>
  LOOPBACK_HOST.test(host) || host === '::1' || host === '::ffff:127.0.0.1';

/** Listening for other machines without keys is never intended. */
export function requireKeys(host: string, hasKeys: boolean): void {
  if (hasKeys || isLoopback(host)) return;
  throw new AppError(
    'keys_required',
    `Listening on ${host} needs API keys: otherwise anyone who can reach it could use it. Make one with "windrow keys create", or set API_KEYS (for example to the output of "openssl rand -hex 24"), or HOST=127.0.0.1.`,
  );
}

export function createAccess({
  apiKeys,
  ring,
  sessions,
  host = () => '127.0.0.1',
  now = Date.now,
}: AccessOptions): Access {
  const digests = apiKeys.map(keyHash);

  /** All keys are compared, always: the time must not reveal which one was close. */
  function bootstrapCaller(given: Buffer): Caller | null {
    let found: Buffer | null = null;
    for (const known of digests) if (timingSafeEqual(known, given)) found = known;
    return found && bootstrapOf(found);
  }

  function storedCaller(key: KnownKey): Caller {
    const status = keyStatus(key, now());
    if (status !== 'active')
      throw new AppError(
        'unauthorized',
        `The API key ${key.prefix}… ${status === 'revoked' ? 'was revoked' : 'has expired'}. Ask the operator of this server for another.`,
      );
    ring!.noteUse(key);
    const { id: keyId, owner, scope, requestsPerMinute } = key;
    const isLimited = ring!.isLimited(owner);
    return { keyId, owner, scope, requestsPerMinute, isLimited, isDeliberate: true };
  }

  function callerWith(key: string): Caller | Promise<Caller> {
    const given = keyHash(key);
    const bootstrap = bootstrapCaller(given);
    if (bootstrap) return bootstrap;
    const hash = given.toString('hex');
    const known = ring?.find(hash);
    if (known) return storedCaller(known);
    if (!ring) throw invalidKey();
    return ring.readAgain().then(
      () => {
        const found = ring.find(hash);
        if (!found) throw invalidKey();
        return storedCaller(found);
      },
      (error: unknown) => {
        throw new AppError('unavailable', 'The API key cannot be checked now. Try again.', { cause: error });
      },
    );
  }

  /** The browser sends its cookie by itself, so the Origin of its requests has to be ours. */
  function callerOfSession(token: string): Caller | Promise<Caller> {
    const callerOf = (found: { keyId: string } | null): Caller => {
      if (!found)
        throw new AppError('unauthorized', 'You are not signed in any more. Sign in again, or send an API key.');
      return { ...access.callerById(found.keyId), isDeliberate: false };
    };
    const found = sessions!.find(token);
    return found instanceof Promise ? found.then(callerOf) : callerOf(found);
  }

  const access: Access = {
    get needsKeys() {
      const isAlwaysNeeded = digests.length > 0 || !isLoopback(host());
      if (isAlwaysNeeded || !ring) return isAlwaysNeeded;
      // A server that was closed by a key must not be open to everyone because the keys cannot be read.
      if (ring.hasKeys === null) throw new AppError('unavailable', 'The API keys cannot be read now. Try again.');
      return ring.hasKeys;
    },
    callerWith,
    callerById(keyId) {
      if (keyId === null) return ANYONE;
      const bootstrap = digests.find((known) => idOf(known) === keyId);
      if (bootstrap) return bootstrapOf(bootstrap);
      const known = ring?.findById(keyId);
      if (!known) throw invalidKey();
      return storedCaller(known);
    },
    visitorOf(headers, url = '') {
      if (!access.needsKeys) return ANYONE;
      if (presentedKey(headers).isDeliberate) return access.callerOf(headers, url);
      refuseKeyInUrl(url);
      return ANYONE;
    },
    callerOf(headers, url = '') {
      if (!access.needsKeys) return ANYONE;
      refuseKeyInUrl(url);
      const { key, isDeliberate } = presentedKey(headers);
      const session = key === null && sessions ? sessionToken(headers) : null;
      if (session !== null) return callerOfSession(session);
      if (key === null)
        throw new AppError(
          'unauthorized',
          'An API key is needed: send "Authorization: Bearer <key>" or "X-API-Key: <key>".',
        );
      const caller = callerWith(key);
      if (isDeliberate) return caller;
      return caller instanceof Promise
        ? caller.then((found) => ({ ...found, isDeliberate }))
        : { ...caller, isDeliberate };
    },
    refuseForeign(method, headers, caller) {
      if (caller.isDeliberate) return;
      if (!access.needsKeys && headers.host !== undefined && !LOOPBACK_HOST.test(headers.host)) {
        throw new AppError(
          'forbidden_origin',
          'Without API keys only requests to localhost are allowed. Use http://127.0.0.1, or set API_KEYS.',
        );
      }
      if (isFollowedLink(method, headers)) return;
      const isOwnPage = headers.origin === undefined || hostOf(headers.origin) === headers.host?.toLowerCase();
      if (!isOwnPage || FOREIGN_SITES.has(String(headers['sec-fetch-site'])))
        throw new AppError(
          'forbidden_origin',
          'Requests from pages of other origins are not allowed. Call the API from its own origin, or with an API key.',
        );
    },
  };
  return access;
}

const idOf = (digest: Buffer): string => digest.toString('hex').slice(0, 12);

/** A key of the settings is its own owner, so that several of them share the workers. */
const bootstrapOf = (digest: Buffer): Caller => ({
  keyId: idOf(digest),
  owner: idOf(digest),
  scope: 'admin',
  requestsPerMinute: null,
  isLimited: false,
  isDeliberate: true,
});

function refuseKeyInUrl(url: string): void {
  if (KEY_IN_URL.test(url))
    throw new AppError(
      'unauthorized',
      'An API key is not allowed in a URL, since URLs end up in logs: send "Authorization: Bearer <key>" or "X-API-Key: <key>". Replace the key if it was a real one.',
    );
}

const invalidKey = (): AppError =>
  new AppError(
    'unauthorized',
    'The API key is not valid. Check it for missing characters, or ask the operator of this server.',
  );

/** A link on another site that a person followed: the site learns nothing of the page it leads to. */
const isFollowedLink = (method: string, headers: IncomingHttpHeaders): boolean =>
  SAFE_METHODS.has(method) &&
  headers.origin === undefined &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

function presentedKey(headers: IncomingHttpHeaders): { key: string | null; isDeliberate: boolean } {
  const named = headers['x-api-key'];
  if (typeof named === 'string') return { key: named, isDeliberate: true };
  const [scheme = '', value = ''] = (headers.authorization ?? '').split(' ', 2);
  if (/^bearer$/i.test(scheme)) return { key: value, isDeliberate: true };
  // Basic authentication of a browser: any user name, the key as password. The browser repeats it by itself, so its Origin still has to be ours.
  if (/^basic$/i.test(scheme)) {
    const text = Buffer.from(value, 'base64').toString('utf8');
    return { key: text.slice(text.indexOf(':') + 1), isDeliberate: false };
  }
  return { key: null, isDeliberate: false };
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host.toLowerCase() : null;
}

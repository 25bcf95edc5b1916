// Authentication. Keys are stored as hashes and compared in constant time. Without keys the server listens on loopback only, and then the danger is the
// user's own browser: another site may send requests to us, or resolve its own host name to our address. Hence the checks of Host and Origin.
import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../model/errors.ts';

export interface Caller {
  /** Whose requests are counted for the rate limit; null: those of the client address. */
  keyId: string | null;
  /** The key came in a header that a page of another site cannot set. */
  isDeliberate: boolean;
}

export interface Access {
  /** Throws `unauthorized` unless keys are off or one was given, in a header and not in the URL. */
  callerOf(headers: IncomingHttpHeaders, url?: string): Caller;
  /** Of a key from the subprotocols of a WebSocket; null when it is not valid. */
  keyIdOf(key: string): string | null;
  /** Throws `forbidden_origin` for requests that a page of another site made. */
  refuseForeign(method: string, headers: IncomingHttpHeaders, caller: Caller): void;
  readonly hasKeys: boolean;
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** What browsers say of a request that a page of another origin made; a page cannot change it. Programs say nothing. */
const FOREIGN_SITES = new Set(['cross-site', 'same-site']);
const LOOPBACK_HOST = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
const KEY_IN_URL = /[?&](?:api_?-?key|key|(?:access_)?token|auth\w{0,20})=/i;
const NOBODY: Caller = { keyId: null, isDeliberate: false };

export const isLoopback = (host: string): boolean =>
  LOOPBACK_HOST.test(host) || host === '::1' || host === '::ffff:127.0.0.1';

/** Listening for other machines without keys is never intended. */
export function requireKeys(host: string, apiKeys: readonly string[]): void {
  if (apiKeys.length > 0 || isLoopback(host)) return;
  throw new AppError(
    'keys_required',
    `Listening on ${host} needs API keys: otherwise anyone who can reach it could use it. Set API_KEYS (for example to the output of "openssl rand -hex 24"), or HOST=127.0.0.1.`,
  );
}

export function createAccess(apiKeys: readonly string[]): Access {
  const digests = apiKeys.map((key) => digest(key));

  function keyIdOf(key: string): string | null {
    const given = digest(key);
    let found: Buffer | null = null;
    // All keys are compared, always: the time must not reveal which one was close.
    for (const known of digests) if (timingSafeEqual(known, given)) found = known;
    return found?.toString('hex').slice(0, 12) ?? null;
  }

  return {
    hasKeys: digests.length > 0,
    keyIdOf,
    callerOf(headers, url = '') {
      if (digests.length === 0) return NOBODY;
      if (KEY_IN_URL.test(url))
        throw new AppError(
          'unauthorized',
          'An API key is not allowed in a URL, since URLs end up in logs: send "Authorization: Bearer <key>" or "X-API-Key: <key>". Replace the key if it was a real one.',
        );
      const { key, isDeliberate } = presentedKey(headers);
      const keyId = key === null ? null : keyIdOf(key);
      if (keyId === null) {
        throw new AppError(
          'unauthorized',
          key === null
            ? 'An API key is needed: send "Authorization: Bearer <key>" or "X-API-Key: <key>".'
            : 'The API key is not valid. Check it for missing characters, or ask the operator of this server.',
        );
      }
      return { keyId, isDeliberate };
    },
    refuseForeign(method, headers, caller) {
      if (caller.isDeliberate) return;
      if (digests.length === 0 && headers.host !== undefined && !LOOPBACK_HOST.test(headers.host)) {
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
}

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

function digest(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

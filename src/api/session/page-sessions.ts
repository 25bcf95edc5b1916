// Sessions of the dashboard: a key, given once, becomes a random token in a cookie that scripts of the page cannot read. What a reader would get wrong: a
// session is only as good as its key, which is looked at on every request, so revoking a key ends its sessions.
import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { within } from '../../observe/cached.ts';
import type { PageSession, PageSessionStore } from '../../store/page-sessions.ts';

export const SESSION_SECONDS = 7 * 86_400;
const COOKIE = 'windrow_session';
const TOKEN = /^[\w-]{43}$/;
const LIMIT_MS = 5_000;
/** A session that was ended in another API process works here for this long. */
const KEPT_MS = 5_000;
const KEPT_MAX = 10_000;

export interface PageSessions {
  open(keyId: string): Promise<{ token: string; expiresAt: Date }>;
  /** Of the cookie of a request; a promise only for those that were not asked about just now. Null: unknown or ended. */
  find(token: string): PageSession | null | Promise<PageSession | null>;
  end(token: string): Promise<void>;
}

interface Kept {
  session: PageSession | null;
  untilMs: number;
}

export function createPageSessions(store: PageSessionStore): PageSessions {
  const kept = new Map<string, Kept>();
  const inTime = <T>(work: Promise<T>): Promise<T> => within(work, LIMIT_MS, 'The database');

  async function read(token: string): Promise<PageSession | null> {
    const session = await inTime(store.getPageSession(digest(token)));
    kept.set(token, { session, untilMs: performance.now() + KEPT_MS });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    return session;
  }

  return {
    async open(keyId) {
      const token = randomBytes(32).toString('base64url');
      const { expiresAt } = await inTime(store.addPageSession(digest(token), { keyId, seconds: SESSION_SECONDS }));
      return { token, expiresAt };
    },
    find(token) {
      const known = kept.get(token);
      if (!known || known.untilMs < performance.now()) {
        kept.delete(token);
        return read(token);
      }
      const isOver = known.session !== null && known.session.expiresAt.getTime() <= Date.now();
      return isOver ? null : known.session;
    },
    async end(token) {
      kept.delete(token);
      await inTime(store.endPageSession(digest(token)));
    },
  };
}

const digest = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The token in the cookies of a request. */
export function sessionToken({ cookie }: IncomingHttpHeaders): string | null {
  if (!cookie?.includes(COOKIE)) return null;
  for (const part of cookie.split(';')) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name === COOKIE && TOKEN.test(value)) return value;
  }
  return null;
}

/** `Strict`: a page of another site cannot send it along, not even with a link. */
export const sessionCookie = (token: string | null, isSecure: boolean): string =>
  [
    `${COOKIE}=${token ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${token === null ? 0 : SESSION_SECONDS}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');

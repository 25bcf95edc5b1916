// A session is one visitor: cookies, headers, TLS profile, exit and viewport belong together and stay together. A pool holds the sessions of one source,
// tier and locality. A rate limit (429) does not change the score; a block retires the session for good.
import type { CookieJar } from 'tough-cookie';
import { type BrowserHeaders, browserHeaders, type Profile, pickProfile } from './identity.ts';
import type { Exit } from './proxy.ts';

export interface Session {
  id: number;
  key: string;
  exit: Exit;
  tier: number;
  locale: string;
  timezone: string | null;
  geolocation: { latitude: number; longitude: number } | null;
  /** null for a session that claims nothing. */
  profile: Profile | null;
  headers: BrowserHeaders | null;
  jar: CookieJar | null;
  /** Cookies it was ever handed; past a limit it takes no more, since a site may invent them without end. */
  cookiesSeen: number;
  uses: number;
  inUse: number;
  bornAt: number;
  score: number;
  isBurnt: boolean;
  hasConsented: boolean;
}

export interface SessionRules {
  maxUses: number;
  maxAgeMs: number;
  /** Score at which a session is retired; errors add 1, successes take off a half. */
  maxScore: number;
  /** Sessions kept per pool and exit. */
  poolSize: number;
  /** The same for sessions in a browser: few, because each keeps a page open, and a fresh one costs ten times a kept one. */
  renderedPoolSize: number;
}

export interface SessionPoolOptions {
  rules?: Partial<SessionRules>;
  now?: () => number;
  random?: () => number;
}

export interface SessionRequest {
  source: string;
  tier: number;
  locality: string;
  locale: string;
  timezone?: string;
  geolocation?: { latitude: number; longitude: number };
  /** `rendered` is a real browser: it claims what it is, and shares nothing with one that is only claimed. */
  identity: 'honest' | 'browser' | 'rendered';
  pickExit(): Exit;
  /** Only a session of this exit will do: its turn has come. */
  exit?: Exit;
  /** The session of the attempt's last page: cookies of one page are meant for the next. */
  prefer?: Session;
}

export interface SessionPool {
  acquire(request: SessionRequest): Promise<Session>;
  /** Whether it would be given the session it prefers. */
  hasPreferred(request: SessionRequest): boolean;
  release(session: Session, outcome: 'ok' | 'error' | 'throttled' | 'blocked' | 'exit-dead'): void;
  readonly size: number;
}

const DEFAULTS: SessionRules = { maxUses: 100, maxAgeMs: 3_600_000, maxScore: 3, poolSize: 20, renderedPoolSize: 4 };
const MAX_POOLS = 1_000;

export function createSessionPool(options: SessionPoolOptions = {}): SessionPool {
  const rules = { ...DEFAULTS, ...options.rules };
  const now = options.now ?? (() => performance.now());
  const random = options.random ?? Math.random;
  const pools = new Map<string, Session[]>();
  const making = new WeakMap<Session, Promise<BrowserHeaders>>();
  let born = 0;

  const headersOf = (session: Session, profile: Profile): Promise<BrowserHeaders> => {
    const known = making.get(session) ?? browserHeaders(profile, session.locale);
    making.set(session, known);
    return known;
  };

  const isUsable = (session: Session) =>
    !session.isBurnt &&
    session.uses < rules.maxUses &&
    now() - session.bornAt < rules.maxAgeMs &&
    session.score < rules.maxScore;

  const create = (request: SessionRequest, key: string): Session => {
    born += 1;
    const profile = request.identity === 'browser' ? pickProfile(random) : null;
    return {
      id: born,
      key,
      exit: request.exit ?? request.pickExit(),
      tier: request.tier,
      locale: request.locale,
      timezone: request.timezone ?? null,
      geolocation: request.geolocation ?? null,
      profile,
      headers: null,
      jar: null,
      cookiesSeen: 0,
      uses: 0,
      inUse: 0,
      bornAt: now(),
      score: 0,
      isBurnt: false,
      hasConsented: false,
    };
  };

  const keyOf = (request: SessionRequest): string =>
    [request.source, request.tier, request.locality, request.locale, request.identity].join('|');

  return {
    hasPreferred: (request) =>
      request.prefer !== undefined &&
      isUsable(request.prefer) &&
      (pools.get(keyOf(request)) ?? []).includes(request.prefer),
    get size() {
      return [...pools.values()].reduce((sum, pool) => sum + pool.length, 0);
    },
    async acquire(request) {
      const key = keyOf(request);
      const usable = (pools.get(key) ?? []).filter(isUsable);
      const pool = request.exit === undefined ? usable : usable.filter(({ exit }) => exit === request.exit);
      const byLoad = pool.toSorted((a, b) => a.inUse - b.inUse || a.uses - b.uses);
      const [idlest] = byLoad;
      // A visitor with nothing to do before a new one, a new one before a busy one, and a busy one when the pool is full.
      const poolSize = request.identity === 'rendered' ? rules.renderedPoolSize : rules.poolSize;
      const isTaken = idlest === undefined || idlest.inUse > 0;
      const preferred = request.prefer !== undefined && pool.includes(request.prefer) ? request.prefer : undefined;
      const known = preferred ?? (isTaken && pool.length < poolSize ? undefined : idlest);
      const session = known ?? create(request, key);
      if (!usable.includes(session)) usable.push(session);
      pools.delete(key);
      if (pools.size >= MAX_POOLS) pools.delete(pools.keys().next().value ?? '');
      pools.set(key, usable);
      session.uses += 1;
      session.inUse += 1;
      // Only now may this wait: the pool must know the session first, or two who ask at once would each lose the other's.
      if (session.profile !== null) session.headers ??= await headersOf(session, session.profile);
      return session;
    },
    release(session, outcome) {
      session.inUse -= 1;
      if (outcome === 'ok') session.score = Math.max(0, session.score - 0.5);
      if (outcome === 'error') session.score += 1;
      if (outcome === 'blocked' || outcome === 'exit-dead') session.isBurnt = true;
      if (!isUsable(session) && session.inUse === 0) {
        const left = (pools.get(session.key) ?? []).filter((other) => other !== session);
        if (left.length > 0) pools.set(session.key, left);
        else pools.delete(session.key);
      }
    },
  };
}

type Cookies = Pick<Session, 'jar' | 'cookiesSeen'>;

/** The jar is made when the first cookie comes: most pages of most sites set none that matter, and tough-cookie is not free. */
export async function keepCookies(session: Cookies, setCookies: string[], url: string): Promise<void> {
  const taken = setCookies.slice(0, Math.min(MAX_COOKIES_PER_ANSWER, MAX_COOKIES_PER_SESSION - session.cookiesSeen));
  if (taken.length === 0) return;
  session.cookiesSeen += taken.length;
  if (session.jar === null) {
    const { CookieJar: Jar } = await import('tough-cookie');
    session.jar ??= new Jar(undefined, { looseMode: true });
  }
  for (const cookie of taken) await session.jar.setCookie(cookie, url, { ignoreError: true });
}

export async function cookiesFor(session: Pick<Session, 'jar'>, url: string): Promise<string> {
  return session.jar === null ? '' : session.jar.getCookieString(url);
}

const MAX_COOKIES_PER_ANSWER = 50;
const MAX_COOKIES_PER_SESSION = 2_000;

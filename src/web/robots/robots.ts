// Whether robots.txt lets us ask for an address, and how fast. One fetch per origin serves everyone who waits for it. A site without the
// file allows everything; a site that cannot give it (5xx, no connection) allows nothing until it can, which is an error to come
// back from and not a ban.
import { AppError } from '../../model/errors.ts';
import { parseRobotsTxt, ROBOTS_MAX_BYTES, type RobotsTxt } from './robots-txt.ts';

export interface RobotsOptions {
  /** `on`, `off`, or `off:source,source` (WEB_ROBOTS). */
  mode?: string;
  /** The name rules are looked up by. */
  agent: string;
  /** Fetches one robots.txt; throws AppErrors. It has its own deadline, not that of the first caller. */
  fetch(url: URL): Promise<{ status: number; text: string }>;
  now?: () => number;
}

export interface RobotsAnswer {
  isAllowed: boolean;
  crawlDelayMs: number;
}

export interface Robots {
  isOnFor(source: string): boolean;
  check(url: URL, signal: AbortSignal): Promise<RobotsAnswer>;
  sitemaps(url: URL, signal: AbortSignal): Promise<string[]>;
}

interface Entry {
  file: Promise<RobotsTxt>;
  /** The same once it is there: page after page asks, and waiting for what is there costs more than the answer. */
  ready: RobotsTxt | null;
  /** The last good copy, for when the next fetch fails. */
  lastGood: RobotsTxt | null;
  expiresAt: number;
  chars: number;
}

const FRESH_MS = 24 * 3_600_000;
const ABSENT_MS = 3_600_000;
const FAILED_MS = 30_000;
const MAX_ORIGINS = 5_000;
/** Of all files together: five thousand hostile ones of half a megabyte would otherwise fill the memory. */
const MAX_CHARS = 20_000_000;
/** Longer crawl delays are cut to this: they would block the queue. */
const MAX_CRAWL_DELAY_MS = 60_000;

export function parseRobotsMode(mode: string | undefined): (source: string) => boolean {
  const text = (mode ?? 'on').trim().toLowerCase();
  if (text === 'on') return () => true;
  if (text === 'off') return () => false;
  const [, list] = /^off:(.+)$/.exec(text) ?? [];
  if (list === undefined)
    throw new AppError('invalid_params', `robots has to be on, off or off:source,source, not ${text}`);
  const off = new Set(list.split(',').map((name) => name.trim()));
  return (source) => !off.has(source.toLowerCase());
}

export function createRobots(options: RobotsOptions): Robots {
  const now = options.now ?? Date.now;
  const entries = new Map<string, Entry>();
  let chars = 0;
  const isOnFor = parseRobotsMode(options.mode);

  const load = async (origin: string, entry: Entry): Promise<RobotsTxt> => {
    try {
      const { status, text } = await options.fetch(new URL('/robots.txt', origin));
      if (status === 429 || status >= 500) {
        throw new AppError('http_5xx', `robots.txt is unavailable: ${status}`, { details: { status, robots: true } });
      }
      const isGood = status >= 200 && status < 300;
      entry.expiresAt = now() + (isGood ? FRESH_MS : ABSENT_MS);
      const file = isGood ? text.slice(0, ROBOTS_MAX_BYTES) : '';
      entry.lastGood = parseRobotsTxt(file);
      entry.chars = file.length;
      chars += file.length;
      forgetOldest();
      return entry.lastGood;
    } catch (error) {
      // A redirect to somewhere we may not go, or a file beyond all measure, is no robots.txt at all.
      const isAbsent =
        error instanceof AppError && ['forbidden_address', 'too_large', 'too_many_redirects'].includes(error.code);
      const againMs = error instanceof AppError ? Math.min(error.retryAfterMs ?? FAILED_MS, FAILED_MS) : FAILED_MS;
      entry.expiresAt = now() + (isAbsent ? ABSENT_MS : againMs);
      if (isAbsent) return parseRobotsTxt('');
      if (entry.lastGood !== null) return entry.lastGood;
      throw error;
    }
  };

  const forget = (origin: string) => {
    chars -= entries.get(origin)?.chars ?? 0;
    entries.delete(origin);
  };
  const forgetOldest = () => {
    for (const origin of entries.keys()) {
      if (entries.size <= MAX_ORIGINS && chars <= MAX_CHARS) return;
      forget(origin);
    }
  };

  const fileOf = (url: URL, signal: AbortSignal): RobotsTxt | Promise<RobotsTxt> => {
    if (signal.aborted) throw new AppError('cancelled');
    const known = entries.get(url.origin);
    if (known !== undefined && known.expiresAt > now()) return known.ready ?? unlessAborted(known.file, signal);
    const entry: Entry = {
      file: Promise.resolve(EMPTY),
      ready: null,
      lastGood: known?.lastGood ?? null,
      expiresAt: Number.POSITIVE_INFINITY,
      chars: 0,
    };
    forget(url.origin);
    entries.set(url.origin, entry);
    forgetOldest();
    entry.file = load(url.origin, entry);
    entry.file.then(
      (file) => {
        entry.ready = file;
      },
      // Callers that wait get the error; without one it must not end the process.
      () => {},
    );
    return unlessAborted(entry.file, signal);
  };

  return {
    isOnFor,
    async check(url, signal) {
      const file = await fileOf(url, signal);
      const seconds = file.crawlDelaySeconds(options.agent) ?? 0;
      return {
        isAllowed: file.isAllowed(url.href, options.agent),
        crawlDelayMs: Math.min(seconds * 1000, MAX_CRAWL_DELAY_MS),
      };
    },
    async sitemaps(url, signal) {
      const file = await fileOf(url, signal);
      return file.sitemaps.filter((address) => URL.canParse(address, url)).map((address) => new URL(address, url).href);
    },
  };
}

const EMPTY = parseRobotsTxt('');

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AppError('cancelled'));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

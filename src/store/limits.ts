// The store as the API uses it: a caller hears within seconds when PostgreSQL does not answer, and few wait for what is stuck. Two things are told apart. A server
// that does not answer a probe either is away: then nobody waits any longer. On a server that answers a call may take as long as it needs, until one of its kind has
// failed (a table is locked, say): then the others wait no longer than the limit, until one succeeds.
// What a reader would get wrong: giving up does not undo. What was sent may be committed later, so 503 means "unknown"; an Idempotency-Key makes trying again safe.
import { AppError } from '../model/errors.ts';
import type { ConnectionStore } from './maintenance.ts';

export interface StoreLimits {
  /** How long a caller waits. The lock timeout of PostgreSQL has to be shorter. */
  limitMs: number;
}

interface Call {
  name: string;
  sinceMs: number;
  giveUp(error: AppError): void;
}

/** More calls than this do not wait at the same time. */
const MAX_WAITING = 20_000;
/** Nor of one kind, after one of it has failed and none has succeeded since. */
const MAX_STUCK = 100;
/** Shares of the limit: after which a probe is sent, and how long it may take. Both together leave some time for the answer. */
const PROBE_AFTER = 0.4;
const PROBE_LIMIT = 0.4;
const LOOK_EVERY = 0.08;

export function limitStore<T extends ConnectionStore>(store: T, { limitMs }: StoreLimits): T {
  const waiting = new Set<Call>();
  const stuck = new Set<string>();
  const waitingOf = new Map<string, number>();
  let isAway = false;
  let isProbing = false;
  let isLooking = false;

  async function probe(): Promise<void> {
    isProbing = true;
    isAway = !(await answersWithin(store.probe(), limitMs * PROBE_LIMIT));
    isProbing = false;
    if (isAway) for (const call of waiting) if (isOld(call, PROBE_AFTER)) call.giveUp(away());
  }

  const isOld = ({ sinceMs }: Call, share: number): boolean => performance.now() - sinceMs >= limitMs * share;

  function look(): void {
    for (const call of waiting) {
      // In the order of their age.
      if (!isOld(call, PROBE_AFTER)) break;
      if (isOld(call, 1) && stuck.has(call.name)) call.giveUp(tooSlow());
    }
    const [oldest] = waiting;
    if (!isProbing && (isAway || (oldest && isOld(oldest, PROBE_AFTER)))) void probe();
    isLooking = false;
    if (waiting.size > 0 || isAway) lookSoon();
  }

  function lookSoon(): void {
    if (isLooking) return;
    isLooking = true;
    setTimeout(look, limitMs * LOOK_EVERY).unref();
  }

  function run(name: string, work: () => unknown): unknown {
    const others = waitingOf.get(name) ?? 0;
    if (waiting.size >= MAX_WAITING || (stuck.has(name) && others >= MAX_STUCK)) return Promise.reject(tooMany());
    if (isAway) return Promise.reject(away());
    const answer = work();
    if (!(answer instanceof Promise)) return answer;
    lookSoon();
    waitingOf.set(name, others + 1);
    return new Promise((resolve, reject) => {
      const call: Call = {
        name,
        sinceMs: performance.now(),
        giveUp(error) {
          stuck.add(name);
          end();
          reject(error);
        },
      };
      const end = (): void => {
        if (waiting.delete(call)) waitingOf.set(name, waitingOf.get(name)! - 1);
      };
      waiting.add(call);
      answer.then(
        (value) => {
          stuck.delete(name);
          end();
          resolve(value);
        },
        (error) => {
          if (error instanceof AppError && error.code === 'unavailable') stuck.add(name);
          end();
          reject(error);
        },
      );
    });
  }

  const entries = Object.entries(store).map(([name, call]) =>
    typeof call !== 'function' || UNLIMITED.has(name)
      ? [name, call]
      : [name, (...args: unknown[]) => run(name, () => (call as (...given: unknown[]) => unknown)(...args))],
  );
  return Object.fromEntries(entries) as T;
}

/** They have limits of their own, or end the process. */
const UNLIMITED: ReadonlySet<string> = new Set<keyof ConnectionStore>(['ping', 'probe', 'close']);

async function answersWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    // Answers that have come while this process was busy are read first.
    timer = setTimeout(() => setImmediate(() => resolve(false)), limitMs);
  });
  // A refusal is an answer too: whoever meets it hears so at once.
  const answered = work.then(
    () => true as const,
    () => true as const,
  );
  const result = await Promise.race([answered, late]);
  clearTimeout(timer);
  return result;
}

const refused = (message: string): AppError => new AppError('unavailable', message, { retryAfterMs: 2_000 });
const away = (): AppError => refused('PostgreSQL does not answer. Try again.');
const tooSlow = (): AppError => refused('PostgreSQL takes too long, or a table is locked. Try again.');
const tooMany = (): AppError => refused('Too many requests are waiting for PostgreSQL. Try again.');

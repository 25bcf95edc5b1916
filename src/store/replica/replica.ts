// A second PostgreSQL that follows the first and takes over reading: lists, analytics and exports, which may be a little old. When it is away, or further behind than allowed, the same
// questions go to the primary; so does one that it could not answer.
import { AppError } from '../../model/errors.ts';
import { createPool, type PoolOptions, probePool, query } from '../postgres/pool.ts';
import { sessionRefusal } from '../postgres/pooler.ts';
import { type Store, storeOver } from '../store.ts';
import { createLag, walPosition } from './lag.ts';

export interface ReplicaOptions extends PoolOptions {
  maxLagMs: number;
  /** Where the primary is in its log: `16/B374D848`. */
  primaryPosition(): Promise<string>;
  /** It is used now, or it is not, and why. */
  onChange(state: ReplicaState): void;
}

export interface ReplicaState {
  isUsed: boolean;
  /** For people; null: nothing to say. */
  detail: string | null;
}

export interface Replica {
  store: Store;
  readonly state: ReplicaState;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/** Resolves after the first look, whatever that says. */
export async function openReplica(options: ReplicaOptions): Promise<Replica> {
  const pool = createPool(options);
  // Of its own, and with little patience: it waits behind nothing.
  const asking = probePool(pool);
  const lag = createLag();
  let state: ReplicaState = { isUsed: false, detail: 'not asked yet' };
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function look(): Promise<ReplicaState> {
    const atMs = performance.now();
    const primary = await options.primaryPosition().catch(() => null);
    const [row] = await query<{ follows: boolean; position: string | null; tables: boolean }>(
      asking,
      `select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn()::text as position, to_regclass('windrow.migrations') is not null as tables`,
    );
    if (!row!.follows || row!.position === null) return notUsed('it is not a replica');
    const refusal = await sessionRefusal(asking);
    if (refusal) return notUsed(refusal.message);
    if (!row!.tables) return notUsed('it has no tables of Windrow');
    lag.note(primary === null ? null : walPosition(primary), walPosition(row!.position), atMs);
    const behindMs = lag.ms(performance.now());
    return behindMs > options.maxLagMs
      ? notUsed(`it is ${Math.round(behindMs / 1_000)} s behind`)
      : { isUsed: true, detail: null };
  }

  async function lookAgain(): Promise<void> {
    const found = await look().catch(() => notUsed('it does not answer'));
    const hasChanged = found.isUsed !== state.isUsed;
    state = found;
    if (hasChanged) options.onChange(state);
    if (!isClosed) timer = setTimeout(() => void lookAgain(), LOOK_EVERY_MS).unref();
  }

  await lookAgain();
  return {
    store: storeOver(pool),
    get state() {
      return state;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([pool.end(), asking.end()]);
    },
  };
}

const notUsed = (why: string): ReplicaState => ({ isUsed: false, detail: `${why}: lists are read from the primary` });

/** The same store, whose questions go to the replica while it is used. */
export function readingFrom<T extends object>(primary: T, replica: T, isUsed: () => boolean): T {
  const functions = Object.entries(primary).map(([name, own]) => {
    const there = replica[name as keyof T];
    if (typeof own !== 'function' || typeof there !== 'function') return [name, own];
    return [name, (...args: unknown[]) => (isUsed() ? orElse(there(...args), () => own(...args)) : own(...args))];
  });
  return Object.fromEntries(functions) as T;
}

/** What a replica cancels or does not answer is asked again; a wrong question is wrong everywhere. */
function orElse(answer: unknown, again: () => unknown): unknown {
  if (!(answer instanceof Promise)) return answer;
  return answer.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unavailable') return again();
    throw error;
  });
}

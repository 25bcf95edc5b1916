// Settles sessions: the postings of a company scrape become created, updated and closed positions. Those of a large board become positions as they come. Any
// number of instances may do it at once.
import { AppError } from '../../model/errors.ts';
import type { SessionStore } from '../../store/companies/company-store.ts';
import type { Ended, SettledSession } from '../../store/companies/sessions.ts';

export interface SettleOptions {
  store: SessionStore;
  onSettled(session: SettledSession): void;
  onFailed(sessionId: string, error: unknown): void;
}

const BATCH = 500;
const AT_ONCE = 3;

export function createSettle({ store, onSettled, onFailed }: SettleOptions): (signal: AbortSignal) => Promise<void> {
  async function settleOne(session: Ended, signal: AbortSignal): Promise<boolean> {
    const { id } = session;
    try {
      if (session.isLarge) await progressOne(id, null, signal);
      if (signal.aborted) return false;
      const settled = await store.settleSession(session);
      if (settled) onSettled(settled);
      return settled !== null;
    } catch (error) {
      // An outage of the store passes, and the session waits; any other error would repeat every second.
      if (error instanceof AppError && error.code === 'unavailable') throw error;
      onFailed(id, error);
      await store.failSession(id, `could not be settled: ${error instanceof Error ? error.message : String(error)}`);
      return true;
    }
  }

  /** Answers with how far it came. */
  async function progressOne(id: string, from: number | null, signal: AbortSignal): Promise<number | null> {
    let place = from;
    for (;;) {
      const next = signal.aborted ? null : await store.progressSession(id, place);
      if (next === null) return place;
      place = next;
    }
  }

  /** Running ones, with how far they came. */
  const places = new Map<string, number | null>();
  /** Sessions whose progress could not be stored: settling them will tell why. */
  const stuck = new Set<string>();

  async function progress(signal: AbortSignal): Promise<void> {
    const ids = await store.unfinishedSessions(BATCH);
    for (const id of stuck) if (!ids.includes(id)) stuck.delete(id);
    for (const id of places.keys()) if (!ids.includes(id)) places.delete(id);
    for (const id of ids.filter((one) => !stuck.has(one))) {
      try {
        places.set(id, await progressOne(id, places.get(id) ?? null, signal));
      } catch (error) {
        if (error instanceof AppError && error.code === 'unavailable') throw error;
        onFailed(id, error);
        stuck.add(id);
      }
    }
  }

  async function settle(signal: AbortSignal): Promise<void> {
    for (;;) {
      const ended = await store.endedSessions(BATCH);
      let count = 0;
      const lane = async (): Promise<void> => {
        for (let next = ended.shift(); next !== undefined && !signal.aborted; next = ended.shift())
          if (await settleOne(next, signal)) count += 1;
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      // None could be settled: another instance is working on them.
      if (count === 0 || signal.aborted) return;
    }
  }

  return async (signal) => {
    await store.failOrphanSessions();
    await settle(signal);
    await progress(signal);
  };
}

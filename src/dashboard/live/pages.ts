// `usePages`: a list that has cursors. The first page is kept fresh as any answer; the ones after it are read when they are asked for, and stay.
import { useEffect, useState } from 'preact/hooks';
import { call, type Given, type Reply, type RouteName } from '../api/call.ts';
import { asProblem, type Problem } from '../api/problem.ts';
import { type Asking, useAnswer } from './answers.ts';

interface Listing<R extends RouteName, T> extends Asking {
  listOf(reply: Reply<R>): readonly T[];
  cursorOf(reply: Reply<R>): string | null | undefined;
  keyOf(row: T): string;
}

interface More<T> {
  question: string;
  rows: readonly T[];
  /** Undefined: of the first page. */
  cursor: string | null | undefined;
  isReading: boolean;
  problem: Problem | null;
}

export function usePages<R extends RouteName, T>(name: R, given: Omit<Given<R>, 'signal'>, listing: Listing<R, T>) {
  const first = useAnswer(name, given, listing);
  const question = JSON.stringify(given);
  const none: More<T> = { question, rows: [], cursor: undefined, isReading: false, problem: null };
  const [kept, setMore] = useState<More<T>>(none);
  const more = kept.question === question ? kept : none;
  const firstRows = first.data ? listing.listOf(first.data) : [];
  const cursor = more.cursor === undefined ? first.data && listing.cursorOf(first.data) : more.cursor;
  const seen = new Set(firstRows.map(listing.keyOf));
  useEffect(() => setMore(none), [question]);

  async function readMore(): Promise<void> {
    if (!cursor || more.isReading) return;
    setMore({ ...more, isReading: true, problem: null });
    try {
      const query = { ...(given as { query?: object }).query, cursor };
      const reply = await (call as (name: R, given: object) => Promise<Reply<R>>)(name, { ...given, query });
      const rows = [...more.rows, ...listing.listOf(reply)];
      setMore({ question, rows, cursor: listing.cursorOf(reply) ?? null, isReading: false, problem: null });
    } catch (error) {
      setMore({ ...more, isReading: false, problem: asProblem(error) });
    }
  }

  return {
    ...first,
    rows: [...firstRows, ...more.rows.filter((row) => !seen.has(listing.keyOf(row)))],
    hasMore: Boolean(cursor),
    isReadingMore: more.isReading,
    moreProblem: more.problem,
    readMore: () => void readMore(),
    /** Changes rows in place: deltas of the socket. */
    patchRows(change: (row: T) => T, put: (reply: Reply<R>, rows: T[]) => Reply<R>) {
      first.patch((reply) => put(reply, listing.listOf(reply).map(change)));
      if (more.rows.length > 0) setMore({ ...more, rows: more.rows.map(change) });
    },
  };
}

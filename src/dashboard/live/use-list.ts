// A list with cursors whose rows keep their places: what nearly every screen with a table needs.
import type { Given, Reply, RouteName } from '../api/call.ts';
import { usePages } from './pages.ts';
import { useSteady } from './use-steady.ts';

interface Listed<R extends RouteName, T> {
  every?: number;
  listOf(reply: Reply<R>): readonly T[];
  cursorOf?(reply: Reply<R>): string | null | undefined;
  keyOf(row: T): string;
}

const noCursor = (): null => null;

export function useList<R extends RouteName, T>(
  name: R,
  given: Omit<Given<R>, 'signal'>,
  { every = 10, listOf, cursorOf = noCursor, keyOf }: Listed<R, T>,
) {
  const pages = usePages(name, given, { every, listOf, cursorOf, keyOf });
  const { rows, newCount, showNew } = useSteady(pages.rows, keyOf, pages.question);
  return {
    ...pages,
    rows,
    /** For the table. */
    table: {
      rows,
      keyOf,
      newCount,
      onShowNew: showNew,
      more: { hasMore: pages.hasMore, isReading: pages.isReadingMore, onMore: pages.readMore },
    },
  };
}

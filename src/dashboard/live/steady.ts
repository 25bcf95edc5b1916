// Which rows are shown while a list goes on changing: rows keep their places, new ones wait behind "12 new" until they are asked for, and one that left the
// list stays until then. Rows of further pages come in at the end at once. Pure.

export interface Steady<T> {
  rows: T[];
  /** How many wait above. */
  newCount: number;
  /** The keys that are shown, for the next time. */
  keys: string[];
}

/** `shown`: the keys that were shown last, with their rows as they were known; null: show everything. */
export function steadyRows<T>(
  listed: readonly T[],
  keyOf: (row: T) => string,
  shown: { keys: readonly string[]; known: ReadonlyMap<string, T> } | null,
): Steady<T> {
  if (shown === null || shown.keys.length === 0) return { rows: [...listed], newCount: 0, keys: listed.map(keyOf) };
  const now = new Map(listed.map((row) => [keyOf(row), row]));
  const isShown = new Set(shown.keys);
  const first = listed.findIndex((row) => isShown.has(keyOf(row)));
  // When none of them is listed any more there is no telling where the others belong.
  const later = first === -1 ? [] : listed.slice(first).filter((row) => !isShown.has(keyOf(row)));
  const keys = [...shown.keys, ...later.map(keyOf)];
  const rows = keys.flatMap((key) => now.get(key) ?? shown.known.get(key) ?? []);
  return { rows, newCount: now.size - [...now.keys()].filter((key) => isShown.has(key)).length - later.length, keys };
}

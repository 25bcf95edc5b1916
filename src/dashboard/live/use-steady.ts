// `steadyRows` for a component.
import { useRef, useState } from 'preact/hooks';
import { steadyRows } from './steady.ts';

/** `question`: with another one everything is shown. */
export function useSteady<T>(listed: readonly T[], keyOf: (row: T) => string, question: string) {
  const [, redraw] = useState(0);
  const shown = useRef<{ question: string; keys: readonly string[]; known: Map<string, T> } | null>(null);
  if (shown.current?.question !== question) shown.current = null;
  const steady = steadyRows(listed, keyOf, shown.current);
  shown.current = { question, keys: steady.keys, known: new Map(steady.rows.map((row) => [keyOf(row), row])) };
  return {
    rows: steady.rows,
    newCount: steady.newCount,
    showNew() {
      shown.current = null;
      redraw((times) => times + 1);
    },
  };
}

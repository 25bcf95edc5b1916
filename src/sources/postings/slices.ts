// Rows of one answer, a slice at a time: between two slices the event loop turns, so that a long answer delays nobody's heartbeat. An answer with more
// rows than any board has is read in part, and says so.
import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;
/** The largest boards and feeds have a tenth of it. */
const MAX_ROWS = 100_000;

export async function* inSlices<T>(
  rows: Iterable<T> | AsyncIterable<T>,
  notes: { incomplete(reason: string): void },
  maxRows = MAX_ROWS,
): AsyncGenerator<T> {
  let count = 0;
  let since = performance.now();
  for await (const row of rows) {
    if (++count > maxRows) {
      notes.incomplete(`more than ${maxRows.toLocaleString('en')} rows in one answer`);
      return;
    }
    if (performance.now() - since > SLICE_MS) {
      await nextTurn();
      since = performance.now();
    }
    yield row;
  }
}

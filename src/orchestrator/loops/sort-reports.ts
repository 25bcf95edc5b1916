// Reports as they come off the wire, checked and sorted. One that cannot be read ends its attempt all the same, as failed and with that reason: its worker
// has done what it could, and without an end the task would be handed out for ever.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { type Held, Report, Result, type Returned, TaskRef } from '../../model/task/messages.ts';

interface Sorted {
  results: Result[];
  held: Held[];
  returned: Returned[];
}

/** A long batch is checked in slices, between which the event loop turns. */
const SLICE_MS = 10;

export async function sortReports(raw: unknown[], onInvalid: (problem: string) => void): Promise<Sorted> {
  const sorted: Sorted = { results: [], held: [], returned: [] };
  let since = performance.now();
  for (const one of raw) {
    if (performance.now() - since > SLICE_MS) {
      await nextTurn();
      since = performance.now();
    }
    // A foreign worker may leave `type` out of a result, as in the example of the contract.
    const typed = typeof one === 'object' && one !== null && !('type' in one) ? { ...one, type: 'result' } : one;
    const parsed = Report.safeParse(typed);
    if (!parsed.success) {
      const problem = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      onInvalid(problem);
      sorted.results.push(...unreadable(typed, problem));
    } else if (parsed.data.type === 'result') sorted.results.push(parsed.data);
    else if (parsed.data.type === 'held') sorted.held.push(parsed.data);
    else sorted.returned.push(parsed.data);
  }
  return sorted;
}

const text = z.string().catch('');
/** What has to be there to know which attempt it is about. */
const Named = TaskRef.extend({
  type: z.literal('result').default('result'),
  run_id: text,
  scraper_type: text,
  part: z.int32().catch(1),
  metadata: z.object({ worker: text }).catch({ worker: '' }),
});

/** The failure that stands for a result that cannot be read or stored; nothing if it does not say whose it is. */
export function unreadable(report: unknown, problem: string): Result[] {
  const named = Named.safeParse(report);
  if (!named.success) return [];
  const { category, code, message } = new AppError(
    'unreadable_report',
    `The report of the worker could not be read: ${problem.slice(0, 500)}`,
  );
  return [
    Result.parse({
      ...named.data,
      status: 'failed',
      execution_time: 0,
      completed_at: new Date().toISOString(),
      error: { category, code, message, retryable: true },
    }),
  ];
}

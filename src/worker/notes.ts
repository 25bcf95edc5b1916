// Notes of a source besides its items, collected for the result. Limited: of a hundred thousand unreadable rows the first ones are kept, and a remark
// that there were more, so that nobody takes the others for closed.
import type { ResultMetadata } from '../model/task/messages.ts';
import type { Notes } from '../sources/define.ts';

const SKIPPED_MAX = 500;
const REASONS_MAX = 50;
const REASON_CHARS = 300;

export interface CollectedNotes {
  notes: Notes;
  metadata(): Pick<ResultMetadata, 'skipped' | 'incomplete'>;
}

export function collectNotes(): CollectedNotes {
  const skipped: { id: string | null; reason: string }[] = [];
  const incomplete = new Set<string>();
  let skippedCount = 0;
  return {
    notes: {
      skipped({ id, reason }) {
        skippedCount += 1;
        if (skipped.length < SKIPPED_MAX) skipped.push({ id, reason: reason.slice(0, REASON_CHARS) });
      },
      incomplete(reason) {
        if (incomplete.size < REASONS_MAX) incomplete.add(reason.slice(0, REASON_CHARS));
      },
    },
    metadata() {
      const unnamed = skippedCount - skipped.length;
      const reasons = [...incomplete, ...(unnamed > 0 ? [`${unnamed} more rows could not be read`] : [])];
      return {
        ...(skipped.length > 0 ? { skipped } : {}),
        ...(reasons.length > 0 ? { incomplete: reasons } : {}),
      };
    },
  };
}

// Notes of a source besides its items, collected for the result. Limited: of a hundred thousand unreadable rows the first ones are kept, and a remark
// that there were more, so that nobody takes the others for closed. An attempt that goes on where an earlier one stopped has the notes of that one too.
import { z } from 'zod';
import type { PageFindings } from '../model/crawl/crawl.ts';
import { Measure, newMeasure } from '../model/quality/measure.ts';
import { addYields } from '../model/quality/yields.ts';
import type { ResultMetadata } from '../model/task/messages.ts';
import type { Notes } from '../sources/define.ts';

export const NOTES_MAX = { skipped: 500, reasons: 50, reasonChars: 300 } as const;
/** A longer one is not sent: the next attempt starts from the last that was. */
const CHECKPOINT_CHARS = 200_000;

const Checkpoint = z.object({
  /** Of the source. */
  place: z.unknown(),
  skipped: z.array(z.object({ id: z.string().nullable(), reason: z.string() })),
  incomplete: z.array(z.string()),
  skipped_count: z.int(),
  pages: z.object({ requested: z.int(), completed: z.int() }),
  measure: Measure.optional(),
});
type Checkpoint = z.infer<typeof Checkpoint>;
type Pages = Checkpoint['pages'];

export interface CollectedNotes {
  notes: Notes;
  /** Pages that earlier attempts asked for. */
  pagesBefore: Pages;
  /** Of the items so far, those of earlier attempts included; `measured` has the rows that could not be read too. */
  measure: Measure;
  measured(): Measure;
  metadata(): Pick<ResultMetadata, 'skipped' | 'incomplete'>;
  /** Of a page of a crawl. */
  crawled(): PageFindings | undefined;
  /** What the next attempt needs to go on; undefined while there is nothing to go on from. */
  checkpoint(): Checkpoint | undefined;
}

/** `pages`: how many this attempt has asked for by now. */
export function collectNotes(earlier?: unknown, pages: () => Pages = () => NO_PAGES): CollectedNotes {
  // Most attempts are the first.
  const before = earlier === undefined ? undefined : Checkpoint.safeParse(earlier).data;
  const skipped = [...(before?.skipped ?? [])];
  const incomplete = new Set(before?.incomplete);
  let skippedCount = before?.skipped_count ?? 0;
  let reached = before;
  let crawled: PageFindings | undefined;
  const measure = before?.measure ?? newMeasure();
  return {
    pagesBefore: before?.pages ?? NO_PAGES,
    measure,
    measured: () => ({ ...measure, refused: skippedCount }),
    notes: {
      skipped({ id, reason }) {
        skippedCount += 1;
        if (skipped.length < NOTES_MAX.skipped) skipped.push({ id, reason: reason.slice(0, NOTES_MAX.reasonChars) });
      },
      incomplete(reason) {
        if (incomplete.size < NOTES_MAX.reasons) incomplete.add(reason.slice(0, NOTES_MAX.reasonChars));
      },
      matched(yields) {
        measure.yields ??= {};
        addYields(measure.yields, yields);
      },
      reached(place) {
        if ((JSON.stringify(place) ?? '').length > CHECKPOINT_CHARS) return;
        const notes = { skipped: [...skipped], incomplete: [...incomplete], skipped_count: skippedCount };
        reached = { place, ...notes, pages: pages(), measure: structuredClone(measure) };
      },
      crawled(findings) {
        crawled = findings;
      },
      ...(before && { resumeAt: before.place }),
    },
    metadata() {
      const unnamed = skippedCount - skipped.length;
      const reasons = [...incomplete, ...(unnamed > 0 ? [`${unnamed} more rows could not be read`] : [])];
      return {
        ...(skipped.length > 0 ? { skipped } : {}),
        ...(reasons.length > 0 ? { incomplete: reasons } : {}),
      };
    },
    crawled: () => crawled,
    checkpoint: () => reached,
  };
}

const NO_PAGES: Pages = { requested: 0, completed: 0 };

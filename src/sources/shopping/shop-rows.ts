// The rows of a shop's answer, each by itself: one that cannot be read is refused and counted, and the others are kept. An answer of which no row can be read
// has changed, and says what is wrong with its first row.
import type { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { issueWords } from '../../model/zod-messages.ts';
import type { Notes } from '../define.ts';

export interface RowsOptions {
  /** Begins the message ("kroger"). */
  about: string;
  notes?: Pick<Notes, 'skipped'> | undefined;
  /** The id of a row that cannot be read, where at least that is clear. */
  idOf?(raw: unknown): string | null;
}

export function readRows<T>(raw: readonly unknown[], row: z.ZodType<T>, { about, notes, idOf }: RowsOptions): T[] {
  const found: T[] = [];
  let firstReason: string | null = null;
  for (const one of raw) {
    const parsed = row.safeParse(one);
    if (parsed.success) {
      found.push(parsed.data);
      continue;
    }
    const [issue] = parsed.error.issues;
    const reason = `${issue!.path.join('.') || 'the row'} ${issueWords(issue!)}`;
    firstReason ??= reason;
    notes?.skipped({ id: idOf?.(one) ?? commonId(one), reason });
  }
  if (found.length === 0 && firstReason !== null)
    throw new AppError('layout_changed', `${about}: none of the ${raw.length} rows could be read (${firstReason})`);
  return found;
}

/** Most shops call it one of these. */
function commonId(raw: unknown): string | null {
  if (raw === null || typeof raw !== 'object') return null;
  const row = raw as Record<string, unknown>;
  const id = [row.id, row.productId, row.product_id, row.usItemId, row.tcin, row.sku, row.code].find(
    (value) => (typeof value === 'string' && value !== '') || typeof value === 'number',
  );
  return id === undefined ? null : String(id);
}

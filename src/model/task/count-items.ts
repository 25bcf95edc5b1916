// How many items came with a result, or with a part of one.
import { ITEMS_FIELD, KINDS } from '../item/item.ts';
import type { Result } from './messages.ts';

export const countItems = (result: Result): number =>
  KINDS.reduce((count, kind) => count + (result[ITEMS_FIELD[kind]]?.length ?? 0), 0);

// Results in pieces that fit the context of an assistant: as many rows as the budget of characters holds, long texts cut, and a cursor for the rest.
import { AppError } from '../model/errors.ts';

/** Rows that are asked of the server at a time. The same for every call: a cursor counts rows within such a page. */
export const ROWS = 25;
export const BUDGET = { default: 16_000, min: 1_000, max: 100_000 };
const TEXT_MAX = 1_200;
const SHORTEST_TEXT = 40;
const URL_MAX = 4_096;

export interface Place {
  /** Rows of the server's page that were shown already. */
  skip: number;
  /** Cursor of the server for that page; absent for the first. */
  cursor?: string;
}

export interface Piece {
  rows: unknown[];
  next_cursor: string | null;
}

export function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return { skip: 0 };
  const separator = cursor.indexOf('.');
  const skip = Number(cursor.slice(0, separator));
  if (separator < 1 || !Number.isInteger(skip) || skip < 0)
    throw new AppError(
      'invalid_params',
      'cursor is not one that a tool returned. Leave it out to begin at the first row.',
    );
  const rest = cursor.slice(separator + 1);
  return { skip, ...(rest === '' ? {} : { cursor: rest }) };
}

const cursorText = ({ skip, cursor = '' }: Place): string => `${skip}.${cursor}`;

/** `next`: the server's cursor of the page after these rows. */
export function pieceOf(rows: readonly unknown[], next: string | null, place: Place, budget: number): Piece {
  const shown: unknown[] = [];
  let used = 0;
  for (const row of rows.slice(place.skip)) {
    const cut = fitted(row, budget);
    used += sizeOf(cut);
    if (shown.length > 0 && used > budget) {
      return { rows: shown, next_cursor: cursorText({ ...place, skip: place.skip + shown.length }) };
    }
    shown.push(cut);
  }
  return { rows: shown, next_cursor: next === null ? null : cursorText({ skip: 0, cursor: next }) };
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** The row with its texts cut to the usual length, and shorter while it alone is more than the budget. */
function fitted(row: unknown, budget: number): unknown {
  let max = TEXT_MAX;
  let cut = withoutEmpty(row, max);
  while (sizeOf(cut) > budget && max > SHORTEST_TEXT) {
    max = Math.max(SHORTEST_TEXT, Math.floor(max / 2));
    cut = withoutEmpty(row, max);
  }
  return cut;
}

/** Without what is null or empty, which says nothing and costs room. */
function withoutEmpty(value: unknown, max: number): unknown {
  if (typeof value === 'string') return cutText(value, max);
  if (Array.isArray(value)) return value.map((one) => withoutEmpty(one, max));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined && one !== '' && !(Array.isArray(one) && one.length === 0))
      .map(([name, one]) => [name, isAddress(one) ? one : withoutEmpty(one, max)]),
  );
}

/** A URL that is cut leads nowhere. */
const isAddress = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= URL_MAX &&
  value.startsWith('http') &&
  !value.includes(' ') &&
  URL.canParse(value);

function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max).toWellFormed()}… [${text.length - max} more characters]`;
}

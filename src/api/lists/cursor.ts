// Cursors are opaque to callers: the end of a page with the name of its list, so that the cursor of another list is refused.
import { invalid } from '../validation/validators.ts';

export function encodeCursor(list: string, place: string): string {
  return Buffer.from(`${list}:${place}`).toString('base64url');
}

/** The position, or 422: a cursor has to come back unchanged. */
export function decodeCursor(list: string, cursor: string | undefined, form: RegExp): string | null {
  if (cursor === undefined) return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const place = text.startsWith(`${list}:`) ? text.slice(list.length + 1) : '';
  if (!form.test(place)) {
    throw invalid(
      [
        {
          pointer: '/cursor',
          detail: 'is not a cursor of this list. Pass next_cursor unchanged, or leave it out',
        },
      ],
      'querystring',
    );
  }
  return place;
}

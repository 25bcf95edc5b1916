import { expect, test } from 'vitest';
import { pieceOf, placeOf } from './page.ts';

const rows = Array.from({ length: 10 }, (_, i) => ({ n: i, text: 'x'.repeat(90) }));

test('rows come in pieces within the budget, each once, and on to the next page of the server', () => {
  const seen: unknown[] = [];
  let cursor: string | null | undefined;
  for (let pieces = 0; pieces < 20; pieces++) {
    const place = placeOf(cursor ?? undefined);
    const page = place.cursor === undefined ? rows.slice(0, 6) : rows.slice(6);
    const piece = pieceOf(page, place.cursor === undefined ? 'second.page' : null, place, 350);
    expect(JSON.stringify(piece.rows).length).toBeLessThan(350);
    seen.push(...piece.rows);
    cursor = piece.next_cursor;
    if (cursor === null) break;
  }
  expect(seen).toEqual(rows);
});

test('a row that is too large alone has its texts cut, never its URL, and is never left out', () => {
  const url = `https://example.com/${'a'.repeat(300)}`;
  const piece = pieceOf([{ url, text: 'y'.repeat(50_000), none: null, list: [] }, { n: 2 }], null, { skip: 0 }, 1_000);
  const [first] = piece.rows as { url: string; text: string }[];
  expect(Object.keys(first!)).toEqual(['url', 'text']);
  expect(first!.url).toBe(url);
  expect(first!.text).toMatch(/^y+… \[\d+ more characters\]$/);
  expect(JSON.stringify(piece.rows).length).toBeLessThanOrEqual(1_000);
});

test('a page that is at its end goes on with the next one of the server', () => {
  expect(pieceOf([], 'abc', { skip: 0 }, 1_000)).toEqual({ rows: [], next_cursor: '0.abc' });
  expect(placeOf('0.abc')).toEqual({ skip: 0, cursor: 'abc' });
  expect(placeOf('3.')).toEqual({ skip: 3 });
});

test.each(['abc', '.abc', '-1.abc', 'x.y'])('%s is no cursor', (cursor) => {
  expect(() => placeOf(cursor)).toThrow('Leave it out');
});

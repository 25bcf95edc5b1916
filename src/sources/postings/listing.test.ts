import { expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import type { Posting } from '../../model/posting/posting.ts';
import { type ListingOptions, openListing, type RowReader } from './listing.ts';
import { inSlices } from './slices.ts';

const Row = z.object({ id: z.string(), title: z.string() });
const reader: RowReader<z.infer<typeof Row>, string> = {
  row: Row,
  idOf: (raw) => (raw as { id?: string }).id ?? null,
  toAdvert: ({ id, title }, raw, html) =>
    title === 'internal' ? null : { id, title, url: `https://jobs.example/${id}`, html, raw },
};
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ id: String(n + 1), title: 'Welder' }));

function open(options: Partial<ListingOptions> = {}) {
  const skipped: unknown[] = [];
  const incomplete: string[] = [];
  const counted: boolean[] = [];
  const warnings: string[] = [];
  const listing = openListing({
    source: 'test',
    ref: null,
    params: { description_format: 'plain', include_raw: false },
    web: {
      signal: new AbortController().signal,
      warn: (text) => void warnings.push(text),
      countPage: (isRead) => void counted.push(isRead),
    },
    notes: { skipped: (row) => void skipped.push(row), incomplete: (reason) => void incomplete.push(reason) },
    ...options,
  });
  return { listing, skipped, incomplete, counted, warnings };
}

async function collect(postings: AsyncIterable<Posting>): Promise<Posting[]> {
  const found: Posting[] = [];
  for await (const posting of postings) found.push(posting);
  return found;
}

const ids = (postings: Posting[]) => postings.map((posting) => posting.external_id);

test('each id once, without what is known, is no advertisement or cannot be read', async () => {
  const { listing, skipped } = open({ params: { description_format: 'plain', include_raw: false, known: ['2'] } });
  const given = [...rows(3), { id: '4', title: 'internal' }, { id: '5' }, { title: 'Welder' }, ...rows(2), { id: '5' }];
  expect(ids(await collect(listing.take(given, reader)))).toEqual(['1', '3']);
  expect(skipped).toEqual([
    { id: '5', reason: 'title is required' },
    { id: null, reason: 'nothing in it tells which posting it is' },
  ]);
  expect([listing.seen, listing.readable, listing.isFull]).toEqual([6, 4, false]);
  listing.finish(6);
});

test('rows of one id are one posting in several places', async () => {
  const withPlace: RowReader<{ id: string; place: string }> = {
    row: z.object({ id: z.string(), place: z.string() }),
    idOf: reader.idOf,
    toAdvert: ({ id, place }, raw) => ({
      id,
      title: 'Welder',
      url: `https://jobs.example/${id}`,
      places: [{ text: place }],
      raw,
    }),
  };
  const given = [
    { id: '1', place: 'Berlin, Germany' },
    { id: '2', place: 'Paris, France' },
    { id: '1', place: 'Munich, Germany' },
    { id: '1', place: 'Berlin, Germany' },
    { id: '2' },
  ];
  const { listing } = open();
  const places = (await collect(listing.take(given, withPlace))).map(({ locations }) =>
    locations.map(({ city }) => city),
  );
  expect(places).toEqual([['Berlin', 'Munich'], ['Paris']]);
  const { listing: detailed } = open();
  const asked = detailed.takeDetailed(given, withPlace, { ask: async () => undefined as never });
  expect((await collect(asked)).map(({ locations }) => locations.length)).toEqual([2, 1]);
});

test('a list of which no row could be read has changed, however often it repeats them', async () => {
  const { listing } = open();
  for (const page of [1, 2])
    expect(await collect(listing.take([{ id: '1' }, { id: '2' }], reader)), `page ${page}`).toEqual([]);
  expect(() => listing.finish()).toThrow(expect.objectContaining({ code: 'layout_changed' }));
});

test('a list that counts more than it shows is incomplete', async () => {
  const { listing, incomplete } = open();
  expect(await collect(listing.take(rows(2), reader))).toHaveLength(2);
  listing.finish(3);
  expect(incomplete).toHaveLength(1);
});

test('only rows behind the offset and up to the limit are asked about', async () => {
  const { listing } = open({ skip: 2, wanted: 3 });
  const asked: string[] = [];
  const ask = async (id: string) => {
    asked.push(id);
    return `<p>Text of ${id}</p>`;
  };
  const postings = await collect(listing.takeDetailed(rows(9), reader, { ask }));
  expect(ids(postings)).toEqual(['3', '4', '5']);
  expect(asked).toEqual(['3', '4', '5']);
  expect(postings[0]?.description).toBe('Text of 3');
  expect(listing.isFull).toBe(true);
});

test.each(['left out', 'closed'] as const)('a posting whose own page is gone is %s', async (gone) => {
  const { listing } = open({ gone });
  const ask = async (id: string) => {
    if (id === '2') throw new AppError('not_found');
    return '';
  };
  const postings = await collect(listing.takeDetailed(rows(3), reader, { ask, atOnce: 2 }));
  const closed = postings.filter((posting) => posting.is_closed);
  expect([ids(postings), ids(closed)]).toEqual(gone === 'closed' ? [['1', '2', '3'], ['2']] : [['1', '3'], []]);
});

test('after a block no further detail is asked for, the list has to do, and each row is named', async () => {
  const { listing, skipped, warnings } = open();
  const asked: string[] = [];
  const ask = async (id: string) => {
    asked.push(id);
    throw new AppError(id === '1' ? 'http_5xx' : 'blocked');
  };
  expect(await collect(listing.takeDetailed(rows(4), reader, { ask }))).toHaveLength(4);
  expect(asked).toEqual(['1', '2']);
  expect(skipped).toHaveLength(4);
  expect(warnings).toHaveLength(1);
});

test('a page that fails can be left out, unless it is the first, the third in a row, or the site refuses', async () => {
  const fail = (code: 'http_5xx' | 'blocked') => async () => {
    throw new AppError(code);
  };
  const { listing, incomplete, counted } = open();
  await expect(open().listing.pageOrNull(fail('http_5xx'))).rejects.toMatchObject({ code: 'http_5xx' });
  expect(await listing.page(async () => 'one')).toBe('one');
  expect(await listing.pageOrNull(fail('http_5xx'))).toBeNull();
  expect(await listing.pageOrNull(fail('http_5xx'))).toBeNull();
  await expect(listing.pageOrNull(fail('http_5xx'))).rejects.toMatchObject({ code: 'http_5xx' });
  expect(await listing.pageOrNull(async () => 'two')).toBe('two');
  await expect(listing.pageOrNull(fail('blocked'))).rejects.toMatchObject({ code: 'blocked' });
  expect([incomplete.length, counted]).toEqual([2, [true, false, false, false, true, false]]);
});

test('R6: a page or a description that a part of ours kept from being asked for is not left out', async () => {
  const away = async () => {
    throw new AppError('unavailable');
  };
  const { listing } = open();
  await listing.page(async () => 'one');
  await expect(listing.pageOrNull(away)).rejects.toMatchObject({ code: 'unavailable' });
  await expect(listing.detail('1', away)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a page that changed its layout is left out once rows were read, and ends the list before', async () => {
  const fail = async () => {
    throw new AppError('layout_changed');
  };
  const { listing } = open();
  await listing.page(async () => 'one');
  await expect(listing.pageOrNull(fail)).rejects.toMatchObject({ code: 'layout_changed' });
  expect(await collect(listing.take(rows(1), reader))).toHaveLength(1);
  expect(await listing.pageOrNull(fail)).toBeNull();
});

test.each([
  ['with the last page', 3],
  ['with the page before', 2],
] as const)(
  'an attempt that goes on %s begins with page %i, and counts what was there before',
  async (goesOn, page) => {
    const places: unknown[] = [];
    const quiet = { skipped() {}, incomplete() {} };
    const first = open({ goesOn, wanted: 8, notes: { ...quiet, reached: (place) => void places.push(place) } }).listing;
    expect(first.resumeAt(z.int())).toBeNull();
    const all = rows(9);
    for (const n of [1, 2, 3]) {
      first.reached(n);
      if (n < 3) expect(await collect(first.take(all.slice(3 * n - 3, 3 * n), reader))).toHaveLength(3);
    }
    const incomplete: string[] = [];
    const notes = { ...quiet, incomplete: (reason: string) => void incomplete.push(reason), resumeAt: places.at(-1) };
    const second = open({ goesOn, wanted: 8, notes }).listing;
    expect(second.resumeAt(z.string())).toBeNull();
    expect(second.resumeAt(z.int())).toBe(page);
    const left = ids(await collect(second.take(all.slice(3 * page - 3), reader)));
    // Eight are wanted of both attempts together.
    expect(left).toEqual(page === 3 ? ['7', '8'] : ['4', '5', '6', '7', '8']);
    expect(second.seen).toBe(9);
    second.finish(9);
    expect(incomplete).toEqual([]);
  },
);

test('H6: a hundred thousand rows come in slices, between which the event loop turns', async () => {
  const { listing } = open({ wanted: 5 });
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  count();
  expect(await collect(listing.take(rows(100_000), reader))).toHaveLength(5);
  clearImmediate(next!);
  expect(listing.seen).toBe(100_000);
  expect(turns).toBeGreaterThan(1);
});

test('H6: an answer with more rows than any board has is read in part, and says so', async () => {
  const incomplete: string[] = [];
  const read = [];
  for await (const row of inSlices(rows(12), { incomplete: (reason) => void incomplete.push(reason) }, 10))
    read.push(row);
  expect(read).toHaveLength(10);
  expect(incomplete).toEqual(['more than 10 rows in one answer']);
});

import { expect, test } from 'vitest';
import { collectNotes } from './notes.ts';

test('nothing said is nothing in the metadata', () => {
  expect(collectNotes().metadata()).toEqual({});
});

test('rows past the bound are not forgotten: the result says that there were more', () => {
  const { notes, metadata } = collectNotes();
  for (let n = 0; n < 600; n++) notes.skipped({ id: String(n), reason: 'no title' });
  const found = metadata();
  expect(found.skipped).toHaveLength(500);
  expect(found.incomplete).toEqual(['100 more rows could not be read']);
});

test('a reason given for every page is kept once', () => {
  const { notes, metadata } = collectNotes();
  for (let n = 0; n < 100; n++) notes.incomplete('a cap of 2,000 rows');
  expect(metadata()).toEqual({ incomplete: ['a cap of 2,000 rows'] });
});

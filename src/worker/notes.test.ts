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

test('an attempt that goes on has the notes and pages of the one before', () => {
  const pages = { requested: 3, completed: 2 };
  const first = collectNotes(undefined, () => pages);
  expect(first.checkpoint()).toBeUndefined();
  expect('resumeAt' in first.notes).toBe(false);
  first.notes.skipped({ id: '1', reason: 'no title' });
  first.notes.incomplete('a page could not be read');
  first.notes.reached?.({ page: 4 });
  first.notes.skipped({ id: '9', reason: 'seen after the checkpoint' });

  const second = collectNotes(JSON.parse(JSON.stringify(first.checkpoint())));
  expect(second.notes.resumeAt).toEqual({ page: 4 });
  expect(second.pagesBefore).toEqual(pages);
  expect(second.metadata()).toEqual({
    skipped: [{ id: '1', reason: 'no title' }],
    incomplete: ['a page could not be read'],
  });
  // Until it has come further itself.
  expect(second.checkpoint()).toEqual(first.checkpoint());
});

test('a checkpoint that is too long is not kept, and one that is none is ignored', () => {
  const { notes, checkpoint } = collectNotes({ place: 1 });
  expect('resumeAt' in notes).toBe(false);
  notes.reached?.({ page: 1 });
  notes.reached?.('x'.repeat(300_000));
  expect(checkpoint()).toMatchObject({ place: { page: 1 } });
});

import { expect, test } from 'vitest';
import { differencesOf } from './differences.ts';

test('items are compared by what names them, wherever they stand', () => {
  const before = [
    { external_id: '1', title: 'Welder', skills: ['a'] },
    { external_id: '2', title: 'Cook' },
    { external_id: '3', title: 'Nurse', scraped_at: '2026-01-01' },
  ];
  const now = [
    { external_id: '3', title: 'Nurse', scraped_at: '2026-02-01' },
    { external_id: '4', title: 'Clerk' },
    { external_id: '1', title: 'Welder (m/f)', skills: ['a'], company: 'Acme', remote: undefined },
  ];
  expect(differencesOf(before, now)).toEqual([
    { id: '4', what: 'new', fields: [] },
    {
      id: '1',
      what: 'changed',
      fields: [
        { field: 'title', before: 'Welder', now: 'Welder (m/f)' },
        { field: 'company', before: null, now: 'Acme' },
      ],
    },
    { id: '2', what: 'gone', fields: [] },
  ]);
});

test('products are named by their ids, the second of a name has a number', () => {
  const one = { title: 'Milk', ids: { gtin: '1' } };
  const other = { title: 'Milk', ids: {} };
  expect(differencesOf([one, other, other], [other, one]).map(({ id, what }) => [id, what])).toEqual([
    ['Milk (2)', 'gone'],
  ]);
});

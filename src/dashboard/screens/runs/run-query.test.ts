import { expect, test } from 'vitest';
import { filterValue, parseRunQuery, withFilter } from './run-query.ts';

const NOW = Date.parse('2026-02-04T10:33:20Z');

test('filters and words become parameters', () => {
  expect(parseRunQuery('status:failed source:indeed age:<1d fresh milk', NOW)).toEqual({
    query: { status: 'failed', source: 'indeed', created_after: '2026-02-03T10:33:00.000Z', q: 'fresh milk' },
    problems: [],
  });
  expect(parseRunQuery('', NOW)).toEqual({ query: {}, problems: [] });
});

test('an owner is asked for as it is', () => {
  expect(parseRunQuery('owner:data-team', NOW).query).toEqual({ owner: 'data-team' });
});

test('an address is words, not a filter', () => {
  expect(parseRunQuery('https://example.com/a', NOW).query).toEqual({ q: 'https://example.com/a' });
});

test('what cannot be meant is said', () => {
  expect(parseRunQuery('statsu:failed', NOW).problems).toEqual([
    'There is no filter statsu. Filters are status, kind, source, owner, age.',
  ]);
  expect(parseRunQuery('status:fine', NOW).problems).toEqual([
    'status is one of running, completed, partial, failed, cancelled.',
  ]);
  expect(parseRunQuery('age:yesterday', NOW).problems).toEqual(['age is written like age:<1d, with m, h or d.']);
});

test('a filter is set, read and taken out again', () => {
  const text = withFilter('milk status:failed', 'status', 'running');
  expect(text).toBe('status:running milk');
  expect(filterValue(text, 'status')).toBe('running');
  expect(withFilter(text, 'status', null)).toBe('milk');
  expect(filterValue('milk', 'status')).toBeNull();
});

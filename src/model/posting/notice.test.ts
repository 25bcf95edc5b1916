import { expect, test } from 'vitest';
import { chunksOf, type Notice, toNotice } from './notice.ts';

const said: Notice = {
  job_hash: 'a'.repeat(64),
  source: 'indeed',
  title: 'Cook',
  company: 'Acme',
  location: null,
  remote_type: null,
  salary_min: null,
  salary_max: null,
  currency: null,
  salary_interval: null,
  job_url: 'https://example.com/1',
  posted_date: null,
  first_seen_at: '2026-11-15T00:00:00.000Z',
  group_id: null,
};

test('a notice is short whatever the page said', () => {
  expect(toNotice(said)).toEqual(said);
  const long = toNotice({
    ...said,
    title: '🎉'.repeat(10_000),
    company: 'x'.repeat(301),
    job_url: `https://e.com/${'x'.repeat(3_000)}`,
  });
  expect([long.title.length, long.company!.length, long.job_url]).toEqual([300, 300, null]);
  expect(long.title.isWellFormed()).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(long))).toBeLessThan(5_000);
});

test('lists are cut by bytes, and nothing is lost', () => {
  const all = ['aa', 'é', 'x'.repeat(50), 'b', 'c'];
  const chunks = chunksOf(all, 20);
  expect(chunks).toEqual([['aa', 'é'], ['x'.repeat(50)], ['b', 'c']]);
  expect(chunksOf([], 20)).toEqual([]);
});

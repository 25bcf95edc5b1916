import { expect, test } from 'vitest';
import { parseDate } from './dates.ts';

const now = new Date('2026-11-15T12:00:00Z');

test.each([
  ['2025-04-21T09:00:07-08:00', '2025-04-21T09:00:07-08:00'],
  ['2025-12-09T22:15:00.000Z', '2025-12-09T22:15:00Z'],
  ['2024-05-09 00:00:00 +0000', '2024-05-09'],
  ['2024-04-05T00:00:00-0400', '2024-04-05T00:00:00-04:00'],
  ['Mon, 06 Jan 2025 10:30:00 GMT', '2025-01-06T10:30:00Z'],
  ['Published March 1, 2024', '2024-03-01'],
  ['Updated Sept. 3rd, 2024 at 5:04 p.m. EDT', '2024-09-03T17:04:00-04:00'],
  ['21st of June 2023', '2023-06-21'],
  ['8 Oct 2022', '2022-10-08'],
  ['04-Aug-2021 5:11', '2021-08-04T05:11:00Z'],
  ['Donnerstag, 5. März 2026, 14:30 Uhr', '2026-03-05T14:30:00Z'],
  ['3 de octubre de 2021', '2021-10-03'],
  ['12 décembre 2020 à 18h05', '2020-12-12T18:05:00Z'],
  ['7 января 2019', '2019-01-07'],
  ['2 sierpnia 2022', '2022-08-02'],
  ['15 Ağustos 2023', '2023-08-15'],
  ['2018年8月16日', '2018-08-16'],
  ['2024년 3월 1일', '2024-03-01'],
  ['2023/07/09', '2023-07-09'],
  ['24.12.2022', '2022-12-24'],
  ['20200320', '2020-03-20'],
  ['1700000000', '2023-11-14T22:13:20.000Z'],
  ['3 hours ago', '2026-11-15T09:00:00.000Z'],
  ['2 days ago', '2026-11-13'],
  ['vor 5 Tagen', '2026-11-10'],
  ['Yesterday', '2026-11-14'],
])('%s is %s', (text, iso) => {
  expect(parseDate(text, { now })).toBe(iso);
});

test('slashes are read by the language of the page, and by what can be a month', () => {
  expect(parseDate('3/4/2024', { now, language: 'en-US' })).toBe('2024-03-04');
  expect(parseDate('3/4/2024', { now, language: 'en-GB' })).toBe('2024-04-03');
  expect(parseDate('25/4/2024', { now, language: 'en-US' })).toBe('2024-04-25');
});

test.each([
  '',
  'no date',
  '2027-01-01',
  '31 February 2024',
  '99/99/2024',
  'Chapter 12 of 2024 pages',
  'May contain nuts',
])('%s is no date', (text) => {
  expect(parseDate(text, { now })).toBeNull();
});

import { expect, test } from 'vitest';
import { relativeLine, shortDate } from './date-words.ts';
import type { PageContext } from './found.ts';

const at = (language: string) => ({ now: new Date('2026-11-18T12:00:00Z'), language }) as PageContext;

test.each([
  ['gestern', 'de', '2026-11-17'],
  ['Veröffentlicht: heute, 14:30 Uhr', 'de', '2026-11-18'],
  ['Hier à 9h15', 'fr', '2026-11-17'],
  ['Posted yesterday', 'en', '2026-11-17'],
  ['3 days ago', 'en', '2026-11-15'],
])('"%s" is told from now in %s', (line, language, day) => {
  expect(relativeLine(line, at(language))).toBe(day);
});

test.each([
  ['Sie sind hier', 'de'],
  ['hier', 'de'],
  ['Today in history: the ferry', 'en'],
  ['gestern', 'en'],
])('"%s" is no date in %s', (line, language) => {
  expect(relativeLine(line, at(language))).toBeNull();
});

test('a year of two digits is read where days come first', () => {
  expect(shortDate('Stand: 12.03.18', at('de'))).toBe('2018-03-12');
  expect(shortDate('12.03.98, 14:30', at('de'))).toBe('1998-03-12');
  expect(shortDate('Version 12.03.18.4', at('de'))).toBeNull();
  expect(shortDate('12.03.18', at('en-US'))).toBeNull();
});

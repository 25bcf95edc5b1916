import { expect, test } from 'vitest';
import { link, tableLines } from './table.ts';
import { harmless, shorten, textWidth } from './text-width.ts';

const HEAD = ['RUN', 'ABOUT', 'URL'];
const URL = 'https://www.indeed.com/viewjob?jk=0123456789abcdef';

test.each([
  ['plain', 5],
  ['東京', 4],
  ['한국어', 6],
  ['🚀 launch', 9],
  ['👩‍💻', 2],
  ['e\u0301te\u0301', 3],
  ['ｆｕｌｌ', 8],
])('"%s" takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test('columns line up whatever the script', () => {
  const lines = tableLines(
    [
      ['NAME', 'AT'],
      ['株式会社メルカリ', 'x'],
      ['Café 🚀', 'x'],
      ['Acme', 'x'],
    ],
    { width: null },
  );
  expect(new Set(lines.slice(1).map((line) => textWidth(line))).size).toBe(1);
});

test('a table is as wide as the terminal: texts give way, and what is copied does not', () => {
  const rows = [HEAD, ['manual_a1b2c3d4e5f60718', 'Senior Software Engineer for 東京 and 大阪, Platform', URL]];
  for (const width of [70, 80, 100]) {
    const lines = tableLines(rows, { width });
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
    expect(lines[1]).toMatch(/^manual_a1b2c3d4e5f60718 {2}Senior.*…/);
  }
  expect(tableLines(rows, { width: null })[1]).toContain(URL);
  // Too narrow for what may not be cut: the terminal wraps it.
  expect(tableLines(rows, { width: 20 })[1]).toMatch(/^manual_a1b2c3d4e5f60718/);
});

test('a URL that was cut can still be opened, and one that speaks to the terminal is no link', () => {
  const [, line] = tableLines([HEAD, ['run_1', 'x', URL]], { width: 40, hasLinks: true });
  expect(line).toContain(`\x1b]8;;${URL}\x1b\\https://www`);
  expect(line).toMatch(/…\S*$/);
  expect(link('https://a.example/\x1b]0;x', 'x')).toBe('x');
});

test('what a stranger wrote cannot steer the terminal', () => {
  expect(harmless('Cook\x1b[2J\nand\tbaker\u202e')).toBe('Cook [2J and baker');
  expect(harmless(`Z${'\u0334'.repeat(500)}algo`).length).toBeLessThan(20);
  expect(harmless('x'.repeat(1_000_000)).length).toBeLessThan(2_100);
});

test('a text is never cut through a sign', () => {
  expect(shorten('東京都', 4)).toBe('東…');
  expect(shorten('ab👩‍💻cd', 4)).toBe('ab…');
  expect(shorten('abcd', 4)).toBe('abcd');
});

import { expect, test } from 'vitest';
import { languageCode } from './language.ts';

test.each([
  ['en-us', 'en'],
  ['sv_SE', 'sv'],
  ['zh-Hant-TW', 'zh'],
  ['eng', 'en'],
  ['ger', 'de'],
  ['Swedish', 'sv'],
  ['English (US)', 'en'],
  ['Français', 'fr'],
  ['日本語', 'ja'],
  ['und', null],
  ['Klingon', null],
  ['', null],
])('language: %s is %s', (said, code) => {
  expect(languageCode(said)).toBe(code);
});

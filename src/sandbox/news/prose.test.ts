import { expect, test } from 'vitest';
import { Random } from '../random.ts';
import { LANGUAGES, makeCast, PATTERN_LISTS, TOPICS, Writer } from './prose.ts';

test.each(Object.values(LANGUAGES).map((language) => [language.code, language]))(
  'every pattern in %s can be filled',
  (_code, language) => {
    const random = new Random(1);
    for (const topic of TOPICS) {
      const writer = new Writer(language, random, makeCast(language, random, topic));
      for (const list of PATTERN_LISTS) {
        for (let i = 0; i < 300; i++) expect(writer.line(list)).not.toMatch(/[{}]|undefined/);
      }
      expect(writer.paragraph(200)).not.toMatch(/[{}]|undefined/);
    }
  },
);

test('the step through the sentences visits every one', () => {
  for (const { words } of Object.values(LANGUAGES)) expect(words.cores.length % 37).not.toBe(0);
});

test('sentences begin with a capital and end with a full stop', () => {
  const random = new Random(3);
  const writer = new Writer(LANGUAGES.en, random, makeCast(LANGUAGES.en, random));
  for (let i = 0; i < 100; i++) expect(writer.paragraph(1)).toMatch(/^[\p{Lu}“‘\d].*[.”]$/u);
});

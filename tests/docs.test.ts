// The documentation names files and commands; a name that leads nowhere costs a newcomer more than none.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fences, fencesOf, PAGES, ROOT } from './support/readers/fences.ts';

const ROOMS = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).flatMap((one) =>
  one.isDirectory() ? one.name : [],
);
/** In code spans: from the root of the repository, or from `src/` when it begins with a room. */
const NAMED = new RegExp(`\`((?:src|tests|bench|tools|docs|examples|${ROOMS.join('|')})/[\\w./-]*)\``, 'g');

/** Files that a reader is about to make. */
const TO_BE_MADE = /NNN/;
const TUTORIAL = 'docs/adding-a-source.md';

const pages = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md') && name !== TUTORIAL,
);

test.each(pages)('%s names files that are there', (page) => {
  const named = [...readFileSync(join(ROOT, page), 'utf8').matchAll(NAMED)].map((match) => match[1]!);
  const known = named.filter((path) => !TO_BE_MADE.test(path));
  expect(known.filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, 'src', path)))).toEqual([]);
});

/** ts, js and python are run or checked in tests/system/outside/documented-code.test.ts, bash in documented-commands.test.ts. sql and text are not: settings of one's own database, and output. */
const LANGUAGES = ['bash', 'ts', 'js', 'json', 'python', 'sql', 'text'];

test('each block of code says what it is, so that a test runs it or it is output', () => {
  const others = PAGES.flatMap(fencesOf).filter(({ language }) => !LANGUAGES.includes(language));
  expect(others.map(({ at, language }) => `${at}: ${language || 'no language'}`)).toEqual([]);
});

test('JSON in the documentation parses', () => {
  const found = fences('json');
  expect(found.length).toBeGreaterThan(3);
  for (const { at, code } of found) expect(() => JSON.parse(code), at).not.toThrow();
});

// The documentation names files and commands; a name that leads nowhere costs a newcomer more than none.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
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

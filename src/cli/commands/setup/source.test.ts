import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { scaffold } from './source.ts';

test('a new source comes with its fixture and its test, under its own name', () => {
  const files = scaffold('remote-harbour');
  expect(Object.keys(files)).toEqual([
    'src/sources/boards/remote-harbour.ts',
    'tests/sources/remote-harbour.test.ts',
    'tests/sources/fixtures/remote-harbour/page-1.json',
  ]);
  for (const [path, text] of Object.entries(files)) {
    expect(text).not.toContain('{{');
    if (path.endsWith('.ts')) expect(() => stripTypeScriptTypes(text)).not.toThrow();
    else expect(JSON.parse(text).jobs).toHaveLength(2);
  }
  expect(files['src/sources/boards/remote-harbour.ts']).toContain('export const remoteHarbour = defineSource({');
});

test.each(['', 'Remote', '../evil', 'a b', '-x', 'x'.repeat(41)])('"%s" is no name of a source', (name) => {
  expect(() => scaffold(name)).toThrow(/cannot be a source/);
});

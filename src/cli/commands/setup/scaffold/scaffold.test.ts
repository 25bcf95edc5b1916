import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, test } from 'vitest';
import { LISTS, withSource } from './register.ts';
import { SCAFFOLD_KINDS, scaffold } from './scaffold.ts';

describe.each(SCAFFOLD_KINDS)('a %s', (kind) => {
  test.each(['repository', 'folder'] as const)('comes with its page and its test, under its own name (%s)', (place) => {
    const { files, sourcePath, testPath, exported } = scaffold({ name: 'remote-harbour', kind, place });
    expect(exported).toBe('remoteHarbour');
    expect(Object.keys(files)).toHaveLength(3);
    for (const [path, text] of Object.entries(files)) {
      expect(text).not.toContain('{{');
      if (path.endsWith('.ts')) expect(() => stripTypeScriptTypes(text)).not.toThrow();
      else if (path.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow();
      else expect(path).toContain('fixtures/remote-harbour/page-1.html');
    }
    expect(files[sourcePath]).toContain('export const remoteHarbour = defineSource({');
    expect(files[testPath]).toContain(place === 'folder' ? "'windrow/testing'" : "'../../src/testing/index.ts'");
  });

  test('is registered in the list of its kind', () => {
    const { index, importPath } = LISTS[kind];
    const text = withSource(readFileSync(index, 'utf8'), importPath('harbour'), 'harbour')!;
    expect(text).toContain(`import { harbour } from '${importPath('harbour')}';\n`);
    expect(text).toMatch(/\n {2}harbour,\n\];\n/);
  });
});

test('imports stay in order', () => {
  const index = `import { a } from '../ats/a.ts';
import { c } from '../ats/c.ts';
import type { Source } from '../define.ts';
import { x } from './x.ts';

export const LIST: readonly Source[] = [
  a,
];
`;
  const placed = (path: string) =>
    withSource(index, path, 'n')!
      .split('\n')
      .findIndex((line) => line.includes(`'${path}'`));
  expect(placed('../ats/b.ts')).toBe(1);
  expect(placed('./b.ts')).toBe(3);
  expect(placed('./y.ts')).toBe(4);
  expect(withSource('export const NONE = 1;\n', './n.ts', 'n')).toBeNull();
});

test.each(['', 'Remote', '../evil', 'a b', '-x', 'x'.repeat(41)])('"%s" is no name of a source', (name) => {
  expect(() => scaffold({ name, kind: 'board', place: 'folder' })).toThrow(/cannot be the name of a source/);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nextVersion, stepFor, unreleased, withRelease } from './changelog.ts';

const CHANGELOG = `# Changelog

## Unreleased

### Added
- A shop.

### Fixed
- A price.

## 0.1.0 - 2026-01-31

### Added
- Everything.
`;

test('what is unreleased is read up to the next version', () => {
  expect(unreleased(CHANGELOG)).toBe('### Added\n- A shop.\n\n### Fixed\n- A price.');
  expect(unreleased('## Unreleased\n- last')).toBe('- last');
  expect(() => unreleased('# Changelog\n')).toThrow('no line `## Unreleased`');
});

test.each([
  ['', '0.1.0', undefined],
  ['### Added', '0.1.0', undefined],
  ['### Fixed\n- A price.', '0.1.0', 'patch'],
  ['### Fixed\n- A price.\n\n### Security\n- A header.', '1.2.3', 'patch'],
  ['### Added\n- A shop.', '1.2.3', 'minor'],
  ['- A shop.', '1.2.3', 'minor'],
  ['### Removed\n- A shop.', '0.9.0', 'minor'],
  ['### Removed\n- A shop.', '1.2.3', 'major'],
  ['### Changed\n- **Breaking:** prices are whole cents.', '1.2.3', 'major'],
])('%j after %s is a step of %s', (changes, current, step) => {
  expect(stepFor(changes, current)).toBe(step);
});

test('the next version follows a step, or is the one that was asked for if it comes later', () => {
  expect(['major', 'minor', 'patch', '0.10.0'].map((wanted) => nextVersion('0.9.4', wanted))).toEqual([
    '1.0.0',
    '0.10.0',
    '0.9.5',
    '0.10.0',
  ]);
  expect(() => nextVersion('0.9.4', '0.9.4')).toThrow('0.9.4 does not come after 0.9.4');
  expect(() => nextVersion('0.9.4', '0.8.9')).toThrow('does not come after');
  expect(() => nextVersion('0.9.4', 'next')).toThrow('neither major, minor, patch nor a version');
});

test('a release leaves an empty place for the next one', () => {
  const after = withRelease(CHANGELOG, '0.2.0', '2026-02-28');
  expect(unreleased(after)).toBe('');
  expect(after).toContain('## Unreleased\n\n## 0.2.0 - 2026-02-28\n\n### Added\n- A shop.');
  expect(after).toContain('## 0.1.0 - 2026-01-31');
});

test('our own changelog can be read', () => {
  const own = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  expect(own).toMatch(/^## \d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/m);
  expect(() => unreleased(own)).not.toThrow();
});

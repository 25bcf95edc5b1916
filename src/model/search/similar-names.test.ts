import { expect, test } from 'vitest';
import { SIMILAR, similarity } from './similar-names.ts';

test.each([
  ['gogle', 'Google', true],
  ['gogle', 'Google Ireland Ltd', true],
  ['Microsft', 'Microsoft', true],
  ['siemens', 'SIEMENS AG', true],
  ['muller', 'Müller GmbH', true],
  ['Delloite', 'Deloitte', true],
  ['Acme', 'Apple', false],
  ['', 'Apple', false],
  ['!!!', '!!!', false],
])('%j is like %j: %s', (asked, name, isLike) => {
  expect(similarity(asked, name) >= SIMILAR).toBe(isLike);
});

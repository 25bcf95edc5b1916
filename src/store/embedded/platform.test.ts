import { expect, test } from 'vitest';
import { embeddedProblem, hasGlibc } from './platform.ts';

test('where the embedded server cannot run, the error names the setting to use', () => {
  expect(embeddedProblem({ platform: 'win32', isGlibc: false })).toMatch(/Windows.*DATABASE_URL.*WSL/);
  expect(embeddedProblem({ platform: 'linux', isGlibc: false })).toMatch(/musl \(Alpine\).*DATABASE_URL/);
  expect(embeddedProblem({ platform: 'linux', isGlibc: true })).toBeNull();
  expect(embeddedProblem({ platform: 'darwin', isGlibc: false })).toBeNull();
});

test('this machine is known for what it is', () => {
  // The servers of the tests run here.
  expect(embeddedProblem({ platform: process.platform, isGlibc: hasGlibc() })).toBeNull();
});

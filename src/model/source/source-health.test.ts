import { expect, test } from 'vitest';
import { sourceState } from './source-health.ts';

test('a source is degraded above three failures in ten, and well again only at one in ten', () => {
  expect(sourceState('ok', { done: 70, failed: 30 })).toBe('ok');
  expect(sourceState('ok', { done: 69, failed: 31 })).toBe('degraded');
  expect(sourceState('degraded', { done: 89, failed: 11 })).toBe('degraded');
  expect(sourceState('degraded', { done: 90, failed: 10 })).toBe('ok');
});

test('a handful of tasks says nothing', () => {
  expect(sourceState('ok', { done: 0, failed: 9 })).toBe('ok');
  expect(sourceState('degraded', { done: 9, failed: 0 })).toBe('degraded');
});

import { expect, test } from 'vitest';
import { createEngineMemory } from './engine-memory.ts';

test('plain HTTP first; where only a browser got through, the browser goes first for a while', () => {
  let now = 0;
  const memory = createEngineMemory({ retryMs: 1_000, retryPages: 3, now: () => now });
  expect(memory.choose('a')).toBe('http');
  memory.report('a', 'browser');
  expect([memory.choose('a'), memory.choose('a'), memory.choose('a')]).toEqual(['browser', 'browser', 'browser']);
  expect(memory.choose('b')).toBe('http');
  expect(memory.choose('a')).toBe('http');
  memory.report('a', 'browser');
  expect(memory.choose('a')).toBe('browser');
  now = 1_001;
  expect(memory.choose('a')).toBe('http');
  memory.report('a', 'http');
  expect(memory.choose('a')).toBe('http');
});

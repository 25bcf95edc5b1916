import { expect, test } from 'vitest';
import { runWord } from './run-word.ts';

test('one state has one word, whatever the API calls it', () => {
  for (const status of ['COMPLETED', 'succeeded', 'complete', 'done']) {
    expect(runWord(status)).toBe('completed');
    expect(runWord(status, 2)).toBe('partial');
  }
  for (const status of ['IN_PROGRESS', 'processing', 'running']) expect(runWord(status, 2)).toBe('running');
  expect(['FAILED', 'failed', 'CANCELLED', 'partial', 'queued'].map((status) => runWord(status, 1))).toEqual([
    'failed',
    'failed',
    'cancelled',
    'partial',
    'queued',
  ]);
});

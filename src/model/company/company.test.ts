import { expect, test } from 'vitest';
import { companyHealth } from './company.ts';

test.each([
  [[], 'unknown'],
  [['completed', 'failed', 'failed', 'failed'], 'ok'],
  [['partial', 'completed'], 'degraded'],
  [['failed', 'completed'], 'degraded'],
  [['failed', 'failed', 'failed', 'completed'], 'failing'],
  [['failed'], 'failing'],
] as const)('sessions that ended as %j: %s', (ended, health) => {
  expect(companyHealth(ended)).toBe(health);
});

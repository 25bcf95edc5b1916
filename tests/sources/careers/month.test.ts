import { expect, test } from 'vitest';
import { simulateMonth } from '../../support/worlds/career-month.ts';

test('after a month of daily scrapes with faults the open positions are the true ones, and none was ever closed wrongly', async () => {
  const report = await simulateMonth({ companies: 20, days: 30, faultRate: 0.15 });
  expect(report).toMatchObject({ scrapes: 600, wronglyClosed: [], announcedTwice: [], wrongAtTheEnd: [] });
  // It was not all quiet: things came, changed, went and came back, and attempts failed.
  for (const count of ['created', 'updated', 'reopened', 'closed', 'failedAttempts'] as const)
    expect(report[count], count).toBeGreaterThan(0);
}, 120_000);

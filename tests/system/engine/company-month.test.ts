import { expect, test } from 'vitest';
import { companyMonth } from '../../support/worlds/company-month.ts';

test('twenty companies over ten days with faults: what is open at the end is the truth, and nothing was closed while it was open', async () => {
  const report = await companyMonth({ companies: 20, days: 10, faultRate: 0.25 });
  expect(report).toMatchObject({
    wronglyClosed: [],
    announcedTwice: [],
    notAnnounced: [],
    wrongAtTheEnd: [],
    warnings: [],
  });
  // It was not all quiet: positions came, changed and went, attempts failed, and on bad days whole scrapes did.
  for (const kind of ['created', 'updated', 'closed']) expect(report.changes[kind], kind).toBeGreaterThan(0);
  expect(report.announced.news).toBeGreaterThan(50);
  expect(report.announced.matches).toBe(report.announced.news);
  expect(report.failedAttempts).toBeGreaterThan(0);
  expect(report.sessions.failed).toBeGreaterThan(0);
  expect(report.sessions.running).toBeUndefined();
});

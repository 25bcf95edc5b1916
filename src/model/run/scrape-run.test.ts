import { expect, test } from 'vitest';
import type { ResultMetadata } from '../task/messages.ts';
import { pagesOf, type SiteTask, scrapeMessage, scrapeStatus, siteNames, warningsOf } from './scrape-run.ts';

const site = (state: SiteTask['state'], requested = 0, completed = 0, found = 0): SiteTask => ({
  site: 'indeed',
  state,
  found,
  error: state === 'failed' ? { category: 'blocked', message: 'blocked: captcha', retryable: true } : null,
  metadata: { pages_requested: requested, pages_completed: completed } as ResultMetadata,
  finishedAt: null,
});

test('a run is queued until a site starts', () => {
  expect(scrapeStatus('running', [site('waiting'), site('waiting')])).toBe('queued');
  expect(scrapeStatus('running', [site('waiting'), site('running')])).toBe('running');
  expect(scrapeStatus('cancelled', [site('waiting')])).toBe('cancelled');
});

test('a run whose sites were tried and wait to be tried again has begun, and says until when', () => {
  const again = { ...site('waiting'), retryAt: new Date('2026-01-02T03:04:05Z') };
  expect(scrapeStatus('running', [site('waiting'), again])).toBe('running');
  expect(scrapeMessage([again])).toBe('indeed failed and will be retried at 2026-01-02T03:04:05.000Z');
});

test('all pages read is a success, up to three in ten missed is partial, more is failed', () => {
  expect(scrapeStatus('completed', [site('done', 10, 10)])).toBe('succeeded');
  expect(scrapeStatus('completed', [site('done', 10, 7)])).toBe('partial');
  expect(scrapeStatus('completed', [site('done', 10, 6)])).toBe('failed');
});

test('a site that stopped early after some results makes the run partial, one that never began counts as a missed page', () => {
  expect(scrapeStatus('failed', [site('failed', 4, 1, 25)])).toBe('partial');
  expect(scrapeStatus('failed', [site('failed', 0, 0)])).toBe('failed');
  expect(scrapeStatus('completed', [site('done', 9, 9), site('failed', 0, 0)])).toBe('partial');
  expect(scrapeStatus('completed', [site('done', 1, 1), site('failed', 0, 0)])).toBe('failed');
});

test('pages add up over sites', () => {
  expect(pagesOf([site('done', 5, 4), site('failed', 0, 0)])).toEqual({ requested: 6, completed: 4, errors: 2 });
});

test('the message names the site and says what it said', () => {
  const warned = site('done', 1, 1);
  warned.metadata = { ...warned.metadata!, warnings: ['no use for distance'] };
  expect(scrapeMessage([site('failed'), warned])).toBe('indeed: blocked: captcha; indeed: no use for distance');
  expect(scrapeMessage([site('done', 1, 1)])).toBe(null);
});

test('what is the same of many companies is said once, and a long list is cut', () => {
  const failed = Array.from({ length: 30 }, (_, n) => ({ ...site('failed'), site: `site-${n % 25}` }));
  expect(siteNames(failed)).toHaveLength(25);
  const said = scrapeMessage(failed)!.split('; ');
  expect(said).toHaveLength(21);
  expect([said[0], said[5], said[20]]).toEqual([
    'site-0: blocked: captcha (2 times)',
    'site-5: blocked: captcha',
    'and 5 more',
  ]);
});

test('what is missing from what came is said: what the site told, pages, rows', () => {
  const metadata = {
    warnings: ['has no use for distance'],
    incomplete: ['a page could not be read: timeout'],
    skipped: [
      { id: '7', reason: 'title: is missing' },
      { id: null, reason: 'a row without an id' },
    ],
  } as ResultMetadata;
  expect(warningsOf(metadata)).toEqual([
    'has no use for distance',
    'a page could not be read: timeout',
    '2 rows could not be read completely. First reason: title: is missing',
  ]);
  expect(warningsOf({ skipped: [{ id: '7', reason: 'no title' }] } as ResultMetadata)).toEqual([
    '1 row could not be read completely. First reason: no title',
  ]);
  expect(warningsOf(null)).toEqual([]);
});

test('a run whose source no worker has says so while it waits', () => {
  const untaken = new Map([['indeed', { message: 'no worker has the source indeed' }]]);
  expect(scrapeMessage([site('waiting')], untaken)).toBe('no worker has the source indeed, so its task waits');
  const paused = new Map([['indeed', { message: 'indeed was paused: It is being rebuilt.' }]]);
  expect(scrapeMessage([site('waiting')], paused)).toBe('indeed was paused: It is being rebuilt, so its task waits');
  expect(scrapeMessage([site('done', 1, 1)], untaken)).toBeNull();
  expect(scrapeMessage([site('waiting')], new Map([['bayt', { message: 'no worker is running' }]]))).toBeNull();
});

// A new run of each kind from the dashboard, followed to its end without a reload, on the whole engine and the sandbox web.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, startChromium } from '../support/browser/pages.ts';
import { type DashboardWorld, openDashboardWorld } from '../support/worlds/dashboard-world.ts';

let world: DashboardWorld;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openDashboardWorld(), startChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const KINDS = [
  { kind: 'search', send: 'Search', ended: 'completed' },
  { kind: 'articles', send: 'Scrape 3 articles', ended: 'completed' },
  { kind: 'cart', send: 'Find 3 items', ended: 'completed' },
];

test.each(KINDS)('the example of $kind is sent, followed and shown with its results', async ({ kind, send, ended }) => {
  const { page, trouble } = await openPage(browser, { url: world.url, path: `/ui/new?kind=${kind}` });
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  await page.getByRole('button', { name: send, exact: true }).click();
  await page.waitForURL(/\/ui\/runs\//);
  await page.locator(`.run-head .status[data-status=${ended}]`).waitFor();
  await page.locator('.card').first().waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

test('what is wrong is said at its field', async () => {
  const { page, trouble } = await openPage(browser, { url: world.url, path: '/ui/new?kind=articles' });
  await page.getByLabel('URLs, one per line').fill('https://example.com/a\nftp://example.com/b');
  await page.getByRole('button', { name: 'Scrape 2 articles' }).click();
  await page.getByText('Line 2: has to start with http').waitFor();
  expect(await page.getByLabel('URLs, one per line').getAttribute('aria-invalid')).toBe('true');
  await page.close();
  expect(trouble).toEqual([]);
});

test('a run is asked for again with another input', async () => {
  const search = await world.call('POST', '/jobs/scrape', {
    site_name: ['indeed', 'linkedin'],
    search_term: 'glazier',
    results_wanted: 5,
  });
  await world.ended(search.data.run_id);
  const { page, trouble } = await openPage(browser, { url: world.url, path: `/ui/runs/${search.data.run_id}` });
  await page.getByRole('link', { name: 'Edit and run again' }).click();
  expect(await page.getByLabel('Search term').inputValue()).toBe('glazier');
  expect(await page.getByLabel('LinkedIn').isChecked()).toBe(true);
  await page.getByLabel('Search term').fill('roofer');
  await page.getByText('"search_term": "roofer"').waitFor();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'roofer' }).waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

test('the overview says what needs attention, and its numbers lead to lists', async () => {
  await world.call('POST', '/sources/indeed/pause', { reason: 'rebuilt' });
  const { page, trouble } = await openPage(browser, { url: world.url, path: '/' });
  await page.getByText('indeed is paused: rebuilt').waitFor();
  await world.call('POST', '/sources/indeed/resume');
  await expect.poll(() => page.getByText('indeed is paused').count()).toBe(0);
  await page.locator('.uplot').first().waitFor();
  await page.locator('.figure', { hasText: 'Waiting' }).getByRole('link').click();
  await page.waitForURL(/\/ui\/runs\?q=status/);
  await page.close();
  expect(trouble).toEqual([]);
});

// The dashboard in a real browser, on the whole engine and the sandbox web: it is live, it survives its server, it keeps what it shows in the URL, and
// nothing that comes from the web or from callers runs in it (A4).
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, startChromium } from '../support/browser/pages.ts';
import { type DashboardWorld, openDashboardWorld } from '../support/worlds/dashboard-world.ts';

const story = (number: number): string => `https://orchard-review.example/news/story-${number}`;

let world: DashboardWorld;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openDashboardWorld(), startChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const open = (path: string, more: object = {}) => openPage(browser, { url: world.url, path, ...more });

test('a run that someone else submits waits behind a button, and its end is seen without a reload', async () => {
  await world.ended(await world.submit([story(1)]));
  const { page, trouble } = await open('/ui/runs');
  await page.locator('tbody tr').first().waitFor();
  await page.locator('.live-mark.live').waitFor();
  const id = await world.submit([story(2), story(3)]);
  await page.getByRole('button', { name: '1 new' }).click();
  await page.locator(`tr[data-key="${id}"] .status[data-status=completed]`).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(2);
  await page.close();
  expect(trouble).toEqual([]);
});

test('filters are in the URL, and the way back leads through them', async () => {
  const search = await world.call('POST', '/jobs/scrape', { site_name: 'indeed', search_term: 'beekeeper' });
  await world.ended(search.data.run_id);
  const { page, trouble } = await open('/ui/runs');
  await page.getByLabel('Filter runs').fill('kind:posting beekeeper');
  await page.waitForURL(/q=kind%3Aposting\+beekeeper/);
  await page.locator(`tr[data-key="${search.data.run_id}"]`).waitFor();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.getByRole('link', { name: 'beekeeper' }).click();
  await page.getByRole('heading', { level: 1, name: 'beekeeper' }).waitFor();
  await expect.poll(() => page.title()).toBe('beekeeper · Windrow');
  await page.goBack();
  await expect.poll(() => page.getByLabel('Filter runs').inputValue()).toBe('kind:posting beekeeper');
  await page.getByLabel('Filter runs').fill('colour:red');
  await page.getByText('There is no filter colour').waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

test('rows are moved through and opened with the keyboard', async () => {
  const id = await world.submit([story(4)]);
  await world.ended(id);
  const { page, trouble } = await open('/ui/runs');
  await page.locator(`tr[data-key="${id}"]`).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.url}/ui/runs/${id}`);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL(`${world.url}/ui/runs`);
  await page.keyboard.press('/');
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Filter runs');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(id);
  await page.getByRole('option', { name: /story-4/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.url}/ui/runs/${id}`);
  await page.close();
  expect(trouble).toEqual([]);
});

test('columns are chosen, and the choice is in the URL', async () => {
  await world.ended(await world.submit([story(5)]));
  const { page, trouble } = await open('/ui/runs');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByLabel('Id', { exact: true }).check();
  await page.getByRole('columnheader', { name: 'Id' }).waitFor();
  expect(page.url()).toContain('cols=');
  await page.reload();
  await page.getByRole('columnheader', { name: 'Id' }).waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

test('a paused page asks for nothing, and is up to date when it goes on', async () => {
  await world.ended(await world.submit([story(6)]));
  const { page, trouble } = await open('/ui/runs');
  await page.locator('.live-mark.live').waitFor();
  await page.getByRole('button', { name: 'Pause updates' }).click();
  await page.locator('.live-mark.paused').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const id = await world.submit([story(7)]);
  await world.ended(id);
  expect(asked).toEqual([]);
  await page.getByRole('button', { name: 'Resume updates' }).click();
  await page.getByRole('button', { name: '1 new' }).click();
  await page.locator(`tr[data-key="${id}"]`).waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

test('while the server is away the page says so and keeps what it shows, and comes back by itself', async () => {
  const id = await world.submit([story(8)]);
  await world.ended(id);
  const { page, trouble } = await open('/ui/runs');
  await page.locator('.live-mark.live').waitFor();
  await world.stop();
  await page.getByText('The connection to the server is lost.').waitFor();
  expect(await page.locator(`tr[data-key="${id}"]`).isVisible()).toBe(true);
  await world.start();
  await page.locator('.live-mark.live').waitFor();
  await expect.poll(() => page.getByText('The connection to the server is lost.').count()).toBe(0);
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await page.close();
  expect(trouble).toEqual([]);
});

test('A4: markup, scripts and javascript: links from callers and sites do nothing', async () => {
  const nasty = '"><script>alert(1)</script><img src=x onerror=alert(2)><a href="javascript:alert(3)">x</a>{{7*7}}';
  const submitted = await world.call('POST', '/jobs/submit', {
    articles: [
      { url: `https://orchard-review.example/?q=${nasty}`, source: nasty, category: nasty },
      { url: `https://example.invalid/gone/${nasty}` },
    ],
  });
  const search = await world.call('POST', '/jobs/scrape', { site_name: 'indeed', search_term: nasty });
  const runs: [id: string, tabs: string[]][] = [
    [submitted.job_id, ['', '?tab=tasks', '?tab=request']],
    [search.data.run_id, ['', '?tab=tasks', '?tab=request']],
  ];
  for (const [id, tabs] of runs) {
    await world.ended(id);
    for (const tab of tabs) {
      const { page, trouble } = await open(`/ui/runs/${id}${tab}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.skeleton').waitFor({ state: 'detached' });
      for (const link of await page.locator('main a[target]').all()) {
        // Saved pages are ours, and served in a sandbox.
        expect(await link.getAttribute('href')).toMatch(/^(?:https?:|\/evidence\/[\w-]+\/(?:page|screenshot))/);
        expect(await link.getAttribute('rel')).toContain('noopener');
      }
      expect(await page.locator('main script, main img').count()).toBe(0);
      await page.close();
      expect(trouble).toEqual([]);
    }
  }
  const { page, trouble } = await open(`/ui/runs?q=${encodeURIComponent(nasty)}`);
  await page.getByLabel('Filter runs').waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

test('a run is cancelled after a look at what that means', async () => {
  await world.call('POST', '/sources/article/pause', { reason: 'for the test' });
  const id = await world.submit([story(9), story(10)]);
  const { page, trouble } = await open(`/ui/runs/${id}`);
  await page.getByText('article was paused').waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('2 entries will not be scraped').waitFor();
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.locator('.run-head .status[data-status=cancelled]').waitFor();
  await world.call('POST', '/sources/article/resume');
  await page.close();
  expect(trouble).toEqual([]);
});

test('the reference of the API is searched, read and tried', async () => {
  const { page, trouble } = await open('/docs');
  await page.getByLabel('Find in the reference').fill('livez');
  await page.getByRole('link', { name: '/livez' }).click();
  await page.getByRole('button', { name: 'Send GET' }).click();
  await page.getByText('200 OK').waitFor();
  await page.getByText('"status": "ok"').first().waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

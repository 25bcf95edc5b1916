// The screens of data and operations, as somebody uses them: what is done on a page is there without a reload, and in the API.
import type { Browser, Page } from 'playwright-core';
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

/** Nothing happened on it that must not. */
async function on(path: string, work: (page: Page) => Promise<void>): Promise<void> {
  const { page, trouble } = await openPage(browser, { url: world.url, path });
  await work(page);
  await page.close();
  expect(trouble).toEqual([]);
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('postings are searched, counted by value, opened and exported', async () => {
  const { data } = await world.call('POST', '/jobs/scrape', {
    site_name: 'indeed',
    search_term: 'nurse',
    results_wanted: 20,
  });
  await world.ended(data.run_id);
  await on('/ui/data/postings', async (page) => {
    await page.getByLabel('Search postings').fill('nurse');
    await page.locator('mark').first().waitFor();
    expect(page.url()).toContain('q=nurse');
    await page.locator('.facets a', { hasText: 'indeed' }).click();
    await page.locator('.facets a.chosen').waitFor();
    expect(page.url()).toContain('source=indeed');
    await page.locator('tbody a.row-link').first().click();
    await page.locator('.drawer').getByText('First seen').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.drawer').waitFor({ state: 'detached' });
    await button(page, 'Export').click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toBe('postings.csv');
  });
});

test('hostile titles, terms and URLs of articles and products stay text', async () => {
  await on(
    '/ui/data/articles?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&open=%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
    async (page) => {
      await page.locator('.empty').waitFor();
      expect(await page.locator('main img').count()).toBe(0);
    },
  );
});

test('a source is paused with a reason and resumed', async () => {
  await on('/ui/sources?open=indeed', async (page) => {
    await button(page, 'Pause').click();
    await page.getByLabel('Reason').fill('the site asked for it');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await page.locator('.drawer').getByText('the site asked for it').waitFor();
    expect((await world.call('GET', '/sources/indeed')).paused.reason).toBe('the site asked for it');
    await button(page, 'Resume').click();
    await button(page, 'Pause').waitFor();
    expect((await world.call('GET', '/sources/indeed')).paused).toBeNull();
  });
});

test('a worker is drained with a reason, taken back from the message, and resumed', async () => {
  const [{ worker }] = (await world.call('GET', '/jobs/queue/status')).data.workers;
  await on(`/ui/workers?open=${worker}`, async (page) => {
    await button(page, 'Drain').click();
    await page.getByLabel('Reason').fill('more memory');
    await page.getByRole('dialog').getByRole('button', { name: 'Drain', exact: true }).click();
    await page.locator('.drawer').getByText('more memory').waitFor();
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await button(page, 'Drain').waitFor();
  });
  await expect.poll(async () => (await world.call('GET', '/jobs/queue/status')).data.workers[0].drain).toBeNull();
});

test('a schedule is made with a preview of its times, edited, switched off and deleted', async () => {
  await on('/ui/schedules', async (page) => {
    await page.getByRole('link', { name: 'New schedule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Search term').fill('welder');
    await dialog.getByLabel('Cron expression').fill('nonsense');
    await dialog.locator('.field-problem').waitFor();
    await dialog.getByLabel('Cron expression').fill('15 6 * * 1-5');
    await dialog.locator('.next-times li').nth(4).waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'indeed: welder' }).last().click();
    await page.locator('.drawer').getByText('Monday to Friday at 06:15').waitFor();
    await button(page, 'Edit').click();
    await dialog.getByLabel('Cron expression').fill('0 5 * * *');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.locator('.drawer').getByText('every day at 05:00').waitFor();
    await button(page, 'Switch off').click();
    await button(page, 'Switch on').waitFor();
    await button(page, 'Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.locator('.drawer').waitFor({ state: 'detached' });
  });
  const { schedules } = await world.call('GET', '/schedules');
  expect(schedules.filter((one: { site_name: string }) => one.site_name === 'indeed')).toEqual([]);
});

test('a company is added by its address, after what is behind it was recognised', async () => {
  await on('/ui/companies?new=1', async (page) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address of its career page or website').fill('boards.greenhouse.io/acme');
    await dialog.getByRole('button', { name: 'Detect' }).click();
    await dialog.getByText('greenhouse', { exact: true }).first().waitFor();
    await dialog.getByLabel('Name').fill('Acme');
    await dialog.getByRole('button', { name: 'Add and scrape' }).click();
    await page.locator('.drawer h2', { hasText: 'Acme' }).waitFor();
    await page.locator('.drawer .plain-list a').first().waitFor();
  });
  const { companies } = await world.call('GET', '/companies');
  expect(companies[0]).toMatchObject({ name: 'Acme', scraping_config: { scraper_type: 'greenhouse' } });
});

test('dead letters are looked at by cause, and retried one by one and together', async () => {
  const urls = [1, 2].map((n) => `https://orchard-review.example/news/story-${n}?fault=500`);
  await world.ended(await world.submit(urls));
  await on('/ui/dead-letters', async (page) => {
    await page.locator('.letter-groups').getByText('article: http 5xx').waitFor();
    await page.locator('.letter-groups p a').click();
    await page.locator('.drawer').getByText('Attempt 1').first().waitFor();
    await page.locator('.drawer').getByRole('button', { name: 'Edit and retry' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Input, as JSON').fill('{"url":"https://orchard-review.example/news/story-9"}');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.locator('.drawer').waitFor({ state: 'detached' });
    await page.locator('.page-head').getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('1 task will be gone').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing has failed for good').waitFor();
  });
  expect((await world.call('GET', '/dead-letters')).dead_letters).toEqual([]);
});

test('what failed in several runs is counted and retried together', async () => {
  for (const n of [11, 12]) {
    await world.ended(await world.submit([`https://orchard-review.example/news/story-${n}?fault=500`]));
  }
  await on('/ui/runs?q=status%3Afailed', async (page) => {
    const rows = page.locator('tbody input[type=checkbox]');
    await rows.nth(0).check();
    await rows.nth(1).check();
    await button(page, 'Retry what failed in 2 runs').click();
    await page.getByRole('dialog').getByText('2 failed tasks will be tried again').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry 2 tasks' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  await expect.poll(async () => (await world.call('GET', '/dead-letters')).dead_letters.length).toBe(2);
});

test('an alert is made after a look at what would match', async () => {
  await on('/ui/alerts?new=1', async (page) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nurses');
    await dialog.getByLabel('Words').fill('nurse');
    await dialog.getByRole('button', { name: 'What would match?' }).click();
    await dialog.getByText('that are there would match').waitFor();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Nurses' }).click();
    await page.locator('.drawer').getByText('Feed for a reader').waitFor();
  });
});

test('a webhook that may not be is refused at its field', async () => {
  await on('/ui/webhooks?new=1', async (page) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL of the receiver').fill('http://127.0.0.1/hook');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Webhook URL not allowed').first().waitFor();
  });
});

test('a cart says where the whole basket is cheapest, and shows unit price and seller on a phone', async () => {
  const { page, trouble } = await openPage(browser, {
    url: world.url,
    path: '/cart',
    viewport: { width: 390, height: 844 },
  });
  await page.getByLabel('Items, one per line').fill('milk\neggs');
  await page.getByLabel('ZIP code').fill('10001');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.locator('.baskets li').first().waitFor();
  const [line] = await page.locator('.products li').all();
  expect(await line!.locator('.product-seller').isVisible()).toBe(true);
  expect(await line!.locator('.product-unit').isVisible()).toBe(true);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.close();
  expect(trouble).toEqual([]);
});

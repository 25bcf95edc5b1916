// The page in a real browser: it works, and nothing that comes from the web or from callers runs in it (A4).
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiWorld, startApiWorld } from '../system/api/api-world.ts';

let world: ApiWorld;
let browser: Browser;
beforeAll(async () => {
  world = await startApiWorld();
  browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM!, args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function openPage(path: string) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const trouble: string[] = [];
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(world.url) && !/^(data|blob):/.test(request.url()))
      trouble.push(`request: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) trouble.push(message.text());
  });
  await page.goto(world.url + path);
  return { page, trouble };
}

test('addresses are submitted, progress is live, results are shown as text', async () => {
  const { page, trouble } = await openPage('/');
  await page.fill(
    '#urls',
    `https://example.com/${encodeURI('<img src=x onerror=alert(1)>')}\nhttps://example.com/gone/1`,
  );
  await page.click('button[type=submit]');
  await page.waitForSelector('#jobs .badge.COMPLETED');
  expect(await page.textContent('#jobs li:first-child .badge')).toBe('partial');
  expect(await page.textContent('#submit-says')).toMatch(/Accepted as job_[0-9a-f]{12}: 2 articles/);
  await page.click('#jobs li:first-child button');
  await page.waitForSelector('.entry');
  const text = await page.textContent('#details-body');
  expect(text).toContain('Title of');
  expect(text).toContain('404 Not Found');
  await page.click('#close');
  await page.close();
  expect(trouble).toEqual([]);
});

test('a job that someone else submits appears without a reload', async () => {
  const { page, trouble } = await openPage('/');
  await page.waitForSelector('.live.on');
  const job = await world.submit(['/someone/else']);
  await page.waitForSelector(`li[data-id=${job}] .badge.COMPLETED`);
  await page.close();
  expect(trouble).toEqual([]);
});

test('A4: markup, scripts and javascript: links from callers and sites do nothing', async () => {
  const nasty = '"><script>alert(1)</script><img src=x onerror=alert(2)><a href="javascript:alert(3)">x</a>{{7*7}}';
  const submitted = await world.call('POST', '/jobs/submit', {
    articles: [
      { url: `https://example.com/?q=${nasty}`, source: nasty, category: nasty },
      { url: `https://example.com/gone/${nasty}` },
    ],
  });
  await world.ended(submitted.body.job_id);
  const { page, trouble } = await openPage('/');
  await page.click(`li[data-id=${submitted.body.job_id}] button`);
  await page.waitForSelector('.entry');
  for (const anchor of await page.locator('#details-body a').all()) {
    expect(await anchor.getAttribute('href')).toMatch(/^https?:/);
    expect(await anchor.getAttribute('rel')).toContain('noopener');
  }
  expect(await page.locator('#details-body script, #details-body img').count()).toBe(0);
  await page.close();
  expect(trouble).toEqual([]);
});

test('a source is shown with what it did, paused and resumed', async () => {
  await world.ended(await world.submit(['/source/1']));
  const { page, trouble } = await openPage('/');
  const row = page.locator('#sources tr[data-source=article]');
  await row.getByRole('button', { name: 'pause article' }).click();
  await row.getByText('paused').waitFor();
  await row.getByRole('button', { name: 'resume article' }).click();
  await row.getByRole('button', { name: 'pause article' }).waitFor();
  expect(await world.store.listHolds()).toEqual([]);
  await page.close();
  expect(trouble).toEqual([]);
});

test('a kind of jobs of which there is none is not called an empty list', async () => {
  const { page, trouble } = await openPage('/');
  await page.waitForSelector('.live.on');
  await page.waitForSelector(`li[data-id=${await world.submit(['/of/a/kind'])}] .badge.COMPLETED`);
  await page.selectOption('#filter', 'CANCELLED');
  await page.getByText('No jobs with this status.').waitFor();
  expect(await page.isVisible('#empty')).toBe(false);
  await page.selectOption('#filter', 'COMPLETED');
  await page.waitForSelector('#jobs li');
  expect(await page.isVisible('#none')).toBe(false);
  await page.close();
  expect(trouble).toEqual([]);
});

test('on a telephone the page is as wide as the screen, whatever the tables hold', async () => {
  const { page, trouble } = await openPage('/');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator('#sources tr').first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.close();
  expect(trouble).toEqual([]);
});

test('the documentation loads from here alone', async () => {
  const { page, trouble } = await openPage('/docs');
  await page.getByText('/jobs/submit').first().waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

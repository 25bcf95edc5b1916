// What holds for every screen: no violation that axe finds, light and dark, on a desktop and on a phone; as wide as the window; nothing but what the policy
// allows. And the page as a whole stays small.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPage, startChromium } from '../support/browser/pages.ts';
import { type DashboardWorld, openDashboardWorld } from '../support/worlds/dashboard-world.ts';
import { EXAMPLES, type Known } from './screens.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = [
  { view: 'desktop, light', viewport: { width: 1_440, height: 900 }, colorScheme: 'light' },
  { view: 'desktop, dark', viewport: { width: 1_440, height: 900 }, colorScheme: 'dark' },
  { view: 'phone, light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { view: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

let world: DashboardWorld;
let browser: Browser;
let known: Known;
beforeAll(async () => {
  [world, browser] = await Promise.all([openDashboardWorld(), startChromium()]);
  const [articles, search, cart] = await Promise.all([
    world.submit([
      'https://orchard-review.example/news/story-1',
      'https://orchard-review.example/no/such/page',
      'https://orchard-review.example/news/story-2?fault=500',
    ]),
    world
      .call('POST', '/jobs/scrape', { site_name: ['indeed', 'linkedin'], search_term: 'nurse' })
      .then(({ data }) => data.run_id),
    world.call('POST', '/cart', { items: ['milk', 'eggs'], zipcode: '10001' }).then(({ job_id }) => job_id),
  ]);
  known = { articles, search, cart };
  for (const id of Object.values(known)) await world.ended(id);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary: string }[];
}

/** In the page's own world, past its policy, as the tools of a browser run. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: Violation[];
  };
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

describe.each(VIEWS)('$view', ({ viewport, colorScheme }) => {
  test.each(EXAMPLES)('$name', async ({ path, ready }) => {
    const { page, trouble } = await openPage(browser, {
      url: world.url,
      path: path(known),
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
    });
    await page.locator(ready).first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await page.locator('main h1, main h2').count()).toBeGreaterThan(0);
    await page.close();
    expect(trouble).toEqual([]);
  });
});

describe('the built page', () => {
  const built = resolve(import.meta.dirname, '../../src/dashboard/built/assets');

  test('is smaller than 150 KB as gzip, with all screens', () => {
    const sizes = readdirSync(built)
      .filter((name) => name.endsWith('.gz'))
      .map((name) => statSync(join(built, name)).size);
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });
});

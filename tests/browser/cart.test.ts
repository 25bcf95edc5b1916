// The page of a cart in a real browser: it shows where the cart stands and what was found, and nothing that a shop or a caller wrote runs in it.
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CartWorld, openCartWorld } from '../support/worlds/cart-world.ts';

let world: CartWorld;
let browser: Browser;
beforeAll(async () => {
  world = await openCartWorld();
  browser = await chromium.launch({ executablePath: process.env.TEST_CHROMIUM!, args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});
beforeEach(() => world.hold());

async function openCart(path = '/cart'): Promise<{ page: Page; trouble: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const trouble: string[] = [];
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(world.url)) trouble.push(`request: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) trouble.push(message.text());
  });
  await page.goto(world.url + path);
  return { page, trouble };
}

async function ask(page: Page, items: string[], zipcode: string): Promise<void> {
  await page.getByLabel('Items, one per line').fill(items.join('\n'));
  await page.getByLabel('ZIP code').fill(zipcode);
  await page.getByRole('button', { name: 'Search' }).click();
}

test('items and a ZIP become a cart whose place, progress and products are shown, and it can be come back to', async () => {
  const { page, trouble } = await openCart();
  await ask(page, ['milk', '', 'held eggs', 'gone bread'], '10001');
  await page.getByText('2/3 items completed').waitFor();
  expect(await page.locator('#badge').textContent()).toBe('running');
  expect(await page.locator('section h2', { hasText: /^milk$/ }).count()).toBe(1);
  world.letGo();
  await page.locator('.badge.COMPLETED').waitFor();
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(10);
  expect(await page.locator('tbody .price strong').first().textContent()).toMatch(/^\$\d+\.\d\d$/);
  expect(await page.locator('.wrong').textContent()).toMatch(/\S/);
  const address = new URL(page.url());
  await page.close();

  const again = await openCart(address.pathname + address.hash);
  await again.page.locator('.badge.COMPLETED').waitFor();
  const other = await world.submit(['rice'], '10001');
  await again.page.evaluate(`location.hash = '${other}'`);
  await again.page.locator('#products h2', { hasText: /^rice$/ }).waitFor();
  await again.page.close();
  expect([...trouble, ...again.trouble]).toEqual([]);
});

test('a cart that has to wait says how many are ahead and for how long', async () => {
  const first = await world.submit(['held one'], '10002');
  const { page, trouble } = await openCart();
  await ask(page, ['held two'], '10002');
  await page.getByText(/1 cart ahead, about \d+/).waitFor();
  world.letGo();
  await page.locator('.badge.COMPLETED').waitFor();
  await world.done(first);
  await page.close();
  expect(trouble).toEqual([]);
});

test('markup in items does nothing, and what the server refuses is said', async () => {
  const { page, trouble } = await openCart();
  const nasty = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await ask(page, [nasty], '10003');
  await page.locator('.badge.COMPLETED').waitFor();
  expect(await page.locator('#products h2').textContent()).toBe(nasty);
  expect(await page.locator('#products img, #products script').count()).toBe(0);
  await ask(
    page,
    Array.from({ length: 101 }, (_, n) => `thing ${n}`),
    '10003',
  );
  await page.locator('.says.bad').waitFor();
  expect(await page.locator('.says.bad').textContent()).toMatch(/^Not valid:items may have at most 100 entries/);
  await ask(page, ['milk', '', 'x'.repeat(201)], '10003');
  await page.getByText('line 3 may have at most 200 characters').waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

test('a long word does not make the page wider than a telephone', async () => {
  const { page, trouble } = await openCart();
  await page.setViewportSize({ width: 360, height: 740 });
  await ask(page, ['x'.repeat(190), `gone ${'y'.repeat(190)}`], '10004');
  await page.locator('.badge.COMPLETED').waitFor();
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.close();
  expect(trouble).toEqual([]);
});

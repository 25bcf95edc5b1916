// Google Shopping behind its page for browsers: plain HTTP is sent to "enable JavaScript", Chromium passes and sees the products.
import { expect, test } from 'vitest';
import { googleShopping } from '../../src/sources/shopping/google/google-shopping.ts';
import { createBrowserPool } from '../../src/web/browser/pool.ts';
import { serve } from '../support/web/servers.ts';
import { scrapeWith } from '../support/worlds/scrape.ts';

const CHALLENGE = `<!doctype html><title>Google Search</title><noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=x"></noscript>
<script>location.replace(location.href + '&sei=passed');</script>`;
/** Cards come a moment after the page, as on the real one. */
const RESULTS = `<!doctype html><title>milk - Google Shopping</title><ul id="rso"></ul><script>setTimeout(() => {
  rso.innerHTML = [1, 2, 3].map((n) => '<li class="YBo8bb"><div data-attrid="apg-product-result" data-oid="' + n + '"><div jsname="ZvZkAe" aria-label="Milk ' + n + '.  Current price: $' + n + '.50. Shop ' + n + '. In store, Tampa."></div></div></li>').join('');
}, 300);</script>`;

test('a page that wants JavaScript is shown by a browser, and waited for until its cards are there', async () => {
  await using site = await serve((request, response) =>
    response.setHeader('content-type', 'text/html').end(request.url?.includes('sei=passed') ? RESULTS : CHALLENGE),
  );
  const executablePath = process.env.TEST_CHROMIUM;
  const browser = createBrowserPool(executablePath === undefined ? {} : { executablePath });
  const { items, ledger } = await scrapeWith(
    googleShopping,
    { item: 'milk', zipcode: '33602' },
    { hostMap: `*=${site.origin}`, robots: 'off', browser, timeoutMs: 60_000 },
  );
  expect(
    items.map(({ title, price, seller, locality }) => [title, price?.amount_minor, seller.name, locality.evidence]),
  ).toEqual([
    ['Milk 1', 150, 'Shop 1', 'In store, Tampa'],
    ['Milk 2', 250, 'Shop 2', 'In store, Tampa'],
    ['Milk 3', 350, 'Shop 3', 'In store, Tampa'],
  ]);
  expect(ledger.browserMs).toBeGreaterThan(0);
});

test('without a browser the same page says what is missing', async () => {
  await using site = await serve((_, response) => response.setHeader('content-type', 'text/html').end(CHALLENGE));
  const attempt = scrapeWith(
    googleShopping,
    { item: 'milk', zipcode: '33602' },
    { hostMap: `*=${site.origin}`, robots: 'off' },
  );
  await expect(attempt).rejects.toMatchObject({ code: 'blocked', message: expect.stringContaining('js_challenge') });
});

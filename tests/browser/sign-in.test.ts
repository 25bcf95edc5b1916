// Signing in to the dashboard: a key becomes a session that scripts cannot read, a page of another site cannot use, and that ends with the key.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage, startChromium } from '../support/browser/pages.ts';
import { type DashboardWorld, openDashboardWorld } from '../support/worlds/dashboard-world.ts';

const ROOT_KEY = 'root-key-of-the-sign-in-test';

let world: DashboardWorld;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openDashboardWorld({ keys: [ROOT_KEY] }), startChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

async function signIn(key: string, path = '/ui/runs') {
  const opened = await openPage(browser, { url: world.url, path });
  await opened.page.getByLabel('API key').fill(key);
  await opened.page.getByRole('button', { name: 'Sign in' }).click();
  return opened;
}

test('whoever is not signed in sees a page to sign in, and where it leads afterwards is the address', async () => {
  const { page, trouble } = await signIn('not-a-key');
  await page.getByText('The API key is not valid').waitFor();
  await page.getByLabel('API key').fill(ROOT_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.locator('.live-mark.live').waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'windrow_session', httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(cookie!.value).not.toContain(ROOT_KEY);
  expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toContain(cookie!.value);
  await page.reload();
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: /Sign out/ }).click();
  await page.getByLabel('API key').waitFor();
  // The session is over on the server too, not only forgotten by the browser.
  await expect
    .poll(
      async () =>
        (await fetch(`${world.url}/runs`, { headers: { cookie: `windrow_session=${cookie!.value}` } })).status,
    )
    .toBe(401);
  await page.close();
  expect(trouble).toEqual([]);
});

test('what a key may not do is not shown, and is refused', async () => {
  const { key } = await world.call('POST', '/keys', { name: 'reader', scope: 'read', owner: 'team-r' });
  const { page, trouble } = await signIn(key);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.locator('.live-mark.live').waitFor();
  expect(await page.getByRole('link', { name: 'New run' }).count()).toBe(0);
  const refused =
    await page.evaluate(`fetch('/jobs/submit', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: '{"articles":[{"url":"https://example.com/"}]}' }).then((reply) => reply.status)`);
  expect(refused).toBe(403);
  await page.close();
  expect(trouble).toEqual([]);
});

test('a revoked key ends its session', async () => {
  const made = await world.call('POST', '/keys', { name: 'leaver', scope: 'submit', owner: 'team-l' });
  const { page, trouble } = await signIn(made.key);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await world.call('DELETE', `/keys/${made.id}`);
  await page.getByLabel('API key').waitFor();
  await page.close();
  expect(trouble).toEqual([]);
});

test('a session does not serve a page of another origin', async () => {
  const { page } = await signIn(ROOT_KEY);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  const [cookie] = await page.context().cookies();
  const headers = { cookie: `windrow_session=${cookie!.value}`, 'content-type': 'application/json' };
  const post = (more: Record<string, string>) =>
    fetch(`${world.url}/jobs/submit`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: '{"articles":[{"url":"https://example.com/x"}]}',
    }).then(({ status }) => status);
  expect(await post({ origin: 'https://evil.example' })).toBe(403);
  expect(await post({ origin: world.url })).toBe(201);
  await page.close();
});

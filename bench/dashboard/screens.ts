// What each screen asks the server for, as a real page asks it: every GET, and how often it is asked again.
import type { Chromium } from '../../tests/support/browser/pages.ts';

export interface Asked {
  path: string;
  /** Null: once. */
  everyMs: number | null;
}

/** A page polls its slowest answer that often. */
export const LONGEST_POLL_MS = 31_000;

export async function askedBy(browser: Chromium, url: string, path: string, watchMs: number): Promise<Asked[]> {
  const page = await browser.newPage();
  const times = new Map<string, number[]>();
  page.on('request', (request) => {
    const { pathname, search, origin } = new URL(request.url());
    if (origin !== url || request.method() !== 'GET' || !['fetch', 'xhr'].includes(request.resourceType())) return;
    const at = times.get(pathname + search) ?? [];
    times.set(pathname + search, [...at, performance.now()]);
  });
  await page.goto(url + path);
  await page.locator('main').waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(watchMs);
  await page.close();
  return [...times].map(([asked, at]) => ({
    path: asked,
    everyMs: at.length < 2 ? null : (at.at(-1)! - at[0]!) / (at.length - 1),
  }));
}

// How long the first view takes in a browser that has nothing of the page yet: until something is painted, and until the overview shows its numbers.
import type { Chromium } from '../../tests/support/browser/pages.ts';

export interface View {
  paintMs: number;
  shownMs: number;
  /** Over the wire. */
  kilobytes: number;
}

export async function firstView(browser: Chromium, url: string, trace?: string): Promise<View> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  if (trace) await browser.startTracing(page, { path: trace, screenshots: false });
  await page.addInitScript(() => {
    new MutationObserver((_, watch) => {
      if (!document.querySelector('.figures')) return;
      watch.disconnect();
      // Painted in the next frame.
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('shown')));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${url}/`);
  await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0);
  const view = await page.evaluate(() => {
    const sizes = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const [own] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return {
      paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      shownMs: performance.getEntriesByName('shown')[0]!.startTime,
      kilobytes: [own!, ...sizes].reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_024,
    };
  });
  if (trace) await browser.stopTracing();
  await context.close();
  return view;
}

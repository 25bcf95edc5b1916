// One page shown in a browser, within its deadline. The page is hostile until shown otherwise: dialogs are dismissed, pop-ups closed,
// downloads and permissions off, and a script that never ends ends with the deadline.
import type { BrowserContext, Page, Response } from 'playwright-core';
import { AppError } from '../../model/errors.ts';
import { timeoutError } from '../http/http-errors.ts';
import type { RenderedPage, RenderRequest } from './browser.ts';
import { pauseMs, planScroll, READER } from './human.ts';

/** Blocked inside the browser: deciding on them in Node would quadruple its cost. */
export const BLOCKED_URLS = [
  'png',
  'jpg',
  'jpeg',
  'gif',
  'webp',
  'avif',
  'ico',
  'svg',
  'mp4',
  'webm',
  'mp3',
  'woff',
  'woff2',
  'ttf',
  'otf',
].flatMap((extension) => [`*://*/*.${extension}`, `*://*/*.${extension}?*`]);

/** Makes the page of a new context ready: what it may not load, and what it may not do. */
export async function preparePage(context: BrowserContext, blocksResources: boolean): Promise<Page> {
  const page = await context.newPage();
  context.on('page', (other) => {
    // Pop-ups; a page that is already gone is as good as closed.
    if (other !== page) other.close().catch(() => {});
  });
  page.on('dialog', (dialog) => {
    dialog.dismiss().catch(() => {});
  });
  if (blocksResources) {
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.setBlockedURLs', { urls: BLOCKED_URLS });
  }
  return page;
}

/** All but the picture, which is taken later if somebody wants it. */
export async function renderOn(
  page: Page,
  request: RenderRequest,
  random: () => number,
): Promise<Omit<RenderedPage, 'picture'>> {
  const { options } = request;
  const began = performance.now();
  const response = await open(page, request);
  const missing =
    options.waitFor === undefined
      ? null
      : await waitForSelector(page, options.waitFor, waitMs(request.timeoutMs - (performance.now() - began)));
  if (options.scroll && missing === null) await scrollThrough(page, random);
  let html = await page.content();
  const status = response?.status() ?? 0;
  const buttons = request.buttonsOf(html, page.url(), status);
  if (buttons.length > 0 && (await pressFirst(page, buttons, random))) {
    await page.goto(request.url, { waitUntil: 'domcontentloaded', timeout: request.timeoutMs });
    html = await page.content();
  }
  const cookies = await page.context().cookies();
  return {
    url: page.url(),
    status,
    headers: await (response?.allHeaders() ?? {}),
    html,
    cookies: cookies.map(
      ({ name, value, domain, path }) =>
        `${name}=${value}; Path=${path}${domain.startsWith('.') ? `; Domain=${domain.slice(1)}` : ''}`,
    ),
    missing,
    tookMs: performance.now() - began,
  };
}

const PICTURE_MS = 5_000;
const JPEG_QUALITY = 50;

/** PNG, or JPEG where that is too large: of what a visitor sees without scrolling. A page too broken for one is kept without. */
export async function takePicture(page: Page, maxBytes: number): Promise<Uint8Array | null> {
  const shot = (options: object) => page.screenshot({ timeout: PICTURE_MS, ...options }).catch(() => null);
  const png = await shot({ type: 'png' });
  return png === null || png.length <= maxBytes ? png : shot({ type: 'jpeg', quality: JPEG_QUALITY });
}

async function open(page: Page, request: RenderRequest): Promise<Response | null> {
  const options = { waitUntil: 'domcontentloaded', timeout: request.timeoutMs } as const;
  try {
    return await page.goto(request.url, options);
  } catch (error) {
    // Chromium aborts a navigation under load for no reason of the page's; once more is enough.
    if (!String(error).includes('net::ERR_ABORTED')) throw error;
    return await page.goto(request.url, options);
  }
}

/** What is left of the time limit, less what it takes to read the page that does not show it. */
const waitMs = (leftMs: number): number => Math.max(1, Math.min(leftMs - 2_000, leftMs * 0.8));

async function waitForSelector(page: Page, selector: string, timeoutMs: number): Promise<AppError | null> {
  try {
    await page.waitForSelector(selector, { state: 'attached', timeout: timeoutMs });
    return null;
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    return new AppError('layout_changed', `nothing on the page matches ${selector}`, { cause });
  }
}

async function scrollThrough(page: Page, random: () => number): Promise<void> {
  const { height, viewport } = await page.evaluate(() => ({
    height: document.documentElement.scrollHeight,
    viewport: window.innerHeight,
  }));
  await page.waitForTimeout(pauseMs(READER.pageLoadDelayMs, random));
  for (const step of planScroll(height, viewport, READER, random)) {
    await page.mouse.wheel(0, step.byPx);
    await page.waitForTimeout(step.thenMs);
  }
}

async function pressFirst(page: Page, selectors: string[], random: () => number): Promise<boolean> {
  for (const selector of selectors) {
    const button = await page.$(selector);
    if (button === null) continue;
    await page.waitForTimeout(pauseMs(READER.clickDelayMs, random));
    await button.click({ timeout: 5_000 });
    return true;
  }
  return false;
}

const isTimeout = (error: unknown): boolean => /Timeout \d+ms exceeded|TimeoutError/.test(String(error));

/** What Playwright threw, as a row of our table. A refusal of the guarded proxy shows as a failed tunnel. */
export function browserError(error: unknown, timeoutMs: number): AppError {
  if (error instanceof AppError) return error;
  const text = String(error);
  if (isTimeout(error)) return timeoutError(timeoutMs, error);
  if (/ERR_TUNNEL_CONNECTION_FAILED|ERR_INVALID_URL|ERR_UNSAFE_PORT|ERR_DISALLOWED_URL_SCHEME/.test(text))
    return new AppError('forbidden_address');
  if (/ERR_NAME_NOT_RESOLVED/.test(text)) return new AppError('dns', undefined, { cause: error });
  if (/ERR_(CERT|SSL)/.test(text)) return new AppError('tls', undefined, { cause: error });
  if (/ERR_PROXY|ERR_SOCKS/.test(text)) return new AppError('proxy', undefined, { cause: error });
  if (/Download is starting|ERR_ABORTED/.test(text))
    return new AppError('unsupported_content', 'the URL is a download, not a page', { cause: error });
  if (/crash|closed|disconnected/i.test(text))
    return new AppError('network', 'the browser page crashed', { cause: error });
  return new AppError('network', 'the browser could not load the page', { cause: error });
}

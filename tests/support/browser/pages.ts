// Pages of the dashboard in a real Chromium, with everything that must never happen on one of them: dialogs, errors, requests to others, and refusals of the
// content policy.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** A busy machine is slow. */
const LIMIT_MS = 120_000;

/** For files of bench/, where another version of playwright-core may lie nearer. */
export type Chromium = Browser;

export const startChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.TEST_CHROMIUM!, args: ['--no-sandbox'] });

export interface OpenPage {
  page: Page;
  /** What should not have happened. */
  trouble: string[];
}

export async function openPage(
  browser: Browser,
  { url, path, ...options }: { url: string; path: string } & BrowserContextOptions,
): Promise<OpenPage> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(LIMIT_MS);
  const trouble: string[] = [];
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      trouble.push(`request: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) trouble.push(message.text());
  });
  await page.goto(url + path);
  await page.locator('main').waitFor();
  return { page, trouble };
}

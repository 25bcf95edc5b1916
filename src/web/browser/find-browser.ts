// Where Chromium is: one answer for the worker that announces the browser lane, the pool that starts it, and `windrow doctor`. Null: there is none, and
// nothing that needs one should be promised.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { BrowserType } from 'playwright-core';
import { AppError } from '../../model/errors.ts';

export interface BrowserChoice {
  /** CHROMIUM_PATH: this one and no other. */
  executablePath?: string | undefined;
  /** `patchright-core` when that is installed and wanted. */
  driver?: string | undefined;
}

export const NO_BROWSER = 'no Chromium was found. Install the package chromium, or name a binary with CHROMIUM_PATH';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
/** A service may have a PATH without it. */
const USUAL_FOLDERS = ['/usr/bin'];

export async function findBrowser({ executablePath, driver }: BrowserChoice): Promise<string | null> {
  if (executablePath !== undefined) return (await isExecutable(executablePath)) ? executablePath : null;
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...USUAL_FOLDERS];
  for (const folder of folders) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (await isExecutable(path)) return path;
    }
  }
  return downloaded(driver);
}

/** The one that the driver's own installer put somewhere. */
async function downloaded(driver: string | undefined): Promise<string | null> {
  const path = await loadDriver(driver).then(
    (chromium) => chromium.executablePath(),
    () => '',
  );
  return path !== '' && (await isExecutable(path)) ? path : null;
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

export async function loadDriver(name = 'playwright-core'): Promise<BrowserType> {
  try {
    const loaded = (await import(name)) as { chromium: BrowserType };
    return loaded.chromium;
  } catch (cause) {
    throw new AppError('no_browser', `the browser driver ${name} is not installed`, { cause });
  }
}

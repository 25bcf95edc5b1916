import { expect, test } from 'vitest';
import { findBrowser } from './find-browser.ts';

test('a binary that was named is used, or none', async () => {
  expect(await findBrowser({ executablePath: process.execPath })).toBe(process.execPath);
  expect(await findBrowser({ executablePath: '/nowhere/chromium' })).toBeNull();
});

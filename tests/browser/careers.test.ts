// A career page that only a browser fills, from the sandbox, through the real web layer and Chromium.
import { expect, test } from 'vitest';
import type { Posting } from '../../src/model/posting/posting.ts';
import { positionsAt } from '../../src/sandbox/careers/truth.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { playwright } from '../../src/sources/careers/playwright.ts';
import { createBrowserPool } from '../../src/web/browser/pool.ts';
import { createWeb } from '../../src/web/web.ts';
import { NOON } from '../support/worlds/careers.ts';

test('a page that is filled by its script is read by selectors', async () => {
  const executablePath = process.env.TEST_CHROMIUM;
  const browser = createBrowserPool(executablePath === undefined ? {} : { executablePath });
  const sandbox = await startSandbox({ now: () => NOON });
  const webs = createWeb({ hostMap: `*=${sandbox.origin}`, browser });
  try {
    const web = webs.forAttempt({ signal: AbortSignal.timeout(180_000), source: 'playwright', timeoutMs: 120_000 });
    const params = playwright.params.parse({
      url: 'https://pemberley-12-spa.hiring.example/careers',
      wait_for: 'article.job',
      item: 'article.job',
      fields: { title: 'a', url: 'a@href', location: 'em' },
    });
    const postings: Posting[] = [];
    for await (const posting of playwright.scrape(params, web)) postings.push(posting);
    const positions = positionsAt({ vendor: 'site-spa', token: 'pemberley-12' }, NOON);
    expect(positions.length).toBeGreaterThan(3);
    expect(postings.map((p) => p.job_url).sort()).toEqual(
      positions.map((p) => `https://pemberley-12-spa.hiring.example/jobs/${p.number}`).sort(),
    );
    expect(postings.every((p) => p.locations[0]?.city !== null)).toBe(true);
  } finally {
    await webs.close();
    await sandbox.close();
  }
});

import { expect, test } from 'vitest';
import { AppError } from '../../model/errors.ts';
import { createRobots, parseRobotsMode } from './robots.ts';

const never = new AbortController().signal;
const page = new URL('https://news.example/a/b?c=d');

function robotsOver(answers: (() => Promise<{ status: number; text: string }>)[]) {
  let now = 0;
  const fetched: string[] = [];
  const robots = createRobots({
    agent: 'Windrow',
    now: () => now,
    fetch: async (url) => {
      fetched.push(url.href);
      const answer = answers[fetched.length - 1];
      if (answer === undefined) throw new Error('asked too often');
      return answer();
    },
  });
  return {
    robots,
    fetched,
    pass(ms: number) {
      now += ms;
    },
  };
}

const file =
  (text: string, status = 200) =>
  async () => ({ status, text });

test('one fetch serves all who wait for it, and a day of later questions', async () => {
  const { robots, fetched, pass } = robotsOver([file('User-agent: *\nDisallow: /a\nCrawl-delay: 3')]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => robots.check(page, never)));
  pass(23 * 3_600_000);
  answers.push(await robots.check(new URL('https://news.example/z'), never));
  expect(fetched).toEqual(['https://news.example/robots.txt']);
  expect(answers[0]).toEqual({ isAllowed: false, crawlDelayMs: 3_000 });
  expect(answers[20]).toEqual({ isAllowed: true, crawlDelayMs: 3_000 });
});

test('a site without the file allows everything', async () => {
  const { robots } = robotsOver([file('Disallow: /', 404)]);
  expect(await robots.check(page, never)).toEqual({ isAllowed: true, crawlDelayMs: 0 });
});

test('a site that cannot give the file allows nothing for now, and is asked again soon', async () => {
  const { robots, fetched, pass } = robotsOver([file('', 503), file('')]);
  await expect(robots.check(page, never)).rejects.toMatchObject({ code: 'http_5xx', retry: 'later' });
  await expect(robots.check(page, never)).rejects.toMatchObject({ code: 'http_5xx' });
  expect(fetched).toHaveLength(1);
  pass(31_000);
  expect(await robots.check(page, never)).toMatchObject({ isAllowed: true });
});

test('the last good copy counts while the site cannot give a new one', async () => {
  const { robots, pass } = robotsOver([file('User-agent: *\nDisallow: /a'), file('', 500)]);
  await robots.check(page, never);
  pass(25 * 3_600_000);
  expect(await robots.check(page, never)).toMatchObject({ isAllowed: false });
});

test('a file that redirects to where we may not go is no file', async () => {
  const { robots } = robotsOver([() => Promise.reject(new AppError('forbidden_address'))]);
  expect(await robots.check(page, never)).toMatchObject({ isAllowed: true });
});

test('whoever gives up waiting does not take the fetch from the others', async () => {
  let answer = (_: { status: number; text: string }) => {};
  const { robots } = robotsOver([
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  ]);
  const abort = new AbortController();
  const first = robots.check(page, abort.signal);
  const second = robots.check(page, never);
  abort.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  answer({ status: 200, text: 'User-agent: *\nDisallow: /' });
  expect(await second).toMatchObject({ isAllowed: false });
});

test('sitemaps are made absolute', async () => {
  const { robots } = robotsOver([file('Sitemap: /s.xml\nSitemap: https://cdn.example/t.xml\nSitemap: http://[')]);
  expect(await robots.sitemaps(page, never)).toEqual(['https://news.example/s.xml', 'https://cdn.example/t.xml']);
});

test('the files of all sites together have a limit; what was dropped is fetched again', async () => {
  const big = file(`User-agent: *\n${'# padding\n'.repeat(50_000)}Disallow: /x`);
  const { robots, fetched } = robotsOver(Array.from({ length: 60 }, () => big));
  const ask = (n: number) => robots.check(new URL(`https://h${n}.example/`), never);
  for (let n = 0; n < 50; n += 1) await ask(n);
  await ask(49);
  expect(fetched).toHaveLength(50);
  await ask(0);
  expect(fetched).toHaveLength(51);
});

test('the switch is on, off, or off for named sources', () => {
  expect(parseRobotsMode(undefined)('indeed')).toBe(true);
  expect(parseRobotsMode('off')('indeed')).toBe(false);
  const some = parseRobotsMode('off:indeed, glassdoor');
  expect([some('indeed'), some('glassdoor'), some('article')]).toEqual([false, false, true]);
  expect(() => parseRobotsMode('maybe')).toThrow('robots has to be on, off or off:source');
});

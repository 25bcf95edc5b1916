import { expect, test } from 'vitest';
import { diagnose, type Page, recognise } from './blocks.ts';

const story = '<p>The council met on Monday to decide what should be done about the bridge over the river.</p>'.repeat(
  60,
);
const page = (more: Partial<Page>): Page => ({
  url: 'https://news.example/a',
  status: 200,
  headers: {},
  text: '',
  ...more,
});
const classOf = (more: Partial<Page>) => recognise(page(more))?.class ?? null;

test.each<[string, Partial<Page>, string]>([
  ['a Google sorry page by its address', { url: 'https://www.google.com/sorry/index?q=x', status: 429 }, 'captcha'],
  [
    'a Google sorry page by its form',
    { text: '<form id="captcha-form"></form>Our systems have detected unusual traffic from your computer network.' },
    'captcha',
  ],
  [
    'Google asking for scripts',
    { url: 'https://www.google.com/search?q=x', text: `<a href="/httpservice/retry/enablejs?sei=1">${story}` },
    'js_challenge',
  ],
  [
    'a consent page by its host',
    { url: 'https://consent.google.de/m?continue=x', text: '<title>Bevor Sie</title>' },
    'consent',
  ],
  ['a login wall by its address', { url: 'https://www.linkedin.com/authwall?x=1' }, 'login'],
  ['a Cloudflare challenge by its header', { status: 403, headers: { 'cf-mitigated': 'challenge' } }, 'js_challenge'],
  ['a Cloudflare challenge by its title', { status: 503, text: '<title>Just a moment...</title>' }, 'js_challenge'],
  ['a Cloudflare ban', { status: 403, text: '<h1>Sorry, you have been blocked</h1>' }, 'blocked'],
  [
    'Turnstile',
    { status: 403, text: '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js">' },
    'captcha',
  ],
  [
    'a Turnstile widget on a challenge page',
    {
      status: 403,
      headers: { 'cf-mitigated': 'challenge' },
      text: '<div class="cf-turnstile" data-sitekey="k"></div>',
    },
    'captcha',
  ],
  ['DataDome by its header', { status: 403, headers: { 'x-datadome': 'protected' } }, 'captcha'],
  ['DataDome by its script', { text: '<script src="https://ct.captcha-delivery.com/c.js"></script>' }, 'captcha'],
  ['PerimeterX', { status: 403, text: '<div id="px-captcha"></div>' }, 'captcha'],
  ['Akamai', { status: 403, text: "<h1>Access Denied</h1>You don't have permission to access this" }, 'blocked'],
  ['hCaptcha alone on a page', { text: '<div class="h-captcha" data-sitekey="k"></div>' }, 'captcha'],
  ['reCAPTCHA alone on a page', { text: '<div class="g-recaptcha" data-sitekey="k"></div>' }, 'captcha'],
  [
    'a captcha behind a long script',
    {
      text: `<SCRIPT type="module">${'var answer = 42; '.repeat(400)}</SCRIPT><div class="h-captcha" data-sitekey="k"></div>`,
    },
    'captcha',
  ],
  ['a captcha in words', { text: '<p>Please verify you are a human to go on.</p>' }, 'captcha'],
  [
    'a page that needs scripts',
    { text: '<noscript></noscript><p>Please enable JavaScript and cookies to continue</p>' },
    'js_challenge',
  ],
  ['a login page', { text: '<title>Sign in | Shop</title><input type="password">' }, 'login'],
  ['451', { status: 451 }, 'geo_mismatch'],
  ['a page not for this country', { text: '<p>This content is not available in your country.</p>' }, 'geo_mismatch'],
  ['a soft 404', { text: '<title>Page not found - News</title><p>Sorry</p>' }, 'soft_404'],
])('%s is recognised', (_, more, expected) => {
  expect(classOf(more)).toBe(expected);
});

test.each<[string, Partial<Page>]>([
  ['a story', { text: `<title>The bridge</title>${story}` }],
  [
    'a story without paragraphs that speaks of what block pages say',
    {
      text: `<div>${'The council met on Monday to decide what should be done about the bridge over the river. Many came.<br>'.repeat(40)}You don't have permission to access this.</div>`,
    },
  ],
  [
    'a long page with a captcha in its login form',
    { text: `<title>Shop</title>${story}<div class="g-recaptcha" data-sitekey="k"></div>` },
  ],
  [
    'a story about captchas',
    { text: `<title>Why captchas fail</title>${story}<p>Please verify you are a human, they say.</p>` },
  ],
  [
    'a page with a cookie notice',
    { text: `<title>News</title>${story}<div id="onetrust-reject-all-handler">Before you continue</div>` },
  ],
  ['a story about page not found errors', { text: `<title>Not found: the lost ring</title>${story}` }],
  ['plain 403', { status: 403, text: '<h1>Forbidden</h1>' }],
  ['plain 404', { status: 404, text: '<title>404 Not Found</title>' }],
  [
    'JSON that mentions a captcha',
    { headers: { 'content-type': 'application/json' }, text: '{"note":"please verify you are a human"}' },
  ],
])('%s is not a block', (_, more) => {
  expect(classOf(more)).toBeNull();
});

test('what was found is named, with the reaction the class calls for', () => {
  const block = recognise(page({ status: 403, headers: { 'x-datadome': '1' } }));
  expect(block).toMatchObject({
    rule: 'datadome-header',
    reaction: { code: 'captcha', session: 'burn', exit: 'escalate' },
  });
  const consent = recognise(page({ url: 'https://consent.google.com/ml' }));
  expect(consent?.cookies.length).toBeGreaterThan(0);
  expect(consent?.click).toContain('#L2AGLb');
});

test('a page without cards is empty only when it says so', () => {
  expect(diagnose(page({ text: '<p>Your search - qzx - did not match any jobs.</p>' }))).toBe('empty');
  expect(diagnose(page({ text: `<title>Jobs</title>${story}` }))).toBe('layout_changed');
  expect(diagnose(page({ text: `<script>var m = "no results found"</script>${story}` }))).toBe('layout_changed');
  expect(diagnose(page({ url: 'https://www.google.com/sorry/index' }))).toBe('captcha');
});

test('an ordinary page costs next to nothing to look at', () => {
  const long = page({ text: `<html><head><title>The bridge</title></head>${story.repeat(6)}` });
  for (let i = 0; i < 200; i += 1) recognise(long);
  // CPU, not the clock: the machine may be busy.
  const began = process.cpuUsage();
  for (let i = 0; i < 1_000; i += 1) recognise(long);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000);
});

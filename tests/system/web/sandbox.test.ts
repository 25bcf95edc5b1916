// Every fault the sandbox has, and the one class of error each must be: blocked, empty and broken are three different answers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { createWeb, type Webs } from '../../../src/web/web.ts';

let sandbox: Sandbox;
let webs: Webs;
/** Only for what never comes: on a busy machine a page that does come may take this long too. */
let hasty: Webs;
beforeAll(async () => {
  sandbox = await startSandbox();
  const options = { hostMap: `*=${sandbox.origin}`, maxBytes: 5 * 1024 * 1024 };
  webs = createWeb({ ...options, timeoutMs: 60_000 });
  hasty = createWeb({ ...options, timeoutMs: 1_500 });
});
afterAll(async () => {
  await webs.close();
  await hasty.close();
  await sandbox.close();
});

// A host a fault, so that one site's backoff is not another's.
let hosts = 0;
const ask = (fault: string, by: Webs = webs) => {
  hosts += 1;
  const web = by.forAttempt({ signal: new AbortController().signal, source: 'article' });
  return web.get(`https://site-${hosts}.example/2026/03/the-bridge?fault=${encodeURIComponent(fault)}`);
};

test.each<[string, string]>([
  ['400', 'http_4xx'],
  ['403', 'http_4xx'],
  ['404', 'not_found'],
  ['410', 'not_found'],
  ['451', 'blocked'],
  ['429', 'rate_limited'],
  ['429:5', 'rate_limited'],
  ['500', 'http_5xx'],
  ['502', 'http_5xx'],
  ['503', 'http_5xx'],
  ['redirect-loop', 'too_many_redirects'],
  ['redirect-to:http://169.254.169.254/latest/', 'forbidden_address'],
  ['redirect-to:file:///etc/passwd', 'forbidden_address'],
  ['slow-body:100', 'timeout'],
  ['hang', 'timeout'],
  ['drop', 'network'],
  ['reset', 'network'],
  ['truncated', 'network'],
  ['huge:50mb', 'too_large'],
  ['huge-chunked:50mb', 'too_large'],
  ['gzip-bomb:200mb', 'too_large'],
  ['gzip-twice:200mb', 'too_large'],
  ['bad-gzip', 'network'],
  ['headers:100kb', 'too_large'],
  ['captcha', 'captcha'],
  ['captcha:recaptcha', 'captcha'],
  ['captcha:hcaptcha', 'captcha'],
  ['captcha:turnstile', 'captcha'],
  ['captcha:datadome', 'captcha'],
  ['captcha:perimeterx', 'captcha'],
  ['captcha:google', 'captcha'],
  ['challenge', 'blocked'],
  ['consent', 'blocked'],
  ['login', 'login'],
  ['geo', 'blocked'],
  ['soft-404', 'not_found'],
])('%s is %s', async (fault, code) => {
  const outcome = await ask(fault, code === 'timeout' ? hasty : webs).then(
    ({ status, text }) => `${status} ${text.slice(0, 200)}`,
    (error) => error.code,
  );
  expect(outcome).toBe(code);
});

test('Akamai asks or refuses, and is a block either way', async () => {
  await expect(ask('captcha:akamai')).rejects.toMatchObject({ category: expect.stringMatching(/captcha|blocked/) });
});

test.each(['redirect:3', 'slow:200', 'bad-charset', 'cookies:100', 'deep:100000', 'drop-then-ok:1', 'reset-then-ok:1'])(
  '%s still gives the page',
  async (fault) => {
    expect((await ask(fault)).status).toBe(200);
  },
);

test('an article of every layout is an ordinary page', async () => {
  const sites =
    'harbour-courier orchard-review fieldnotes-blog metro-shouter plain-divs old-gazette gazette-du-val yunagi-shimbun ledger-locked'.split(
      ' ',
    );
  for (const site of sites) {
    const web = webs.forAttempt({ signal: new AbortController().signal, source: 'article' });
    for (const path of ['/2026/03/a', '/science/b', '/']) {
      const page = await web.get(`https://${site}.example${path}`);
      expect(web.diagnose(page), `${site}${path}`).toBe('layout_changed');
    }
    expect(web.ledger.blocks).toBe(0);
  }
});

// Pages that are not the page: captchas, challenges, consent and login walls, soft 404s, nothing at all. The markup is made up, but it
// carries the marks by which each vendor's page is known in public (script addresses, attributes, headers), and their usual statuses.
import { hash32 } from '../random.ts';
import type { FaultContext, FaultKind } from './fault.ts';

interface Wall {
  status: number;
  headers?: Record<string, string>;
  html: string;
}

const page = (title: string, body: string, head = '') =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>\n`;

const CAPTCHAS: Record<string, Wall> = {
  recaptcha: {
    status: 200,
    html: page(
      'Are you a robot?',
      '<form method="post"><p>Please confirm that you are a person to continue.</p><div class="g-recaptcha" data-sitekey="sandbox-site-key"></div><button>Continue</button></form>',
      '<script src="https://www.google.com/recaptcha/api.js" async defer></script>',
    ),
  },
  hcaptcha: {
    status: 200,
    html: page(
      'One more step',
      '<form method="post"><p>Complete the check below.</p><div class="h-captcha" data-sitekey="00000000-sandbox"></div></form>',
      '<script src="https://js.hcaptcha.com/1/api.js" async defer></script>',
    ),
  },
  turnstile: {
    status: 403,
    headers: { server: 'cloudflare', 'cf-ray': 'sandbox-AMS' },
    html: page(
      'Attention Required! | Cloudflare',
      '<h1>Verify you are human</h1><div class="cf-turnstile" data-sitekey="0x4AAAAAAAsandbox"></div>',
      '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script>',
    ),
  },
  datadome: {
    status: 403,
    headers: { 'x-datadome': 'protected', 'x-dd-b': '1' },
    html: page(
      'Access is temporarily restricted',
      `<p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync="false">var dd={'rt':'c','cid':'sandbox','hsh':'sandbox','t':'fe','s':1,'host':'geo.captcha-delivery.com'}</script>`,
      '<script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script>',
    ),
  },
  perimeterx: {
    status: 403,
    html: page(
      'Access to this page has been denied',
      '<h1>Press &amp; Hold to confirm you are a human (and not a bot).</h1><div id="px-captcha"></div>',
      `<meta name="description" content="px-captcha"><script>window._pxAppId = 'PXsandbox'; window._pxUuid = 'sandbox';</script><script src="/PXsandbox/captcha/captcha.js?a=c"></script>`,
    ),
  },
  akamai: {
    status: 403,
    headers: { server: 'AkamaiGHost', 'set-cookie': '_abck=sandbox~-1~; Path=/' },
    html: page(
      'Access Denied',
      '<h1>Access Denied</h1><p>You don\'t have permission to access this page on this server.</p><p>Reference #18.2d5e1402.1700000000.5a0d0</p><div id="sec-if-cpt-container"></div>',
    ),
  },
  google: {
    status: 429,
    html: page(
      'Sorry...',
      '<form id="captcha-form" action="index" method="post"><div id="recaptcha" class="g-recaptcha" data-sitekey="sandbox-site-key"></div></form><div>Our systems have detected unusual traffic from your computer network.</div>',
      '<script src="https://www.google.com/recaptcha/api.js"></script>',
    ),
  },
};

const WALLS: Record<string, Wall & { effect: string; isTransient: boolean }> = {
  challenge: {
    effect: 'a JavaScript challenge as Cloudflare shows it',
    isTransient: true,
    status: 403,
    headers: { server: 'cloudflare', 'cf-mitigated': 'challenge', 'cf-ray': 'sandbox-AMS' },
    html: page(
      'Just a moment...',
      '<noscript><h2>Enable JavaScript and cookies to continue</h2></noscript><script>window._cf_chl_opt = { cvId: "3", cType: "managed" };</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>',
      '<meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="390">',
    ),
  },
  consent: {
    effect: 'a cookie consent page instead of the article (status 200)',
    isTransient: true,
    status: 200,
    html: page(
      'Before you continue',
      '<h1>Before you continue</h1><p>We use cookies and data to deliver and maintain our services, track outages and measure engagement.</p><form action="/consent/save" method="post"><input type="hidden" name="continue" value="/"><button name="choice" value="reject">Reject all</button><button name="choice" value="accept">Accept all</button></form>',
    ),
  },
  login: {
    effect: 'a login wall (status 200)',
    isTransient: false,
    status: 200,
    html: page(
      'Sign in to continue',
      '<h1>Sign in to continue</h1><form action="/login" method="post"><input type="email" name="email"><input type="password" name="password" autocomplete="current-password"><button>Sign in</button></form><p>New here? <a href="/register">Create an account</a></p>',
    ),
  },
  geo: {
    effect: 'not available in your region (status 451)',
    isTransient: false,
    status: 451,
    html: page('Unavailable in your region', '<h1>This content is not available in your country or region</h1>'),
  },
  'soft-404': {
    effect: 'a "page not found" page with status 200',
    isTransient: false,
    status: 200,
    html: page(
      'Page not found',
      '<h1>Sorry, we could not find that page</h1><p>It may have been moved or deleted.</p><ul><li><a href="/">Home</a></li><li><a href="/latest">Latest</a></li></ul>',
    ),
  },
  empty: { effect: 'status 200 and no byte of body', isTransient: true, status: 200, html: '' },
  shell: {
    effect: 'a page whose content only a browser would build (status 200)',
    isTransient: false,
    status: 200,
    html: page(
      'Loading',
      '<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/static/main.js"></script>',
    ),
  },
};

function show({ response }: FaultContext, { status, headers, html }: Wall): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(html),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(html);
}

const VENDORS = Object.keys(CAPTCHAS);

const captcha: FaultKind = {
  usage: `captcha, captcha:${VENDORS.join('|')}`,
  effect: "a captcha page in that vendor's manner (without a name: one chosen by the address)",
  isTransient: true,
  argument: new RegExp(`^(?:${VENDORS.join('|')})$`),
  strike(context) {
    const byAddress = VENDORS[hash32(context.request.host + context.request.path) % VENDORS.length] as string;
    show(context, CAPTCHAS[context.argument || byAddress] as Wall);
  },
};

const deep: FaultKind = {
  usage: 'deep:100000',
  effect: 'so many nested elements round one sentence',
  isTransient: false,
  argument: /^\d{1,7}$/,
  strike(context) {
    const levels = Number(context.argument || 100_000);
    show(context, {
      status: 200,
      html: page(
        'Deep',
        `${'<div>'.repeat(levels)}<p>At the bottom there is one sentence.</p>${'</div>'.repeat(levels)}`,
      ),
    });
  },
};

const binary: FaultKind = {
  usage: 'binary',
  effect: 'a PDF where a page was expected',
  isTransient: false,
  strike({ response }) {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.end(
      '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
      'latin1',
    );
  },
};

const walls = Object.entries(WALLS).map(([name, wall]): [string, FaultKind] => {
  const { effect, isTransient } = wall;
  return [name, { usage: name, effect, isTransient, strike: (context) => show(context, wall) }];
});

export const PAGE_FAULTS: Readonly<Record<string, FaultKind>> = { captcha, ...Object.fromEntries(walls), deep, binary };

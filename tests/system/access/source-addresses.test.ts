// SSRF through the parameters of sources. Every text parameter of every source is given every forbidden address, whatever it is called and whatever it is
// for, so that a new source or parameter cannot be forgotten; and every name in the world resolves to the inner network meanwhile.
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AppError } from '../../../src/model/errors.ts';
import { SOURCES } from '../../../src/sources/built-in.ts';
import { detect } from '../../../src/sources/careers/detect.ts';
import type { Source } from '../../../src/sources/define.ts';
import { createWeb, type Webs } from '../../../src/web/web.ts';
import { FORBIDDEN_HOSTS, forbiddenUrls, INNER } from '../../support/web/forbidden.ts';
import { serve, serveTcp } from '../../support/web/servers.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
}

/** Values that make parameters complete, by name. Anything else gets text. */
const KNOWN: Record<string, unknown> = {
  url: 'https://example.com/careers',
  host: 'acme.wd5.myworkdayjobs.com',
  shop: 'shop.example.com',
  zipcode: '10001',
  fields: { title: 'title', id: 'id' },
  uid: '30.005',
  token: '0123456789ABCDEF0123456789ABCDEF',
  barcode: '3017620422003',
};

/** Where a name means something else, or more is needed than the schema can say. */
const GUID = '0f2c4d6e-8a1b-4c3d-9e5f-0a1b2c3d4e5f';
const OF_SOURCE: Record<string, Record<string, unknown>> = {
  adp: { cid: GUID },
  icims: { host: 'careers-acme.icims.com' },
  jobylon: { company: '1955' },
  paylocity: { board: GUID },
  taleo: { host: 'acme.taleo.net', section: 'ex' },
  ukg: { host: 'recruiting.ultipro.com', tenant: 'ACM1000ACME', board: GUID },
};

const schemaOf = (source: Source): Schema =>
  z.toJSONSchema(source.params, { io: 'input', unrepresentable: 'any' }) as Schema;

/** Parameters that hold a text of the caller. */
const textsOf = ({ properties = {} }: Schema): string[] =>
  Object.entries(properties)
    .filter(
      ([, { type, enum: choice, anyOf }]) => choice === undefined && (type === 'string' || type === undefined || anyOf),
    )
    .map(([name]) => name);

const completed = (source: Source, { required = [] }: Schema): Record<string, unknown> => ({
  ...Object.fromEntries(required.map((name) => [name, KNOWN[name] ?? 'acme'])),
  ...OF_SOURCE[source.name],
});

const REFUSAL = 'URL not allowed: it has to be http or https on port 80 or 443 of a public address.';
/** Before anything is asked for: a source without its key, and pages that need a browser (X6 has those, in a real one). */
const UNASKED = new Set(['invalid_config', 'unsupported_content']);

const attemptOf = (source: Source, webs: Webs) =>
  webs.forAttempt({
    signal: AbortSignal.timeout(300_000),
    source: source.name,
    ...(source.policy ? { policy: source.policy } : {}),
  });

test.each([...SOURCES.values()].map((source) => [source.name, source] as const))(
  'X1, X2, X10: %s reaches no forbidden address, whichever parameter names it',
  async (_, source) => {
    await using inner = await serveTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'), INNER);
    const webs = createWeb({ guard: { resolve: async () => [{ address: INNER }] }, robots: 'off' });
    const web = attemptOf(source, webs);
    const schema = schemaOf(source);
    const values = [
      ...forbiddenUrls(inner.port),
      ...FORBIDDEN_HOSTS.flatMap((host) => [host, `${host}:${inner.port}/#`]),
    ];
    let tried = 0;
    const others: string[] = [];
    for (const name of textsOf(schema)) {
      for (const value of values) {
        const params = source.params.safeParse({ ...completed(source, schema), [name]: value });
        if (!params.success) continue;
        tried++;
        const rows = source.scrape(params.data, web)[Symbol.asyncIterator]();
        const error = await rows.next().then(
          () => ({ code: 'none', message: 'no error' }),
          (thrown) => thrown as AppError,
        );
        if (error.message !== REFUSAL && !UNASKED.has(error.code)) others.push(`${name} = ${value}: ${error.message}`);
      }
    }
    expect(others).toEqual([]);
    expect(tried).toBeGreaterThan(30);
    expect(inner.connections).toBe(0);
    await webs.close();
  },
);

/** Every link a page can have, all of them to the inner network. */
const poisoned = (to: string): Record<string, { type: string; body: string }> => ({
  '/page': {
    type: 'text/html',
    body: `<head><base href="${to}/"><link rel=canonical href="${to}/c"><link rel=next href="${to}/n"><link rel=amphtml href="${to}/a">
<link rel=icon href="${to}/i"><link rel=alternate type=application/rss+xml href="${to}/f"><link rel=preload href="${to}/p" as=script>
<meta http-equiv=refresh content="0;url=${to}/r"><meta property="og:url" content="${to}/o"><script src="${to}/s"></script></head>
<body><div class=job><h2>Nurse</h2><a class=link href="${to}/jobs/1">apply</a></div><a class=next rel=next href="${to}/2">next</a><img src="${to}/img"><iframe src="${to}/frame"></iframe></body>`,
  },
  '/json': {
    type: 'application/json',
    body: JSON.stringify({ jobs: [{ id: 1, title: 'Nurse', url: `${to}/jobs/1` }], next: `${to}/2` }),
  },
  '/feed': {
    type: 'application/rss+xml',
    body: `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Jobs</title><link>${to}/</link><atom:link rel="next" href="${to}/2"/><item><title>Nurse</title><link>${to}/jobs/1</link><guid>1</guid></item></channel></rss>`,
  },
  '/robots.txt': { type: 'text/plain', body: `User-agent: *\nAllow: /\nSitemap: ${to}/sitemap.xml` },
});

test.each<[string, string, Record<string, unknown>, boolean]>([
  ['article', '/page', {}, false],
  ['product-page', '/page', {}, false],
  ['static', '/page', { item: '.job', fields: { title: 'h2', url: 'a@href' }, next: '.next', details: true }, true],
  ['static', '/page', { links: '.link', details: true }, true],
  [
    'api',
    '/json',
    { items: 'jobs', fields: { id: 'id', title: 'title' }, paging: { kind: 'next', path: 'next' } },
    // Only on its own host, since it sends the headers of its settings.
    false,
  ],
  ['rss', '/feed', {}, false],
])('X4, X11: %s follows no link of %s to the inner network (%j)', async (name, path, params, follows) => {
  await using inner = await serveTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'), INNER);
  const pages = poisoned(inner.origin);
  await using site = await serve((request, response) => {
    const page = pages[new URL(request.url!, 'http://a').pathname];
    response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' }).end(page?.body);
  });
  const source = SOURCES.get(name)!;
  const scrapeWith = async (allow: string[]): Promise<void> => {
    const webs = createWeb({ guard: { allow }, robots: 'on' });
    const rows = source.scrape(
      source.params.parse({ url: `${site.origin}${path}`, ...params }),
      attemptOf(source, webs),
    );
    try {
      for await (const _row of rows);
    } catch {
      // Some find what they need on the page itself, some fail at the link.
    }
    await webs.close();
  };
  await scrapeWith(['127.0.0.1']);
  expect(site.log.some((line) => line.startsWith(`GET ${path} `))).toBe(true);
  expect(inner.connections).toBe(0);
  // Where an operator allows it, those that follow links do: the guard it is that holds the others back.
  await scrapeWith(['127.0.0.1', INNER]);
  expect(inner.connections > 0).toBe(follows);
});

test('X11: detection follows no link to the inner network', async () => {
  await using inner = await serveTcp((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'), INNER);
  const { body } = poisoned(inner.origin)['/page']!;
  await using site = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(body));
  const webs = createWeb({ guard: { allow: ['127.0.0.1'] }, robots: 'on' });
  const careers = [...SOURCES.values()].filter((source) => source.detect !== undefined);
  await detect(
    `${site.origin}/page`,
    webs.forAttempt({ signal: AbortSignal.timeout(300_000), source: 'detect' }),
    careers,
  );
  expect(site.log.length).toBeGreaterThan(0);
  expect(inner.connections).toBe(0);
  await webs.close();
});

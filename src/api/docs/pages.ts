// The pages: the dashboard and the documentation. Everything they load comes from this server, and their content security policy forbids anything else:
// no inline script, no other origin, no frame around them.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Area, type Route, route } from '../http/route.ts';

const DASHBOARD = new URL('../../dashboard/', import.meta.url);

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/** The documentation sets styles from its script, which counts as inline. */
const DOCS_POLICY = PAGE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
  "img-src 'self' data:",
  "img-src 'self' data: blob:",
);

interface Asset {
  path: string;
  type: string;
  policy?: string;
  read(): Buffer | Promise<Buffer>;
}

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Windrow API</title><link rel="icon" href="/icon.svg" type="image/svg+xml"></head>
<body><div id="app"></div><script src="/docs/reference.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
const DOCS_START = `Scalar.createApiReference('#app', {
  url: '/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
});
`;

/** Pages have a path without an extension. */
const PATHS: Record<string, string> = { 'index.html': '/', 'cart.html': '/cart' };

const file = (name: string, type: string, policy?: string): Asset => ({
  path: PATHS[name] ?? `/${name}`,
  type,
  ...(policy ? { policy } : {}),
  read: () => readFileSync(new URL(name, DASHBOARD)),
});

const ASSETS: Asset[] = [
  file('index.html', 'text/html; charset=utf-8', PAGE_POLICY),
  file('app.js', 'text/javascript; charset=utf-8'),
  file('cart.html', 'text/html; charset=utf-8', PAGE_POLICY),
  file('cart.js', 'text/javascript; charset=utf-8'),
  file('style.css', 'text/css; charset=utf-8'),
  file('icon.svg', 'image/svg+xml', PAGE_POLICY),
  { path: '/docs', type: 'text/html; charset=utf-8', policy: DOCS_POLICY, read: () => Buffer.from(DOCS_PAGE) },
  { path: '/docs/start.js', type: 'text/javascript; charset=utf-8', read: () => Buffer.from(DOCS_START) },
  { path: '/docs/reference.js', type: 'text/javascript; charset=utf-8', read: referenceScript },
];

export const pages: Area = () => ASSETS.map(assetRoute);

function assetRoute(asset: Asset): Route {
  let loaded: Promise<{ plain: Buffer; zipped: Buffer }> | undefined;
  const load = async () => {
    const plain = await asset.read();
    return { plain, zipped: gzipSync(plain) };
  };
  return route({
    method: 'GET',
    path: asset.path,
    operationId: `page ${asset.path}`,
    scope: 'read',
    tag: 'Pages',
    summary: asset.path,
    isHidden: true,
    // Links into the page may have query parameters for its script.
    query: z.looseObject({}),
    replies: { 200: { description: 'The page.', examples: {} } },
    async handle(request, reply) {
      loaded ??= load().catch((error) => {
        loaded = undefined;
        throw error;
      });
      const { plain, zipped } = await loaded;
      return send(request, reply, asset, plain, zipped);
    },
  });
}

function send(request: FastifyRequest, reply: FastifyReply, asset: Asset, plain: Buffer, zipped: Buffer): FastifyReply {
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (asset.policy) reply.header('content-security-policy', asset.policy).header('x-frame-options', 'DENY');
  if (takesGzip) reply.header('content-encoding', 'gzip');
  // A new version must not be mixed with an old script.
  return reply
    .header('vary', 'accept-encoding')
    .header('cache-control', 'no-cache')
    .type(asset.type)
    .send(takesGzip ? zipped : plain);
}

/**
 * The script of the documentation page, from its package. Loading it takes forty megabytes of memory, so it is loaded when someone opens the page, and the
 * plugin is asked for its script only once.
 */
async function referenceScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const inner = Fastify();
  await inner.register(plugin, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const answer = await inner.inject('/docs/js/scalar.js');
  await inner.close();
  if (answer.statusCode !== 200) throw new Error(`the documentation script could not be read: ${answer.statusCode}`);
  return answer.rawPayload;
}

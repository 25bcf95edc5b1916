// The dashboard: one page for all its addresses, which are the business of its script, and the files that the page names. They are the same for everyone and
// hold nothing of anybody, so they need no key; the page signs in. Its policy allows nothing inline, no other origin, and no frame around it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { type Area, type Route, route } from '../http/route.ts';
import { type BuiltPage, builtAt, type PageFile, readBuiltPage, smallest } from './built-page.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Where the page is. Everything below /ui/ is an address of its script. */
const PAGE_PATHS = ['/', '/ui', '/ui/*', '/docs', '/cart', '/cart/*'];

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Windrow</title></head>
<body><h1>The dashboard has not been built</h1>
<p>In a clone: <code>npm run dashboard</code>, then reload this page; <code>npm ci</code> does it too. The API works without it: see <a href="/openapi.json">/openapi.json</a>.</p>
</body></html>
`;

export const pages: Area = () => {
  let known: BuiltPage | null = null;
  // Looked at again after it was built again, and while it is missing: nobody has to start the server anew.
  const built = (): BuiltPage | null => {
    if (known === null || builtAt() !== known.at) known = readBuiltPage();
    return known;
  };
  return [...PAGE_PATHS.map((path) => page(path, built)), asset(built), icon(built)];
};

const HIDDEN = {
  method: 'GET',
  scope: 'read',
  tag: 'Pages',
  isHidden: true,
  isForPages: true,
  replies: { 200: { description: 'The page.', examples: {} } },
} as const;

function page(path: string, built: () => BuiltPage | null): Route {
  return route({
    ...HIDDEN,
    path,
    operationId: `page ${path}`,
    summary: path,
    // They belong to the script.
    query: z.looseObject({}),
    async handle(request, reply) {
      const found = built();
      reply
        .header('content-security-policy', POLICY)
        .header('x-frame-options', 'DENY')
        .header('referrer-policy', 'same-origin')
        .header('cross-origin-opener-policy', 'same-origin');
      if (!found) return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT);
      return send(request, reply.header('cache-control', 'no-cache'), found.index);
    },
  });
}

function asset(built: () => BuiltPage | null): Route {
  return route({
    ...HIDDEN,
    path: '/ui/assets/:name',
    operationId: 'page asset',
    summary: 'A file of the page',
    params: z.object({ name: z.string().max(200) }),
    async handle(request, reply) {
      const file = built()?.assets.get(request.params.name);
      if (!file)
        throw new AppError('unknown_path', 'There is no such file. Reload the page: it may be of an older version.');
      return send(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file);
    },
  });
}

/** Browsers ask for it by themselves where a page names none. */
function icon(built: () => BuiltPage | null): Route {
  return route({
    ...HIDDEN,
    path: '/favicon.ico',
    operationId: 'page icon',
    summary: 'The icon of the page',
    async handle(request, reply) {
      const file = [...(built()?.assets ?? [])].find(([name]) => name.startsWith('icon'))?.[1];
      if (!file) throw new AppError('unknown_path', 'There is no icon: the dashboard has not been built.');
      return send(request, reply.header('cache-control', 'public, max-age=86400'), file);
    },
  });
}

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const { encoding, body } = smallest(file, String(request.headers['accept-encoding'] ?? ''));
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.header('vary', 'accept-encoding').type(file.type).send(body);
}

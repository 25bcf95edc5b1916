// Serves the maze (graph.ts), and its traps: a calendar and a path without end, redirects in a circle and out of the site, a page that asks that its links not be
// followed, and places that robots.txt forbids.
import { gzipSync } from 'node:zlib';
import { esc } from '../news/markup.ts';
import { LANGUAGES, makeCast, Writer } from '../news/prose.ts';
import { hash32, Random } from '../random.ts';
import type { Replica, SandboxReply, SandboxRequest } from '../replica.ts';
import { isMoved, linkedPages, linksOf, type Maze, mazeOf, pathOf } from './graph.ts';

const SITEMAP_URLS = 1_000;

export const maze: Replica = {
  name: 'maze',
  title: 'A site of known links for crawls: n300.maze.example has 300 pages, a sitemap, loops, redirects and traps',
  hosts: ['*.maze.example'],
  examples: [
    { url: 'https://n300.maze.example/', note: 'the first of 300 pages' },
    { url: 'https://n300.maze.example/calendar?month=1', note: 'a trap: a calendar without end' },
  ],
  handle(request) {
    const site = mazeOf(request.host);
    return site === null ? undefined : (trap(site, request) ?? sitemaps(site, request) ?? pageAt(site, request));
  },
};

function pageAt(site: Maze, request: SandboxRequest): SandboxReply | undefined {
  const number = request.path === '/' ? 0 : Number(/^\/p\/(\d{1,6})$/.exec(request.path)?.[1] ?? -1);
  return number >= 0 && number < site.pages ? html(site, request, `Room ${number}`, linksOf(site, number)) : undefined;
}

function trap(site: Maze, request: SandboxRequest): SandboxReply | undefined {
  const { path, query } = request;
  const old = /^\/old\/(\d{1,6})$/.exec(path)?.[1];
  if (old !== undefined && isMoved(Number(old))) return redirect(pathOf(Number(old)));
  if (path === '/away') return redirect('https://elsewhere.example/story');
  if (path === '/round/1') return redirect('/round/2');
  if (path === '/round/2') return redirect('/round/1');
  if (path === '/calendar') {
    const month = Number(query.get('month') ?? 0);
    return html(site, request, `Month ${month}`, [{ href: `/calendar?month=${month + 1}` }]);
  }
  if (path.startsWith('/deeper/')) return html(site, request, 'Deeper', [{ href: 'a/' }]);
  if (path === '/quiet')
    return html(site, request, 'Quiet', [{ href: '/hidden' }], '<meta name="robots" content="noindex, nofollow">');
  if (path.startsWith('/download/'))
    return { status: 200, type: 'application/octet-stream', body: Buffer.alloc(200), isStable: true };
  return undefined;
}

const redirect = (location: string): SandboxReply => ({
  status: 302,
  type: 'text/plain; charset=utf-8',
  body: 'Found\n',
  headers: { location },
});

function sitemaps(site: Maze, { path, origin }: SandboxRequest): SandboxReply | undefined {
  if (path === '/robots.txt')
    return text('text/plain', `User-agent: *\nDisallow: /admin/\nSitemap: ${origin}/sitemap-index.xml\n`);
  const files = Math.ceil(site.pages / SITEMAP_URLS);
  if (path === '/sitemap-index.xml') {
    const all = Array.from({ length: files }, (_, n) => `<sitemap><loc>${origin}/sitemap-${n}.xml.gz</loc></sitemap>`);
    return text('application/xml', `<?xml version="1.0"?><sitemapindex>${all.join('')}</sitemapindex>`);
  }
  const file = Number(/^\/sitemap-(\d{1,3})\.xml\.gz$/.exec(path)?.[1] ?? -1);
  if (file < 0 || file >= files) return undefined;
  // Half of the linked pages are in it too.
  const inIt = Array.from({ length: SITEMAP_URLS }, (_, n) => file * SITEMAP_URLS + n).filter(
    (page) => page < site.pages && (page >= linkedPages(site) || page % 2 === 0),
  );
  const urls = inIt.map((page) => `<url><loc>${origin}${pathOf(page)}</loc></url>`);
  const body = gzipSync(`<?xml version="1.0"?><urlset>${urls.join('\n')}</urlset>`);
  return { status: 200, type: 'application/gzip', body, isStable: true };
}

const text = (type: string, body: string): SandboxReply => ({
  status: 200,
  type: `${type}; charset=utf-8`,
  body,
  isStable: true,
});

function html(
  site: Maze,
  { path, query, seed }: SandboxRequest,
  title: string,
  links: readonly { href: string; rel?: string }[],
  head = '',
): SandboxReply {
  const random = new Random(hash32(`${site.host}${path}?${query}`, seed));
  const writer = new Writer(LANGUAGES.en, random, makeCast(LANGUAGES.en, random));
  const paragraphs = Array.from({ length: 4 }, () => `<p>${esc(writer.paragraph(3))}</p>`);
  const ways = links.map(
    ({ href, rel }) => `<li><a href="${esc(href)}"${rel ? ` rel="${rel}"` : ''}>${esc(href)}</a></li>`,
  );
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${esc(title)} | The Maze</title>${head}<meta property="og:type" content="article"></head>
<body><article><h1>${esc(title)}</h1>
${paragraphs.join('\n')}
</article><nav><ul>
${ways.join('\n')}
</ul></nav></body></html>
`;
  return text('text/html', body);
}

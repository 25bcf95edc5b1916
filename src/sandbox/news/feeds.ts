// Feeds, sitemaps and robots.txt of a news site: what a crawler reads before it reads articles.
import type { SandboxReply } from '../replica.ts';
import { type Headline, headlineOf } from './article.ts';
import { esc } from './markup.ts';
import type { Site } from './site.ts';

const FEED_ITEMS = 30;
const SITEMAP_URLS = 200;

export interface Edition {
  site: Site;
  origin: string;
  seed: number;
}

/** Articles of one site, newest first. */
export function newest({ site, seed }: Edition, skip: number, count: number): Headline[] {
  const from = site.articles - 1 - skip;
  return Array.from({ length: Math.max(0, Math.min(count, from + 1)) }, (_, i) => headlineOf(site, from - i, seed));
}

export function rss(edition: Edition): SandboxReply {
  const { site, origin } = edition;
  const items = newest(edition, 0, FEED_ITEMS);
  const entries = items.map(
    (item) =>
      `<item><title>${esc(item.title)}</title><link>${origin}${item.path}</link><guid isPermaLink="true">${origin}${item.path}</guid><dc:creator>${esc(item.author)}</dc:creator><category>${item.topic}</category><pubDate>${new Date(item.publishedAt).toUTCString()}</pubDate><description>${esc(item.standfirst)}</description></item>`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${esc(site.name)}</title><link>${origin}/</link><description>${esc(site.name)}</description><language>${site.language.code}</language><lastBuildDate>${new Date(items[0]?.publishedAt ?? 0).toUTCString()}</lastBuildDate><atom:link rel="self" type="application/rss+xml" href="${origin}/rss.xml"/>
${entries.join('\n')}
</channel></rss>
`;
  return { status: 200, type: 'application/rss+xml; charset=utf-8', body, isStable: true };
}

export function atom(edition: Edition): SandboxReply {
  const { site, origin } = edition;
  const items = newest(edition, 0, FEED_ITEMS);
  const entries = items.map(
    (item) =>
      `<entry><id>${origin}${item.path}</id><title>${esc(item.title)}</title><link rel="alternate" href="${origin}${item.path}"/><author><name>${esc(item.author)}</name></author><published>${item.publishedAt}</published><updated>${item.publishedAt}</updated><summary>${esc(item.standfirst)}</summary></entry>`,
  );
  const body = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${site.language.code}"><id>${origin}/</id><title>${esc(site.name)}</title><updated>${items[0]?.publishedAt}</updated><link rel="self" href="${origin}/atom.xml"/>
${entries.join('\n')}
</feed>
`;
  return { status: 200, type: 'application/atom+xml; charset=utf-8', body, isStable: true };
}

export function sitemapIndex({ site, origin }: Edition): SandboxReply {
  const parts = Array.from(
    { length: Math.ceil(site.articles / SITEMAP_URLS) },
    (_, i) => `<sitemap><loc>${origin}/sitemap-${i + 1}.xml</loc></sitemap>`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${parts.join('\n')}
</sitemapindex>
`;
  return { status: 200, type: 'application/xml; charset=utf-8', body, isStable: true };
}

export function sitemap(edition: Edition, part: number): SandboxReply | undefined {
  const items = newest(edition, (part - 1) * SITEMAP_URLS, SITEMAP_URLS);
  if (part < 1 || items.length === 0) return undefined;
  const urls = items.map(
    (item) => `<url><loc>${edition.origin}${item.path}</loc><lastmod>${item.publishedAt}</lastmod></url>`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
  return { status: 200, type: 'application/xml; charset=utf-8', body, isStable: true };
}

export function robots({ site, origin }: Edition): SandboxReply | undefined {
  if (site.robots === 'none') return undefined;
  const type = 'text/plain; charset=utf-8';
  if (site.robots === 'down') return { status: 503, type, body: 'robots.txt is being rewritten\n' };
  const slow = site.robots === 'slow' ? 'Crawl-delay: 1\n' : '';
  const body = `# Made-up site of the Windrow sandbox
User-agent: *
${slow}Disallow: /private/
Disallow: /search
Allow: /private/press-kit

User-agent: GreedyBot
Disallow: /

Sitemap: ${origin}/sitemap.xml
`;
  return { status: 200, type, body, isStable: true };
}

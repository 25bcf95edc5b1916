// Career sites whose list no link shows: in a sitemap (`…-sitemap`), in `__NEXT_DATA__` (`…-nextdata`), in what a script assigns (`…-state`).
import { esc, scriptJson } from '../news/markup.ts';
import type { SandboxReply } from '../replica.ts';
import { iso, numberIn, placeText, textHtml, xml } from './replies.ts';
import { page, postingPage, type SiteKind } from './site-pages.ts';
import type { TruePosition } from './truth.ts';

const PAGE_ROWS = 20;

export const DATA_KINDS: Record<string, SiteKind> = {
  sitemap(request, company, positions) {
    const { origin, path } = request;
    if (path === '/robots.txt')
      return { status: 200, type: 'text/plain', body: `User-agent: *\nSitemap: ${origin}/sitemap.xml\n` };
    if (path === '/sitemap.xml')
      return xml(
        `<?xml version="1.0"?><sitemapindex>${['pages', 'jobs'].map((name) => `<sitemap><loc>${origin}/sitemap-${name}.xml</loc></sitemap>`).join('')}</sitemapindex>`,
      );
    if (path === '/sitemap-pages.xml') return urls([[`${origin}/about`, request.nowMs]]);
    if (path === '/sitemap-jobs.xml')
      return urls([
        [`${origin}/careers`, request.nowMs],
        ...positions.map((one): [string, number] => [`${origin}/careers/jobs/${one.number}-a-job`, one.changedMs]),
      ]);
    if (path === '/careers') return page(company, '<div id="app">Loading…</div>');
    const position = positions.find((one) => path === `/careers/jobs/${one.number}-a-job`);
    return position && postingPage(position, company, origin + path);
  },
  nextdata(request, company, positions) {
    if (request.path !== '/careers') return undefined;
    const at = numberIn(request.query.get('page'), 1);
    const jobs = positions.slice((at - 1) * PAGE_ROWS, at * PAGE_ROWS).map(record);
    const data = { props: { pageProps: { total: positions.length, jobs } }, page: '/careers' };
    return page(
      company,
      `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${scriptJson(data)}</script>`,
    );
  },
  state(request, company, positions) {
    if (request.path !== '/careers') return undefined;
    const rows = positions.map((one) => {
      const { slug, body, ...rest } = record(one);
      return `{ ${Object.entries({ ...rest, slug, body })
        .map(([name, value]) => `${name}: ${literal(value)}`)
        .join(', ')}, }`;
    });
    return page(
      company,
      `<script>window.__LABELS__ = {apply: 'Apply'}; window.__STATE__ = { user: undefined, isOpen: !0, openings: [${rows.map((row) => `${row},`).join('\n')}] };</script>`,
    );
  },
};

const urls = (entries: [url: string, changedMs: number][]): SandboxReply =>
  xml(
    `<?xml version="1.0"?><urlset>${entries.map(([url, ms]) => `<url><loc>${esc(url)}</loc><lastmod>${iso(ms)}</lastmod></url>`).join('')}</urlset>`,
  );

const record = (position: TruePosition) => ({
  ref: position.number,
  name: position.title,
  slug: `/careers/${position.number}`,
  where: placeText(position.place),
  team: position.department,
  opened: iso(position.bornMs),
  body: textHtml(position),
});

/** As a script writes texts: in single quotes, with what would end the script escaped. */
const literal = (value: string | number): string =>
  typeof value === 'number'
    ? String(value)
    : `'${value.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/</g, '\\u003c').replace(/\n/g, '\\n')}'`;

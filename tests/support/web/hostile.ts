// Pages that cost their reader 6 to 45 s once, and an ordinary one: for the tests and for `npm run bench -- hostile`.
const AUTHOR = '@'.repeat(20_000);
const SENTENCE = 'The council met on Tuesday to talk about the new bridge, which has been planned for many years. ';
const TEXT = `<p>${SENTENCE.repeat(3)}</p>`.repeat(6);
const ld = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
export const page = (head: string, body: string) =>
  `<html lang="en"><head><title>The bridge</title>${head}</head><body><article><h1>The bridge</h1>${body}${TEXT}</article></body></html>`;

export const HOSTILE: Record<string, () => string> = {
  'an author of 20,000 @ in a by-line': () => page('', `<p class="byline">By ${AUTHOR}</p>`),
  'an author of 20,000 @ in a meta tag': () => page(`<meta name="author" content="${AUTHOR}">`, ''),
  'an author of 20,000 @ in JSON-LD': () => page(ld({ '@type': 'NewsArticle', headline: 'A', author: AUTHOR }), ''),
  '500,000 tabs in JSON-LD': () =>
    page(
      `<script type="application/ld+json">{"@type":"NewsArticle","headline":"A${'\t'.repeat(500_000)}"}</script>`,
      '',
    ),
  'a publisher of very many GmbH': () =>
    page(ld({ '@type': 'NewsArticle', publisher: { name: 'GmbH & Co. KG '.repeat(20_000) } }), ''),
  'elements nested 100,000 deep': () => page('', `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}`),
  'a table of 100,000 rows': () => page('', `<table>${'<tr><td>1</td></tr>'.repeat(100_000)}</table>`),
};

const rows = (count: number, more: (id: number) => Record<string, unknown>): string =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: `Welder ${id}`, ...more(id) })));

/** Boards of companies that once took a server for as long, with the settings that read them. `path` is where the site has the answer. */
export const HOSTILE_BOARDS: Record<string, { settings(url: string): Record<string, unknown>; answer(): string }> = {
  'a feed nested 200,000 deep': {
    settings: (url) => ({ scraper_type: 'rss', url }),
    answer: () => `<rss version="2.0"><channel>${'<item>'.repeat(200_000)}<title>A</title>`,
  },
  'a selector that looks at everything for everything': {
    settings: (url) => ({
      scraper_type: 'static',
      url,
      item: 'div:has(i) div:has(b) div:has(.none)',
      fields: { title: 'p:nth-child(2n+1):contains("welder")', url: 'a@href' },
    }),
    answer: () => `<html><body>${'<div><i>a</i><b>b</b>'.repeat(20_000)}</body></html>`,
  },
  'an answer of 100,000 rows': {
    settings: (url) => ({ scraper_type: 'api', url, items: '', fields: { id: 'id', title: 'name' } }),
    answer: () => rows(100_000, () => ({})),
  },
  // Every one of them is stored, and becomes a position.
  'an answer of 20,000 postings': {
    settings: (url) => ({ scraper_type: 'api', url, items: '', fields: { id: 'id', title: 'name', url: 'link' } }),
    answer: () => rows(20_000, (id) => ({ link: `/jobs/${id}` })),
  },
  'a company of very many GmbH': {
    settings: (url) => ({
      scraper_type: 'api',
      url,
      items: '',
      fields: { id: 'id', title: 'name', url: 'link', company: 'firm' },
    }),
    answer: () => rows(3, (id) => ({ link: `/jobs/${id}`, firm: 'GmbH & Co. KG '.repeat(20_000) })),
  },
};

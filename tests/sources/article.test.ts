import { expect, test } from 'vitest';
import { textAs } from '../../src/model/article/text-format.ts';
import { Article } from '../../src/model/item/article.ts';
import { SOURCES } from '../../src/sources/built-in.ts';
import { createWeb } from '../../src/web/web.ts';
import { serve } from '../support/web/servers.ts';

const PROSE = [
  'The town council decided on Tuesday to rebuild the old harbour bridge, which has been closed to lorries since the spring floods.',
  'Engineers had found cracks in two of the seven piers, and a survey in June put the cost of a repair at nearly four million.',
  'A new bridge would cost twice as much, said the mayor, but it would carry trams as well, and last for the next hundred years.',
];

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour bridge to be rebuilt | Daily Pretence</title>
<meta property="og:title" content="Harbour bridge to be rebuilt"><meta property="og:image" content="https://img.example/bridge.jpg">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"Harbour bridge to be rebuilt",
"datePublished":"2026-03-04T05:06:07Z","author":{"@type":"Person","name":"Ada Brook"}}</script></head>
<body><nav><a href="/">Home</a><a href="/news">News</a></nav><article><h1>Harbour bridge to be rebuilt</h1>
${PROSE.map((text) => `<p>${text}</p>`).join('\n')}</article><footer>© Daily Pretence</footer></body></html>`;

async function scrape(url: string, hostMap: string): Promise<unknown[]> {
  const source = SOURCES.get('article')!;
  const webs = createWeb({ hostMap });
  try {
    const web = webs.forAttempt({ signal: AbortSignal.timeout(60_000), source: source.name });
    const items: unknown[] = [];
    for await (const item of source.scrape(source.params.parse({ url }), web)) items.push(item);
    return items;
  } finally {
    await webs.close();
  }
}

async function scrapeFrom(type: string, body: string, path = '/bridge'): Promise<unknown[]> {
  await using site = await serve((_, response) => response.setHeader('content-type', type).end(body));
  return await scrape(`https://pretence.example${path}`, `pretence.example=${site.origin}`);
}

test('a page becomes one article under its canonical address', async () => {
  const items = await scrapeFrom('text/html; charset=utf-8', PAGE, '/bridge?utm_source=mail&b=2&a=1#top');
  expect(items).toHaveLength(1);
  const item = Article.parse(items[0]);
  expect(item).toMatchObject({
    url: 'https://pretence.example/bridge?a=1&b=2',
    title: 'Harbour bridge to be rebuilt',
    author: 'Ada Brook',
    published_at: '2026-03-04T05:06:07Z',
    image: 'https://img.example/bridge.jpg',
    language: 'en',
  });
  for (const text of PROSE) expect(item.content).toContain(text);
  expect(item.content).not.toContain('Daily Pretence');
});

test('what is stored beside the text prints it as Markdown, over all pages of the article', async () => {
  const body = (paragraphs: string[], more: string) =>
    PAGE.replace(
      /<p>[\s\S]*<\/p>/,
      `${paragraphs.map((text) => `<p>${text}</p>`).join('<h2>Piers</h2>')}<p><a href="/survey">The survey</a> is public, the council said on Wednesday, and so are the drawings.</p>${more}`,
    );
  await using site = await serve((request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(request.url === '/bridge' ? body(PROSE, '<a href="/bridge/2">2</a>') : body([...PROSE].reverse(), '')),
  );
  const [item] = (await scrape('https://pretence.example/bridge', `pretence.example=${site.origin}`)).map((one) =>
    Article.parse(one),
  );
  const page = (paragraphs: string[]) =>
    [
      paragraphs.join('\n\n## Piers\n\n'),
      '[The survey](https://pretence.example/survey) is public, the council said on Wednesday, and so are the drawings.',
    ].join('\n\n');
  expect(textAs('markdown', item!.content, item!.details)).toBe(`${page(PROSE)}\n\n${page([...PROSE].reverse())}`);
  expect(item!.details).toMatchObject({ kind: 'article' });
});

test('a redirect keeps the address that was asked for', async () => {
  await using site = await serve((request, response) =>
    request.url === '/old'
      ? response.writeHead(301, { location: '/new' }).end()
      : response.setHeader('content-type', 'text/html').end(PAGE),
  );
  const items = await scrape('https://pretence.example/old', `*=${site.origin}`);
  expect(items).toMatchObject([{ url: 'https://pretence.example/old', title: 'Harbour bridge to be rebuilt' }]);
});

test('a page without running text is not an article', async () => {
  await expect(scrapeFrom('text/html', '<html><body></body></html>')).rejects.toMatchObject({ code: 'not_article' });
});

test('a file that is no page is refused by its kind', async () => {
  await expect(scrapeFrom('application/pdf', '%PDF-1.7')).rejects.toMatchObject({ code: 'unsupported_content' });
});

test('only web addresses are parameters', () => {
  const { params } = SOURCES.get('article')!;
  for (const url of ['ftp://a.example/', 'javascript:alert(1)', 'nonsense', '']) {
    expect(params.safeParse({ url }).success, url).toBe(false);
  }
});

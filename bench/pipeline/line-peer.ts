import type { CheerioAPI } from 'cheerio';

/** Four fields of a page by selectors that fit these pages, as a line of JSON. */
export function lineOf($: CheerioAPI, url: string): string {
  return `${JSON.stringify({
    url,
    title: $('h1').first().text(),
    content: $('p')
      .map((_, p) => $(p).text())
      .get()
      .join('\n\n'),
    author: $('meta[name=author]').attr('content') ?? $('[rel=author]').text(),
    published: $('meta[property="article:published_time"]').attr('content') ?? $('time').attr('datetime'),
  })}\n`;
}

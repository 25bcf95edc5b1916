// Pieces of markup that several layouts share. Every text goes through `esc`; the ready-made pieces are already markup.
import type { Block, Headline, MadeArticle } from './article.ts';
import { TOPICS } from './prose.ts';

export interface Page {
  article: MadeArticle;
  /** `https://host`, or the sandbox's own address when asked for directly. */
  origin: string;
  related: readonly Headline[];
}

/** A layout turns the truth into one site's markup. */
export type Layout = (page: Page) => string;

const SPECIAL = /[&<>"]/;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function esc(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"]/g, (char) => ENTITIES[char] as string) : text;
}

/** For a script element: `</script>` inside a string would end it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

export function displayDate({ publishedAt, site }: MadeArticle): string {
  const { date, months } = site.language.words;
  const at = new Date(publishedAt);
  return date
    .replace('{d}', String(at.getUTCDate()))
    .replace('{month}', months[at.getUTCMonth()] as string)
    .replace('{y}', String(at.getUTCFullYear()));
}

export function byline({ author, site }: MadeArticle): string {
  return esc(site.language.words.byline.replace('{person}', author));
}

/** A paragraph now and then has a link or emphasis in it, as real ones do; its text is unchanged. */
export function paragraphInner(text: string, index: number, origin: string): string {
  const safe = esc(text);
  if (index % 4 !== 2) return safe;
  const end = safe.indexOf(' ', 30);
  const from = safe.indexOf(' ', 12) + 1;
  if (end < 0 || from <= 0 || from >= end || safe.slice(from, end).includes('&')) return safe;
  const words = safe.slice(from, end);
  const inner = index % 8 === 2 ? `<a href="${origin}/topics/${index}">${words}</a>` : `<em>${words}</em>`;
  return safe.slice(0, from) + inner + safe.slice(end);
}

export function figure(block: Extract<Block, { kind: 'image' }>, origin: string): string {
  return `<figure><img src="${origin}${block.src}" alt="" width="960" height="540" loading="lazy"><figcaption>${esc(block.caption)} <span class="credit">${esc(block.credit)}</span></figcaption></figure>`;
}

/** The body in ordinary, well-formed markup. */
export function bodyMarkup(blocks: readonly Block[], origin: string): string {
  let html = '';
  blocks.forEach((block, index) => {
    if (block.kind === 'paragraph') html += `<p>${paragraphInner(block.text, index, origin)}</p>\n`;
    else if (block.kind === 'heading') html += `<h2>${esc(block.text)}</h2>\n`;
    else if (block.kind === 'quote') html += `<blockquote><p>${esc(block.text)}</p></blockquote>\n`;
    else if (block.kind === 'list') html += `<ul>${block.items.map((item) => `<li>${esc(item)}</li>`).join('')}</ul>\n`;
    else html += `${figure(block, origin)}\n`;
  });
  return html;
}

function openGraph({ article, origin }: Page): string {
  const { site } = article;
  return `<meta property="og:type" content="article">
<meta property="og:title" content="${esc(article.title)}">
<meta property="og:description" content="${esc(article.standfirst)}">
<meta property="og:url" content="${origin}${esc(article.path)}">
<meta property="og:site_name" content="${esc(site.name)}">
<meta property="og:image" content="${article.image}">
<meta property="article:published_time" content="${article.publishedAt}">
<meta property="article:modified_time" content="${article.modifiedAt}">
<meta property="article:section" content="${esc(article.section)}">`;
}

export function newsArticleLd(article: MadeArticle): Record<string, unknown> {
  return {
    '@context': 'https://schema.org',
    '@type': 'NewsArticle',
    mainEntityOfPage: article.url,
    headline: article.title,
    description: article.standfirst,
    image: [article.image],
    datePublished: article.publishedAt,
    dateModified: article.modifiedAt,
    author: [{ '@type': 'Person', name: article.author }],
    publisher: { '@type': 'NewsMediaOrganization', name: article.site.name },
    inLanguage: article.language,
    articleSection: article.section,
  };
}

export function navLinks({ site }: MadeArticle, origin: string): string {
  const { topics, chrome } = site.language.words;
  const links = TOPICS.map((topic) => `<li><a href="${origin}/${topic}/">${topics[topic].label}</a></li>`).join('');
  return `<li><a href="${origin}/">${chrome.home}</a></li>${links}`;
}

export function headlineLinks(headlines: readonly Headline[], origin: string): string {
  return headlines.map(({ path, title }) => `<li><a href="${origin}${path}">${esc(title)}</a></li>`).join('');
}

/** What stands between `<head>` and the first thing a layout cares about. */
export function headOpening({ article, origin }: Page): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${esc(article.title)} | ${esc(article.site.name)}</title>
<meta name="description" content="${esc(article.standfirst)}">
<link rel="canonical" href="${origin}${esc(article.path)}">
<link rel="alternate" type="application/rss+xml" href="${origin}/rss.xml">
<link rel="stylesheet" href="${origin}/static/site.css">`;
}

/** Up to `</head>`, for sites that describe themselves fully: OpenGraph and the given JSON-LD. */
export function richHead(page: Page, ld: unknown, extra = ''): string {
  return `<!doctype html>
<html lang="${page.article.language}">
<head>
${headOpening(page)}
${openGraph(page)}
${extra}<script type="application/ld+json">${scriptJson(ld)}</script>
</head>`;
}

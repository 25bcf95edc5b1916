// Front pages and sections of the sandbox's own sites: twenty headlines a page, with links to the next. Sites of sites.json only.
import type { SandboxReply } from '../replica.ts';
import type { Headline } from './article.ts';
import { type Edition, newest } from './feeds.ts';
import { esc } from './markup.ts';
import { TOPICS, type TopicKey } from './prose.ts';

const PER_PAGE = 20;

/** The topic and page a path asks for, or nothing if it is not a listing. */
export function listingAt(path: string, query: URLSearchParams): { topic: TopicKey | null; page: number } | undefined {
  const match = /^\/(?:(\w+)\/?)?(?:page\/(\d+)\/?)?$/.exec(path);
  if (!match) return undefined;
  const topic = match[1] === undefined || match[1] === 'latest' ? null : TOPICS.find((key) => key === match[1]);
  if (topic === undefined) return undefined;
  const page = Number(match[2] ?? query.get('page') ?? 1);
  return Number.isSafeInteger(page) && page >= 1 ? { topic, page } : undefined;
}

export function listing(edition: Edition, topic: TopicKey | null, page: number): SandboxReply | undefined {
  const { site, origin } = edition;
  const { topics, chrome } = site.language.words;
  const base = topic === null ? '' : `/${topic}`;
  const skip = (page - 1) * PER_PAGE;
  // One more than is shown tells whether there is a next page.
  const shown =
    topic === null ? newest(edition, skip, PER_PAGE + 1) : aboutTopic(edition, topic).slice(skip, skip + PER_PAGE + 1);
  if (shown.length === 0) return undefined;
  const hasMore = shown.length > PER_PAGE;
  const cards = shown
    .slice(0, PER_PAGE)
    .map(
      (item) =>
        `<li class="card"><h2><a href="${origin}${item.path}">${esc(item.title)}</a></h2><p>${esc(item.standfirst)}</p><time datetime="${item.publishedAt}">${item.publishedAt.slice(0, 10)}</time></li>`,
    );
  const older = hasMore ? `<a rel="next" href="${origin}${base}/page/${page + 1}">${chrome.next}</a>` : '';
  const newer = page > 1 ? `<a rel="prev" href="${origin}${base}/page/${page - 1}">${chrome.previous}</a>` : '';
  const nav = TOPICS.map((key) => `<li><a href="${origin}/${key}/">${topics[key].label}</a></li>`).join('');
  const heading = topic === null ? chrome.latest : topics[topic].label;
  const body = `<!doctype html>
<html lang="${site.language.code}">
<head>
<meta charset="utf-8">
<title>${esc(heading)} | ${esc(site.name)}</title>
<meta property="og:type" content="website">
<link rel="alternate" type="application/rss+xml" href="${origin}/rss.xml">
</head>
<body>
<header><a href="${origin}/">${esc(site.name)}</a><nav><ul>${nav}</ul></nav></header>
<main><h1>${esc(heading)}</h1>
<ol class="cards">
${cards.join('\n')}
</ol>
<nav class="pages">${newer} ${older}</nav></main>
</body>
</html>
`;
  return { status: 200, type: 'text/html; charset=utf-8', body, isStable: true };
}

function aboutTopic(edition: Edition, topic: TopicKey): Headline[] {
  return newest(edition, 0, edition.site.articles).filter((headline) => headline.topic === topic);
}

// The links of a page, without a tree of it: a crawl reads these of every page, articles or not. What a reader would get wrong: a page may ask that none of its
// links be followed, in its head or in a header of the answer.
import { Parser } from 'htmlparser2';
import { bounded } from '../limits.ts';
import { cleanText } from './html.ts';

export interface PageLink {
  /** Absolute. */
  url: string;
  nofollow?: boolean;
}

export interface PageLinks {
  /** Each address once, in the order of the page. */
  links: PageLink[];
  /** More than were asked for. */
  cut: number;
  title: string | null;
}

/** rel values of `<link>` that lead to another page for readers. */
const LEADS_ON = /^(?:next|prev)$/i;
const TITLE_CHARS = 500;

export function linksIn(
  html: string,
  address: string,
  { max, robots = '' }: { max: number; robots?: string },
): PageLinks {
  const found = new Map<string, PageLink>();
  let base = address;
  let cut = 0;
  let title: string | null = null;
  let isInTitle = false;
  let isNofollow = hasNofollow(robots);

  function add(href: string, rel: string): void {
    const url = URL.parse(bounded(href.trim(), 'url'), base);
    if (url === null || !/^https?:$/.test(url.protocol)) return;
    url.hash = '';
    const nofollow = /\bnofollow\b/i.test(rel);
    const known = found.get(url.href);
    // Followed where one of its links may be.
    if (known) {
      if (!nofollow) delete known.nofollow;
    } else if (found.size < max) found.set(url.href, { url: url.href, ...(nofollow && { nofollow }) });
    else cut += 1;
  }

  const parser = new Parser(
    {
      onopentag(name, { href, rel = '', name: meta, content }) {
        if (name === 'a' || name === 'area' || (name === 'link' && LEADS_ON.test(rel))) {
          if (href) add(href, rel.slice(0, 200));
        } else if (name === 'base' && href) base = URL.parse(bounded(href, 'url'), address)?.href ?? base;
        else if (name === 'meta' && /^(?:robots|windrow)$/i.test(meta ?? '')) isNofollow ||= hasNofollow(content ?? '');
        else if (name === 'title') isInTitle = title === null;
      },
      ontext(text) {
        if (isInTitle && (title ?? '').length < TITLE_CHARS) title = (title ?? '') + text;
      },
      onclosetag(name) {
        if (name === 'title') isInTitle = false;
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  const links = [...found.values()];
  return {
    links: isNofollow ? links.map(({ url }) => ({ url, nofollow: true })) : links,
    cut,
    title: title === null ? null : cleanText(title).slice(0, TITLE_CHARS).toWellFormed() || null,
  };
}

const hasNofollow = (said: string): boolean => /\b(?:nofollow|none)\b/i.test(said.slice(0, 1_000));

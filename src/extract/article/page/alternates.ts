// Other addresses of the same article: the next page of it, and the AMP and print versions, which often have all of it.
// What a reader would get wrong: rel=next is as often the next article as the next page. A next page is the same address with the
// next number, and nothing else.
import { stripEnd } from '../../strip.ts';
import { absolute } from '../fields/others.ts';
import type { Page } from './tree.ts';

export interface Alternates {
  next_page: string | null;
  amp: string | null;
  print: string | null;
}

export function alternatesOf(page: Page, url: string | null): Alternates {
  const amp = page.links.find((link) => link.rel.split(/\s+/).includes('amphtml'));
  const hrefs: string[] = [];
  for (const link of page.links) if (/\bnext\b/.test(link.rel)) hrefs.push(link.href);
  let print: string | null = null;
  for (const { attrs } of page.anchors) {
    const { href } = attrs;
    if (!href || hrefs.length > 5_000) continue;
    hrefs.push(href);
    if (!print && /[?&/](?:print(?:able|er)?|output=print|view=print)(?:[=/.?&#]|$)/i.test(href))
      print = absolute(href, url);
  }
  return {
    next_page: url ? nextPage(hrefs, url) : null,
    amp: absolute(amp?.href, url),
    print: print !== url ? print : null,
  };
}

function nextPage(hrefs: Iterable<string>, url: string): string | null {
  const current = pageNumber(url);
  // Reading an address costs more than seeing that it does not end in, or count to, the number; making the pattern, than seeing no such number.
  const digits = String(current.number + 1);
  let mayBe: RegExp | undefined;
  for (const href of hrefs) {
    if (!href.includes(digits)) continue;
    mayBe ??= patternFor(digits);
    const address = mayBe.test(href) ? absolute(href, url) : null;
    if (!address) continue;
    const there = pageNumber(address);
    if (there.number === current.number + 1 && there.rest === current.rest) return address;
  }
  return null;
}

// Of nearly all pages it is the second that may come next, so the pattern made last is kept.
let made = { digits: '', pattern: /^$/ };

function patternFor(digits: string): RegExp {
  if (made.digits !== digits)
    made = { digits, pattern: new RegExp(`(?:[/=_-]|page|p)${digits}(?:/?(?:[?#&]|$)|\\.html?)`, 'i') };
  return made.pattern;
}

/** The number in an address that counts pages, and the address without it. */
function pageNumber(address: string): { number: number; rest: string } {
  const url = new URL(address);
  url.hash = '';
  for (const name of url.search === '' ? [] : ['page', 'pg', 'p', 'pagina', 'seite', 'paged']) {
    const value = url.searchParams.get(name);
    if (value && /^\d{1,3}$/.test(value)) {
      url.searchParams.delete(name);
      return { number: Number(value), rest: trimmed(url) };
    }
  }
  const path =
    /^(.*?)(?:\/(?:page|seite|pagina)[/-]?(\d{1,3})|\/(\d{1,2})|[-_](?:page|p)-?(\d{1,3}))(\.html?)?\/?$/i.exec(
      url.pathname,
    );
  if (!path) return { number: 1, rest: trimmed(url) };
  url.pathname = path[1]! + (path[5] ?? '');
  return { number: Number(path[2] ?? path[3] ?? path[4]), rest: trimmed(url) };
}

const trimmed = (url: URL): string => `${url.host.replace(/^www\./, '')}${stripEnd(url.pathname, '/')}${url.search}`;

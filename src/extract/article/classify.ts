// What kind of page it is: an article, or a listing, a search, an error, a login. And of an article: behind a paywall, cut short,
// a live blog.
// What a reader would get wrong: calling an article something else loses it, calling a listing an article only adds noise. So every
// verdict needs a sign of the other kind and the absence of what articles have.

import { ofType, typesOf } from '../html/structured.ts';
import { PAGE_KINDS, type PageKind } from './kind/kinds.ts';
import type { Decision } from './model/decide.ts';
import type { Facts } from './page/facts.ts';
import { meaningBits } from './page/lexicon.ts';
import type { View } from './page/view.ts';

export type NotArticle = 'listing' | 'search' | 'error' | 'login' | 'no_text';

export interface Verdict {
  /** What the page is for, whether there is text on it or not. */
  kind: PageKind;
  not_article: NotArticle | null;
  /** The publisher says, or the page shows, that the rest is for subscribers. */
  paywalled: boolean;
  /** What is here is only the beginning. */
  teaser: boolean;
  live_blog: boolean;
}

const ERROR_TITLE =
  /\b(?:40[0134]|410|50[0234])\b(?!\s*(?:\(k\)|ways|things|best|top|words|miles|km))|page (?:not found|missing|doesn.t exist)|not found|access denied|forbidden|something went wrong|internal server error|service unavailable|seite nicht gefunden|page introuvable|página no encontrada|pagina non trovata|страница не найдена|ページが見つかりません/i;
const LOGIN_TITLE =
  /^(?:please )?(?:log ?in|sign ?in|log ?on|anmelden|einloggen|connexion|iniciar sesión|entrar|accedi|вход)\b/i;
const SEARCH_TITLE =
  /search results|results for|^search\b|suchergebnisse|résultats (?:de recherche|pour)|resultados de (?:la )?búsqueda|результаты поиска/i;
const SEARCH_URL = /[/]search(?:[/?#]|$)|[?&](?:q|s|query|search|keyword)=/i;
const LISTING_URL =
  /^https?:\/\/[^/]+\/?(?:[?#].*)?$|\/(?:category|categories|tag|tags|topic|topics|author|authors|archive|archives|section|index)(?:\/[^/]*)?\/?(?:page\/\d+\/?)?$/i;
const LISTING_TYPES = ['CollectionPage', 'SearchResultsPage', 'ItemList', 'ProfilePage'];

export function classify(view: View, decision: Decision, facts: Facts, url: string | null): Verdict {
  const words = view.blockFeatures.reduce((sum, features, i) => sum + (decision.kept[i] ? features.words : 0), 0);
  return {
    kind: likeliestKind(view.kinds),
    not_article: notArticle(view, facts, url, words),
    ...accessOf(view, decision, facts, words),
    live_blog: isLiveBlog(view, decision, facts),
  };
}

function notArticle(view: View, facts: Facts, url: string | null, words: number): NotArticle | null {
  const heading = view.blockFeatures.find((features) => features.block.node.tag === 'h1')?.block.text ?? '';
  const titles = [view.page.title, heading];
  const saysArticle =
    facts.article !== null ||
    facts.meta('og:type')?.value.toLowerCase() === 'article' ||
    facts.meta('article:published_time') !== null;
  if (words < 150 && titles.some((t) => t.length < 90 && ERROR_TITLE.test(t)) && !saysArticle) return 'error';
  if (words < 150 && view.page.hasPassword && (titles.some((t) => LOGIN_TITLE.test(t)) || words < 40)) return 'login';
  if (saysArticle) return words < 3 ? 'no_text' : null;
  const teasers = linkedHeadings(view);
  const isList = listShare(view.kinds);
  if ((titles.some((t) => SEARCH_TITLE.test(t)) || SEARCH_URL.test(url ?? '')) && (teasers >= 3 || words < 60))
    return 'search';
  if (ofType(facts.ld, 'SearchResultsPage').length > 0 && teasers >= 3) return 'search';
  const listed =
    LISTING_URL.test(url ?? '') || facts.ld.some((node) => typesOf(node).some((type) => LISTING_TYPES.includes(type)));
  if (listed && teasers >= 4 && words < 600 && isList > MAYBE) return 'listing';
  if (teasers >= 8 && words < 200 && isList > MAYBE) return 'listing';
  if (isList > SURELY && words < 600) return 'listing';
  return words < 8 ? 'no_text' : null;
}

const MAYBE = 0.15;
const SURELY = 0.85;
const LISTING = PAGE_KINDS.indexOf('listing');
const COLLECTION = PAGE_KINDS.indexOf('collection');

const listShare = (kinds: Float64Array): number => kinds[LISTING]! + kinds[COLLECTION]!;

function likeliestKind(kinds: Float64Array): PageKind {
  let best = 0;
  for (let kind = 1; kind < kinds.length; kind++) if (kinds[kind]! > kinds[best]!) best = kind;
  return PAGE_KINDS[best]!;
}

const TEASER_HEADINGS = new Set(['h2', 'h3', 'h4']);

/** Headings that are links: teasers of other pages. Those of menus, sidebars and "related" boxes are on articles too. */
function linkedHeadings(view: View): number {
  let count = 0;
  for (const features of view.blockFeatures) {
    const node = features.block.node;
    const isHeading = TEASER_HEADINGS.has(node.tag) || TEASER_HEADINGS.has(node.parent?.tag ?? '');
    if (isHeading && features.linkShare > 0.8 && view.m.strong[node.index] === (view.m.strong[node.index]! & ~ASIDE))
      count++;
  }
  return count;
}

const ASIDE = meaningBits('related', 'aside', 'comment', 'nav', 'promo', 'ad');

const PAYWALL_LINE =
  /(?:subscribe|log ?in|sign ?(?:in|up)|register|become a (?:member|subscriber)|create (?:a free|an) account)[^.!?]{0,40}(?:to (?:continue|keep) reading|to read (?:the )?(?:full|rest|more|this)|to unlock|for full access|to access)|(?:continue|keep) reading (?:with|by|for)|this (?:article|content|story) is (?:for|only|exclusive)[^.]{0,20}subscribers|already a (?:subscriber|member)\?|jetzt weiterlesen|réservé aux abonnés|(?:exclusivo|solo) para (?:suscriptores|assinantes)/i;
const CUT_END = /(?:…|\.\.\.|\[…\]|\[\.\.\.\])\s*$/;
const READ_ON =
  /^(?:read more|continue reading|read (?:the )?full (?:story|article)|weiterlesen|lire la suite|leer más|leia mais)\W*$/i;
const TEASER_WORDS = 250;

function accessOf(
  view: View,
  { kept }: Decision,
  facts: Facts,
  words: number,
): { paywalled: boolean; teaser: boolean } {
  const last = kept.lastIndexOf(true);
  const after = view.blockFeatures.slice(Math.max(0, last - 1), last + 12);
  const stated = [facts.article, ...facts.ld].some((node) => /^false$/i.test(String(node?.isAccessibleForFree ?? '')));
  const tier = /^(?:locked|premium|subscriber)/i.test(facts.meta('article:content_tier', 'content_tier')?.value ?? '');
  const line = after.some((features) => features.chars < 300 && PAYWALL_LINE.test(features.block.text));
  const paywalled = stated || tier || line;
  const whole = Number(facts.article?.wordCount ?? 0);
  const endsCut = last >= 0 && CUT_END.test(view.blockFeatures[last]!.block.text) && words < TEASER_WORDS;
  const readOn =
    words < TEASER_WORDS && after.some((features) => features.linkShare > 0.8 && READ_ON.test(features.block.text));
  return {
    paywalled,
    teaser:
      words > 0 && ((paywalled && words < TEASER_WORDS) || endsCut || readOn || (whole > 200 && words < 0.5 * whole)),
  };
}

const LIVE_BLOG = /\blive-?blog/i;

function isLiveBlog(view: View, { kept }: Decision, facts: Facts): boolean {
  if (ofType(facts.ld, 'LiveBlogPosting').length > 0) return true;
  const first = view.blockFeatures[kept.indexOf(true)]?.block.node ?? null;
  for (let up = first, level = 0; up && level < 12; up = up.parent, level++)
    if (LIVE_BLOG.test(up.attrs.class ?? '')) return true;
  return false;
}

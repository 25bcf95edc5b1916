// An article out of a page's HTML: body, title, author, dates and the rest, each with where it came from.
//   read the page -> what it states -> its blocks -> which are body -> the fields
// What a reader would get wrong: this never throws and never waits. A page that is no article says so in `not_article`, and a page
// that had to be cut at a limit says `truncated`.
import { getHostname } from 'tldts';
import { toHtml } from '../../model/article/html.ts';
import { linesFrom, type Markup, markupOf } from '../../model/article/lines.ts';
import { toMarkdown } from '../../model/article/markdown.ts';
import { mendDoubleEncoding } from '../html/charset.ts';
import { flatText } from '../html/flat-text.ts';
import { classify, type Verdict } from './classify.ts';
import { author } from './fields/author.ts';
import { modified, published, shownDates } from './fields/date.ts';
import type { FieldValue, PageContext } from './fields/found.ts';
import { canonical, excerpt, image, language, tags } from './fields/others.ts';
import { siteName, siteNames } from './fields/site.ts';
import { headlineAt, title } from './fields/title.ts';
import { kindRow } from './kind/kind-features.ts';
import { kindsOf } from './kind/kind-model.ts';
import { type ListedLink, listedLinks } from './kind/listed-links.ts';
import { type Decision, decide } from './model/decide.ts';
import { MODELS } from './model/models.ts';
import { linesOf, textOf } from './output/lines.ts';
import { type Alternates, alternatesOf } from './page/alternates.ts';
import { readView } from './page/read.ts';
import type { View } from './page/view.ts';
import type { SiteMemory } from './site-memory.ts';

export interface ExtractOptions {
  /** When the page was fetched: relative dates are counted from it and later ones refused. */
  now?: Date;
  /** Say where every field came from. */
  explain?: boolean;
  /** Boilerplate learned from other pages of the same host. */
  memory?: SiteMemory;
  /** Also as Markdown. */
  markdown?: boolean;
  /** Also as clean HTML. */
  html?: boolean;
  /** Also the marks from which both can be printed later. */
  markup?: boolean;
}

export interface ExtractedArticle extends Verdict, Alternates {
  title: string | null;
  /** Plain text, an empty line between paragraphs; empty where `not_article` says what the page is instead. */
  content: string;
  markdown?: string;
  html?: string;
  markup?: Markup;
  author: string | null;
  /** The same as published_at. */
  date: string | null;
  published_at: string | null;
  modified_at: string | null;
  language: string | null;
  site_name: string | null;
  image: string | null;
  canonical_url: string | null;
  excerpt: string | null;
  word_count: number;
  tags: string[];
  /** Of a listing or collection, what it lists. */
  links: ListedLink[];
  truncated: boolean;
  explain?: Record<string, { from: string; detail: string }>;
}

/** Reads the article of a page. `url`, where the page came from, completes links and tells its own site from others. */
export function extractArticle(html: string, url?: string | null, options: ExtractOptions = {}): ExtractedArticle {
  const { page, facts, view } = readView(mendDoubleEncoding(html));
  view.kinds = kindsOf(kindRow(view, facts, url ?? null), MODELS.kinds);
  const decision = decide(view, MODELS);
  if (options.memory && url) forgetKnown(decision, options.memory, url, view);
  const verdict = classify(view, decision, facts, url ?? null);
  const taken = verdict.not_article
    ? []
    : view.blockFeatures.filter((_, i) => decision.kept[i]).map((features) => features.block);
  const body = textOf(taken);
  const markup = options.markup || options.markdown || options.html ? markupOf(linesOf(page, taken, url ?? null)) : [];
  const lines = options.markdown || options.html ? linesFrom(body, markup) : [];
  const site = siteName(facts);
  const spoken = language(facts, page.htmlLang, body);
  const context: PageContext = {
    view,
    facts,
    html,
    url: url ?? null,
    now: options.now ?? new Date(),
    language: spoken?.value ?? null,
    site: siteNames(site, url ?? null),
    titleAt: view.titleAt,
    bodyFrom: decision.kept.indexOf(true),
    bodyTo: decision.kept.lastIndexOf(true),
  };
  const headline = title(context);
  context.titleAt = headlineAt(view, headline);
  const shown = shownDates(context);
  const found = {
    title: headline,
    author: author(context),
    published_at: published(context, shown),
    modified_at: modified(context, shown),
    language: spoken,
    site_name: site,
    image: image(context),
    canonical_url: canonical(context),
    excerpt: excerpt(context, body),
    tags: tags(context),
  };
  return {
    title: plainValue(found.title),
    content: body,
    author: plainValue(found.author),
    date: plainValue(found.published_at),
    published_at: plainValue(found.published_at),
    modified_at: plainValue(found.modified_at),
    language: plainValue(found.language),
    site_name: plainValue(found.site_name),
    image: plainValue(found.image),
    canonical_url: plainValue(found.canonical_url),
    excerpt: plainValue(found.excerpt),
    word_count: verdict.not_article ? 0 : wordsIn(view, decision),
    tags: found.tags?.value.map(flatText) ?? [],
    links: verdict.not_article === 'listing' || verdict.not_article === 'search' ? listedLinks(view, url ?? null) : [],
    ...verdict,
    ...alternatesOf(page, url ?? null),
    truncated: page.truncated,
    ...(options.markdown && { markdown: toMarkdown(lines) }),
    ...(options.html && { html: toHtml(lines) }),
    ...(options.markup && { markup }),
    ...(options.explain && { explain: explain(found) }),
  };
}

// A value as it was found is a cut of its page, and would keep all of it in memory until the article is sent.
const plainValue = (found: FieldValue | null): string | null => (found ? flatText(found.value) : null);

const wordsIn = (view: View, { kept }: Decision): number =>
  view.blockFeatures.reduce((sum, features, i) => sum + (kept[i] ? features.words : 0), 0);

/** Lets go of blocks that stood on other pages of the site, unless that would leave nothing. */
function forgetKnown(decision: Decision, memory: SiteMemory, url: string, view: View): void {
  const host = getHostname(url);
  if (!host) return;
  const known = memory.recognise(host, url, view.blockFeatures);
  const kept = decision.kept.map((isKept, i) => isKept && !known[i]);
  if (kept.includes(true)) decision.kept = kept;
}

function explain(found: Record<string, FieldValue<unknown> | null>): Record<string, { from: string; detail: string }> {
  const out: Record<string, { from: string; detail: string }> = {};
  for (const name in found) {
    const f = found[name];
    if (f) out[name] = { from: f.from, detail: flatText(f.detail) };
  }
  return out;
}

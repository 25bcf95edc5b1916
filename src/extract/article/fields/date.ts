// When it was published and when it was changed.
// What a reader would get wrong: what a reader sees beside the headline beats what is stated for machines, because systems state
// when a record was made and pages show when the article was. A shown date that says "updated" is not the first of the two, unless
// nothing else is known.
import { parseDate } from '../../dates.ts';
import { firstString } from '../../html/structured.ts';
import { bitOf, meaningBits } from '../page/lexicon.ts';
import type { BlockFeatures } from '../page/view.ts';
import { isPublished, isUpdated, originallyAt, publishedAt, relativeLine, shortDate, updatedAt } from './date-words.ts';
import { type FieldReader, type FieldValue, firstOf, metaOrigin, type PageContext } from './found.ts';

// Comments, and teasers of other articles, have dates of their own.
const ELSEWHERE = meaningBits('comment', 'related', 'nav', 'aside');
const OTHER_TEXTS = meaningBits('comment', 'related');

const parse = (text: string | null | undefined, { now, language }: PageContext): string | null =>
  text ? parseDate(text, { now, language, relative: false }) : null;

export function published(context: PageContext, shown: Shown[]): FieldValue | null {
  const changed = firstOf(context, MODIFIED_PLACES);
  const stated = firstOf(context, PUBLISHED_PLACES);
  const seen = shown.find((date) => date.kind === 'published') ?? shown.find((date) => date.kind === 'plain');
  // A page that shows no word beside its date may show the last change: it does when that is the day the system says so of.
  const isChange =
    seen?.kind === 'plain' && stated !== null && isSameDay(seen.found, changed) && !isSameDay(stated, changed);
  const original = originalDate(context, stated ?? seen?.found ?? null);
  if (original) return original;
  // "09.10.2024" is read by the page's language, which may be wrong; what is stated cannot be.
  const isSwapped = seen !== undefined && stated !== null && swapped(seen.found.value) === stated.value.slice(0, 10);
  if (seen?.sure && !isChange && !isSwapped) return seen.found;
  return (
    stated ??
    seen?.found ??
    styledDate(context) ??
    lineAnywhere(context) ??
    urlDate(context) ??
    scriptDate(context) ??
    shown.find((date) => date.kind === 'updated')?.found ??
    changed ??
    updatedAnywhere(context) ??
    shown.find((date) => date.kind === 'relative')?.found ??
    null
  );
}

const swapped = (day: string): string => `${day.slice(0, 4)}-${day.slice(8, 10)}-${day.slice(5, 7)}`;

const ORIGINAL_CHARS = 200;

/** "This article was originally published on 26 Sep 2019 and has been updated": wherever it stands, when it is before the other date. */
function originalDate(context: PageContext, other: FieldValue | null): FieldValue | null {
  for (const { block, chars, isMenu } of context.view.blockFeatures) {
    if (isMenu || chars > ORIGINAL_CHARS || !/\d/.test(block.text)) continue;
    const at = originallyAt(block.text);
    const value = at < 0 ? null : parse(block.text.slice(at), context);
    if (value && (other === null || value.slice(0, 10) < other.value.slice(0, 10)))
      return { value, from: 'heuristic', detail: 'originally published' };
  }
  return null;
}

const isSameDay = (a: FieldValue | null, b: FieldValue | null): boolean =>
  a !== null && b !== null && a.value.slice(0, 10) === b.value.slice(0, 10);

export function modified(context: PageContext, shown: Shown[]): FieldValue | null {
  return firstOf(context, MODIFIED_PLACES) ?? shown.find((date) => date.kind === 'updated')?.found ?? null;
}

const ldPlace =
  (...keys: string[]): FieldReader =>
  (context) => {
    for (const key of keys) {
      const value = parse(firstString(context.facts.article?.[key]), context);
      if (value) return { value, from: 'json-ld', detail: key };
    }
    return null;
  };

const metaPlace =
  (...names: string[]): FieldReader =>
  (context) => {
    for (const name of names) {
      const value = parse(context.facts.meta(name)?.value, context);
      if (value) return { value, from: metaOrigin(name), detail: name };
    }
    return null;
  };

const itemPlace =
  (property: string): FieldReader =>
  (context) => {
    const { nodes, properties } = context.view.page;
    for (const node of properties) {
      if (!node.attrs.itemprop?.split(/\s+/).includes(property)) continue;
      const value = parse(node.attrs.content ?? node.attrs.datetime ?? nodes[node.index + 1]?.text, context);
      if (value) return { value, from: 'microdata', detail: property };
    }
    return null;
  };

/** RDFa, as Drupal and others write it: `<span property="dc:date dc:created" content="2012-05-07">`. */
const rdfaPlace =
  (pattern: RegExp): FieldReader =>
  (context) => {
    const { nodes, properties } = context.view.page;
    for (const node of properties) {
      const { property } = node.attrs;
      if (property === undefined || node.tag === 'meta' || !pattern.test(property)) continue;
      const value = parse(node.attrs.content ?? node.attrs.datetime ?? nodes[node.index + 1]?.text, context);
      if (value) return { value, from: 'microdata', detail: property };
    }
    return null;
  };

const PUBLISHED_PLACES: FieldReader[] = [
  ldPlace('datePublished', 'dateCreated', 'uploadDate'),
  metaPlace(
    'article:published_time',
    'og:article:published_time',
    'datepublished',
    'article:published',
    'og:published_time',
    'og:publish_date',
    'publish_date',
    'publish-date',
    'published_time',
    'pubdate',
    'date.issued',
    'dc.date.issued',
    'dcterms.created',
    'citation_publication_date',
    'citation_online_date',
    'parsely-pub-date',
    'sailthru.date',
    'cxenseparse:recs:publishtime',
    'article.published',
    'awa-publisheddate',
    'originalpublicationdate',
    'article_date_original',
    'date',
    'dc.date',
    'dcterms.date',
    'date.created',
    'datecreated',
    'dc.date.created',
    'dc.created',
    'dc.terms.created',
    'dcterms.issued',
    'dcterms.available',
    'article:post_date',
    'article:create',
    'article-publish-date',
    'article_publication_date',
    'published-date',
    'w-published-date',
    'publishdate',
    'publisheddate',
    'publication_date',
    'publicationdate',
    'pub_date',
    'posted',
    'postdate',
    'rnews:datepublished',
    'rnews.datepublished',
    'prism.publicationdate',
    'video:release_date',
    'bt:pubdate',
    'displaydate',
    'sort_date',
    'citation_date',
    'gentime',
    'ptime',
    'firstpublished',
    'published',
    'analyticsattributes.articledate',
  ),
  itemPlace('datePublished'),
  rdfaPlace(
    /(?:^|\s)(?:dc:(?:created|issued)|dcterms:(?:created|issued)|schema:date(?:Published|Created)|(?:rnews:)?datePublished|article:published_time)(?:\s|$)/i,
  ),
  itemPlace('dateCreated'),
  rdfaPlace(/(?:^|\s)(?:dc|dcterms):date(?:\s|$)/i),
];

const MODIFIED_PLACES: FieldReader[] = [
  ldPlace('dateModified'),
  metaPlace(
    'article:modified_time',
    'og:updated_time',
    'datemodified',
    'lastmod',
    'last-modified',
    'dcterms.modified',
    'dc.date.modified',
    'revised',
    'article:modified',
    'article:modified_date',
    'article:updated_time',
    'article_date_updated',
    'og:modified_time',
    'modified_time',
    'modifieddate',
    'modificationdate',
    'dc.modified',
    'dc.terms.modified',
    'rnews:datemodified',
    'last_modified',
    'lastmodified',
    'lastupdate',
    'updated',
    'utime',
  ),
  itemPlace('dateModified'),
  rdfaPlace(/(?:^|\s)(?:(?:dc|dcterms):modified|schema:dateModified|(?:rnews:)?dateModified)(?:\s|$)/i),
];

export interface Shown {
  kind: 'published' | 'updated' | 'plain' | 'relative';
  found: FieldValue;
  /** Marked as a time, or right beside the headline. */
  sure: boolean;
}

const REACH_BEFORE = 5;
const REACH_AFTER = 8;
const MAX_LINE_CHARS = 140;

/** Dates a reader sees around the headline and the start of the body. */
export function shownDates(context: PageContext): Shown[] {
  const { view, bodyFrom, titleAt } = context;
  const anchor = titleAt >= 0 ? titleAt : Math.max(0, bodyFrom);
  const start = Math.max(0, anchor - REACH_BEFORE);
  const end = Math.min(view.blockFeatures.length, Math.max(anchor, Math.min(bodyFrom, anchor + 12)) + REACH_AFTER);
  const out: Shown[] = [];
  for (let i = start; i < end; i++) {
    const features = view.blockFeatures[i]!;
    if (features.chars > MAX_LINE_CHARS || (features.isMenu && features.linkShare > 0.9)) continue;
    const { text } = features.block;
    const both = isUpdated(text) && isPublished(text);
    const marked = both ? null : timeElement(context, features);
    const value = (both && publishedPart(context, text)) || (marked?.value ?? lineDate(context, features));
    const near = titleAt >= 0 && i > anchor && i <= Math.max(anchor + 6, Math.min(bodyFrom, anchor + 10));
    if (value) {
      out.push({
        kind: kindOfLine(view.blockFeatures[i - 1], features),
        sure: near,
        found: { value, from: marked ? 'html' : 'heuristic', detail: marked ? 'time' : 'line near the headline' },
      });
      continue;
    }
    const ago = near ? relativeLine(text, context) : null;
    if (ago)
      out.push({ kind: 'relative', sure: false, found: { value: ago, from: 'heuristic', detail: 'relative to now' } });
  }
  return out;
}

/** "Published 1 May, updated 3 May": the line gives its first date, and that is the published one. */
function kindOfLine(before: BlockFeatures | undefined, { block }: BlockFeatures): Shown['kind'] {
  if (isPublished(block.text)) return 'published';
  const label = before && before.chars < 30 ? before.block.text : '';
  const words = `${label} ${block.text} ${block.node.attrs.class ?? ''}`;
  return isUpdated(words) ? 'updated' : isPublished(words) ? 'published' : 'plain';
}

/** Of a line with both words, the date behind the one for publishing. */
function publishedPart(context: PageContext, text: string): string | null {
  const at = publishedAt(text);
  return at < 0 ? null : parse(text.slice(at), context);
}

function timeElement(context: PageContext, features: BlockFeatures): { value: string } | null {
  const { nodes } = context.view.page;
  for (let i = features.block.from; i < features.block.to; i++) {
    let node = nodes[i]!;
    for (let level = 0; level < 3 && node.tag !== 'time' && node.parent; level++) node = node.parent;
    if (node.tag !== 'time') continue;
    const value = parse(node.attrs.datetime, context) ?? parse(features.block.text, context);
    if (value) return { value };
  }
  return null;
}

/** A date in a line that is hardly more than a date: bylines, datelines, not sentences that mention a day. */
function lineDate(context: PageContext, features: BlockFeatures): string | null {
  if (features.endsSentence && features.words > 12) return null;
  if (features.words > 22 || (/^h[1-6]$/.test(features.block.node.tag) && features.words > 4)) return null;
  const text = features.block.text.replace(/^[^\d\p{L}]+/u, '');
  return parse(text, context) ?? shortDate(text, context);
}

/** "3 December 2025. Updated: 7 December 2025": what stands before the word, when that is a date. */
function beforeUpdate(context: PageContext, text: string): string | null {
  const at = updatedAt(text);
  return at > 5 ? parse(text.slice(0, at), context) : null;
}

const DATE_DRESS = bitOf('date');

/** Anywhere on the page, but styled as a date and outside of other articles: some themes put it below the body. */
function styledDate(context: PageContext): FieldValue | null {
  const { view } = context;
  for (const features of view.blockFeatures) {
    const { index, attrs } = features.block.node;
    if (features.isMenu || features.chars > 60 || (view.m.strong[index]! & ELSEWHERE) !== 0) continue;
    const isDressed = (view.m.strong[index]! & DATE_DRESS) !== 0;
    const value = (isDressed ? lineDate(context, features) : null) ?? timeElement(context, features)?.value;
    const before = beforeUpdate(context, features.block.text);
    if (before) return { value: before, from: 'html', detail: 'before an update' };
    if (value && !isUpdated(features.block.text))
      return { value, from: 'html', detail: isDressed ? `class ${attrs.class ?? ''}` : 'time' };
  }
  return null;
}

const BARE_WORDS = 7;

/** A line that is only a date, or says that something was published then: the first one up to the end of the body, else the first after it. */
function lineAnywhere(context: PageContext): FieldValue | null {
  const { view, bodyTo } = context;
  let after: FieldValue | null = null;
  for (const features of view.blockFeatures) {
    if (features.isMenu || features.chars > MAX_LINE_CHARS || !/\d/.test(features.block.text)) continue;
    const kind = kindOfLine(view.blockFeatures[features.at - 1], features);
    const strong = view.m.strong[features.block.node.index]!;
    // A column beside the text may say when it was published, in so many words.
    if ((strong & (kind === 'published' ? OTHER_TEXTS : ELSEWHERE)) !== 0 || kind === 'updated') continue;
    if (features.words > BARE_WORDS && kind !== 'published') continue;
    const value = lineDate(context, features);
    if (!value) continue;
    const found: FieldValue = { value, from: 'heuristic', detail: 'line' };
    if (features.at <= bodyTo) return found;
    after ??= kind === 'published' ? found : null;
  }
  return after;
}

/** "Last updated: 13 November 2025" at the end of a page that says no other date. */
function updatedAnywhere(context: PageContext): FieldValue | null {
  const { view } = context;
  for (const features of view.blockFeatures) {
    if (features.isMenu || features.chars > MAX_LINE_CHARS || !/\d/.test(features.block.text)) continue;
    if ((view.m.strong[features.block.node.index]! & OTHER_TEXTS) !== 0) continue;
    if (kindOfLine(view.blockFeatures[features.at - 1], features) !== 'updated') continue;
    const value = lineDate(context, features);
    if (value) return { value, from: 'heuristic', detail: 'line of an update' };
  }
  return null;
}

function urlDate(context: PageContext): FieldValue | null {
  const m = /\/((?:19|20)\d\d)[/_-]?(\d\d)[/_-]?(\d\d)(?=[/_-]|\b)/.exec(context.url ?? '');
  const value = m ? parse(`${m[1]}-${m[2]}-${m[3]}`, context) : null;
  return value ? { value, from: 'url', detail: 'path' } : null;
}

const IN_SCRIPT =
  /"(?:datePublished|publishedAt|published_at|publishedDate|publishDate|published_date|publicationDate|postedAt|firstPublished(?:At|Date)?|pubDate|date_published|post_date)(?:\\)?"\s?:\s?(?:\\)?"(\d{4}-\d\d-\d\d[^"\\]{0,20})/i;
const MAX_SCRIPT_CHARS = 3_000_000;

/** In the data a page has for its own scripts. */
function scriptDate(context: PageContext): FieldValue | null {
  const m = IN_SCRIPT.exec(context.html.slice(0, MAX_SCRIPT_CHARS));
  const value = m ? parse(m[1], context) : null;
  return value ? { value, from: 'html', detail: 'data of a script' } : null;
}

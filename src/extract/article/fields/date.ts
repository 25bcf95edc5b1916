// When it was published and when it was changed.
// What a reader would get wrong: what a reader sees beside the headline beats what is stated for machines, because systems state
// when a record was made and pages show when the article was. A shown date that says "updated" is not the first of the two, unless
// nothing else is known.
import { parseDate } from '../../dates.ts';
import { firstString } from '../../html/structured.ts';
import { bitOf, meaningBits } from '../page/lexicon.ts';
import type { BlockFeatures } from '../page/view.ts';
import { type FieldReader, type FieldValue, firstOf, metaOrigin, type PageContext } from './found.ts';

// Comments, and teasers of other articles, have dates of their own.
const ELSEWHERE = meaningBits('comment', 'related', 'nav', 'aside');

const parse = (text: string | null | undefined, { now, language }: PageContext): string | null =>
  text ? parseDate(text, { now, language }) : null;

const UPDATED =
  /updat|modif|revis|reviewed|edited|aktualis|geändert|mis à jour|actualiz|atualiz|aggiorna|обновлен|bijgewerkt/i;
const PUBLISHED = /publish|posted|created|veröffentlicht|publié|publicad|pubblicat|опубликован|geplaatst/i;

export function published(context: PageContext, shown: Shown[]): FieldValue | null {
  const seen = shown.find((date) => date.kind === 'published') ?? shown.find((date) => date.kind === 'plain');
  if (seen?.sure) return seen.found;
  return (
    firstOf(context, PUBLISHED_PLACES) ??
    seen?.found ??
    styledDate(context) ??
    shown[0]?.found ??
    urlDate(context) ??
    firstOf(context, MODIFIED_PLACES)
  );
}

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
  ),
  itemPlace('datePublished'),
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
  ),
  itemPlace('dateModified'),
];

export interface Shown {
  kind: 'published' | 'updated' | 'plain';
  found: FieldValue;
  /** Marked as a time, or right beside the headline. */
  sure: boolean;
}

const REACH_BEFORE = 5;
const REACH_AFTER = 8;
const MAX_LINE_CHARS = 140;

/** Dates a reader sees around the headline and the start of the body. */
export function shownDates(context: PageContext): Shown[] {
  const { view, bodyFrom } = context;
  const anchor = view.titleAt >= 0 ? view.titleAt : Math.max(0, bodyFrom);
  const start = Math.max(0, anchor - REACH_BEFORE);
  const end = Math.min(view.blockFeatures.length, Math.max(anchor, Math.min(bodyFrom, anchor + 12)) + REACH_AFTER);
  const out: Shown[] = [];
  for (let i = start; i < end; i++) {
    const features = view.blockFeatures[i]!;
    if (features.chars > MAX_LINE_CHARS || (features.isMenu && features.linkShare > 0.9)) continue;
    const both = UPDATED.test(features.block.text) && PUBLISHED.exec(features.block.text);
    const marked = both ? null : timeElement(context, features);
    const value =
      (both && parse(features.block.text.slice(both.index), context)) || (marked?.value ?? lineDate(context, features));
    if (!value) continue;
    const words = `${view.blockFeatures[i - 1] && view.blockFeatures[i - 1]!.chars < 30 ? view.blockFeatures[i - 1]!.block.text : ''} ${features.block.text} ${features.block.node.attrs.class ?? ''}`;
    // "Published 1 May, updated 3 May": the line gives its first date, and that is the published one.
    const kind = PUBLISHED.test(features.block.text)
      ? 'published'
      : UPDATED.test(words)
        ? 'updated'
        : PUBLISHED.test(words)
          ? 'published'
          : 'plain';
    const near = view.titleAt >= 0 && i > anchor && i <= Math.max(anchor + 6, Math.min(bodyFrom, anchor + 10));
    out.push({
      kind,
      sure: near,
      found: { value, from: marked ? 'html' : 'heuristic', detail: marked ? 'time' : 'line near the headline' },
    });
  }
  return out;
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
  return parse(features.block.text.replace(/^[^\d\p{L}]+/u, ''), context);
}

/** "3 December 2025. Updated: 7 December 2025": what stands before the word, when that is a date. */
function beforeUpdate(context: PageContext, text: string): string | null {
  const update = UPDATED.exec(text);
  return update && update.index > 5 ? parse(text.slice(0, update.index), context) : null;
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
    if (value && !UPDATED.test(features.block.text))
      return { value, from: 'html', detail: isDressed ? `class ${attrs.class ?? ''}` : 'time' };
  }
  return null;
}

function urlDate(context: PageContext): FieldValue | null {
  const m = /\/((?:19|20)\d\d)[/-]?(\d\d)[/-]?(\d\d)(?=[/-]|\b)/.exec(context.url ?? '');
  const value = m ? parse(`${m[1]}-${m[2]}-${m[3]}`, context) : null;
  return value ? { value, from: 'url', detail: 'path' } : null;
}

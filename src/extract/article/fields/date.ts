// When it was published and when it was changed.
// What a reader would get wrong: what a reader sees beside the headline beats what is stated for machines, because systems state
// when a record was made and pages show when the article was. A shown date that says "updated" is not the first of the two, unless
// nothing else is known.
import { parseDate } from '../../dates.ts';
import { firstString } from '../../html/structured.ts';
import { bitOf, meaningBits } from '../page/lexicon.ts';
import type { BlockFeatures } from '../page/view.ts';
import { type Found, firstOf, metaOrigin, type PageContext, type Place } from './found.ts';

// Comments, and teasers of other articles, have dates of their own.
const ELSEWHERE = meaningBits('comment', 'related', 'nav', 'aside');

const parse = (text: string | null | undefined, { now, language }: PageContext): string | null =>
  text ? parseDate(text, { now, language }) : null;

const UPDATED =
  /updat|modif|revis|reviewed|edited|aktualis|geändert|mis à jour|actualiz|atualiz|aggiorna|обновлен|bijgewerkt/i;
const PUBLISHED = /publish|posted|created|veröffentlicht|publié|publicad|pubblicat|опубликован|geplaatst/i;

export function published(sight: PageContext, shown: Shown[]): Found | null {
  const seen = shown.find((date) => date.kind === 'published') ?? shown.find((date) => date.kind === 'plain');
  if (seen?.sure) return seen.found;
  return (
    firstOf(sight, PUBLISHED_PLACES) ??
    seen?.found ??
    dressedDate(sight) ??
    shown[0]?.found ??
    urlDate(sight) ??
    firstOf(sight, MODIFIED_PLACES)
  );
}

export function modified(sight: PageContext, shown: Shown[]): Found | null {
  return firstOf(sight, MODIFIED_PLACES) ?? shown.find((date) => date.kind === 'updated')?.found ?? null;
}

const ldPlace =
  (...keys: string[]): Place =>
  (sight) => {
    for (const key of keys) {
      const value = parse(firstString(sight.facts.article?.[key]), sight);
      if (value) return { value, from: 'json-ld', detail: key };
    }
    return null;
  };

const metaPlace =
  (...names: string[]): Place =>
  (sight) => {
    for (const name of names) {
      const value = parse(sight.facts.meta(name)?.value, sight);
      if (value) return { value, from: metaOrigin(name), detail: name };
    }
    return null;
  };

const itemPlace =
  (property: string): Place =>
  (sight) => {
    const { nodes, properties } = sight.view.page;
    for (const node of properties) {
      if (!node.attrs.itemprop?.split(/\s+/).includes(property)) continue;
      const value = parse(node.attrs.content ?? node.attrs.datetime ?? nodes[node.index + 1]?.text, sight);
      if (value) return { value, from: 'microdata', detail: property };
    }
    return null;
  };

const PUBLISHED_PLACES: Place[] = [
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

const MODIFIED_PLACES: Place[] = [
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
  found: Found;
  /** Marked as a time, or right beside the headline. */
  sure: boolean;
}

const REACH_BEFORE = 5;
const REACH_AFTER = 8;
const MAX_LINE_CHARS = 140;

/** Dates a reader sees around the headline and the start of the body. */
export function shownDates(sight: PageContext): Shown[] {
  const { view, bodyFrom } = sight;
  const anchor = view.titleAt >= 0 ? view.titleAt : Math.max(0, bodyFrom);
  const start = Math.max(0, anchor - REACH_BEFORE);
  const end = Math.min(view.spots.length, Math.max(anchor, Math.min(bodyFrom, anchor + 12)) + REACH_AFTER);
  const out: Shown[] = [];
  for (let i = start; i < end; i++) {
    const spot = view.spots[i]!;
    if (spot.chars > MAX_LINE_CHARS || (spot.isMenu && spot.linkShare > 0.9)) continue;
    const both = UPDATED.test(spot.block.text) && PUBLISHED.exec(spot.block.text);
    const marked = both ? null : timeElement(sight, spot);
    const value = (both && parse(spot.block.text.slice(both.index), sight)) || (marked?.value ?? lineDate(sight, spot));
    if (!value) continue;
    const words = `${view.spots[i - 1] && view.spots[i - 1]!.chars < 30 ? view.spots[i - 1]!.block.text : ''} ${spot.block.text} ${spot.block.node.attrs.class ?? ''}`;
    // "Published 1 May, updated 3 May": the line gives its first date, and that is the published one.
    const kind = PUBLISHED.test(spot.block.text)
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

function timeElement(sight: PageContext, spot: BlockFeatures): { value: string } | null {
  const { nodes } = sight.view.page;
  for (let i = spot.block.from; i < spot.block.to; i++) {
    let node = nodes[i]!;
    for (let level = 0; level < 3 && node.tag !== 'time' && node.parent; level++) node = node.parent;
    if (node.tag !== 'time') continue;
    const value = parse(node.attrs.datetime, sight) ?? parse(spot.block.text, sight);
    if (value) return { value };
  }
  return null;
}

/** A date in a line that is hardly more than a date: bylines, datelines, not sentences that mention a day. */
function lineDate(sight: PageContext, spot: BlockFeatures): string | null {
  if (spot.endsSentence && spot.words > 12) return null;
  if (spot.words > 22 || (/^h[1-6]$/.test(spot.block.node.tag) && spot.words > 4)) return null;
  return parse(spot.block.text.replace(/^[^\d\p{L}]+/u, ''), sight);
}

/** "3 December 2025. Updated: 7 December 2025": what stands before the word, when that is a date. */
function beforeUpdate(sight: PageContext, text: string): string | null {
  const update = UPDATED.exec(text);
  return update && update.index > 5 ? parse(text.slice(0, update.index), sight) : null;
}

const DATE_DRESS = bitOf('date');

/** Anywhere on the page, but dressed as a date and outside of other articles: some themes put it under the body. */
function dressedDate(sight: PageContext): Found | null {
  const { view } = sight;
  for (const spot of view.spots) {
    const { index, attrs } = spot.block.node;
    if (spot.isMenu || spot.chars > 60 || (view.m.strong[index]! & ELSEWHERE) !== 0) continue;
    const isDressed = (view.m.strong[index]! & DATE_DRESS) !== 0;
    const value = (isDressed ? lineDate(sight, spot) : null) ?? timeElement(sight, spot)?.value;
    const before = beforeUpdate(sight, spot.block.text);
    if (before) return { value: before, from: 'html', detail: 'before an update' };
    if (value && !UPDATED.test(spot.block.text))
      return { value, from: 'html', detail: isDressed ? `class ${attrs.class ?? ''}` : 'time' };
  }
  return null;
}

function urlDate(sight: PageContext): Found | null {
  const m = /\/((?:19|20)\d\d)[/-]?(\d\d)[/-]?(\d\d)(?=[/-]|\b)/.exec(sight.url ?? '');
  const value = m ? parse(`${m[1]}-${m[2]}-${m[3]}`, sight) : null;
  return value ? { value, from: 'url', detail: 'path' } : null;
}

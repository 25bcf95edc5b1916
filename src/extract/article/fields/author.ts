// Who wrote it: stated for machines, else marked up as author or byline near the headline, else a line that begins with "by".
// What a reader would get wrong: the markup of author boxes also holds job titles, dates and links to all their posts, so every
// candidate is cut down to what can be a name, and refused when nothing is left.
import { getDomain } from 'tldts';
import { parseDate } from '../../dates.ts';
import { withoutEntities } from '../../html/entities.ts';
import { firstString, type JsonLdNode } from '../../html/structured.ts';
import { stripEnd } from '../../strip.ts';
import { meaningBits } from '../page/lexicon.ts';
import type { TreeNode } from '../page/tree.ts';
import { foldText } from '../page/words.ts';
import { type FieldReader, type FieldValue, firstOf, metaOrigin, type PageContext } from './found.ts';
import { looksLikePerson } from './person.ts';
import { namesSite } from './site.ts';

const MAX_NAME_CHARS = 100;

export const author = (context: PageContext): FieldValue | null => firstOf(context, places);

const places: FieldReader[] = [
  // What a reader sees beside the headline before what the owner of the system is called.
  (context) => byLine(context, looksLikePerson, 'headline'),
  (context) => stated(context, (name) => !namesSite(name, context)),
  (context) => metaAuthor(context, (name) => !namesSite(name, context)),
  (context) => marked(context, (name) => !namesSite(name, context)),
  (context) => byLine(context, () => true, 'page'),
  (context) => labelledBelow(context),
  (context) => besideDate(context),
  // Only now the site as its own author: someone is better than no one, a person better than a firm.
  (context) => stated(context, () => true),
  (context) => metaAuthor(context, () => true),
  (context) => marked(context, () => true),
];

function stated({ facts }: PageContext, accept: (name: string) => boolean): FieldValue | null {
  const list = [facts.article?.author ?? facts.article?.creator].flat().slice(0, 12);
  const names = list
    .map((one) => cleanName(resolveName(one, facts.ld) ?? ''))
    .filter((name) => name !== '' && accept(name));
  return names.length > 0 ? { value: [...new Set(names)].join(', '), from: 'json-ld', detail: 'author' } : null;
}

/** An author may be a name, an object with one, or a reference to an object elsewhere. */
function resolveName(value: unknown, ld: JsonLdNode[]): string | null {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return null;
  const node = value as JsonLdNode;
  if (typeof node.name === 'string') return node.name;
  const id = node['@id'];
  const target = typeof id === 'string' ? ld.find((other) => other['@id'] === id && other.name) : undefined;
  return target ? firstString(target.name) : firstString(node.name);
}

const META = [
  'author',
  'parsely-author',
  'sailthru.author',
  'dc.creator',
  'dcterms.creator',
  'article:author',
  'byl',
  'citation_author',
  'og:article:author',
  'article.author',
  'shareaholic:article_author_name',
  'cxenseparse:author',
  'twitter:data1',
];

function metaAuthor({ facts }: PageContext, accept: (name: string) => boolean): FieldValue | null {
  for (const name of META) {
    if (name === 'twitter:data1' && !/written|author|by/i.test(facts.meta('twitter:label1')?.value ?? '')) continue;
    const values = facts.metas(name);
    const names = (name === 'citation_author' ? values.map(lastNameLast) : values.slice(0, 1))
      .map(cleanName)
      .filter((n) => n !== '' && accept(n));
    if (names.length > 0) return { value: [...new Set(names)].join(', '), from: metaOrigin(name), detail: name };
  }
  return null;
}

const lastNameLast = (name: string): string =>
  name
    .slice(0, MAX_RAW_CHARS)
    .replace(/^([^,]+),([^,]+)$/, (_, last: string, first: string) => `${first.trimStart()} ${last}`);

const AUTHOR_CLASS =
  /(?:^|[^a-z])(?:author|byline|by-line|writer|contributor|reporter|posted-?by|written-?by)s?(?![\w-]*(?:date|time|image|img|avatar|photo|bio|desc|title|social|link-list))/i;

// Every match of the pattern above has one of these: few classes do, and checking it is cheap.
const MAY_BE_AUTHOR = /author|by-?line|writer|contributor|reporter|(?:posted|written)-?by/i;

const AUTHOR_PATH = /\/(?:authors?|writers?|contributors?|people|by|staff|reporters?)\/[^/?#]+\/?$/i;
// Authors of comments and of other articles.
const ELSEWHERE = meaningBits('comment', 'related');

function isSameSite(href: string, url: string | null): boolean {
  return !/^(?:https?:)?\/\//i.test(href) || (url !== null && getDomain(href) === getDomain(url));
}

/** Elements marked as author: microdata, rel=author, class names; the nearest to the headline wins, names before wrappers. */
function marked(context: PageContext, accept: (name: string) => boolean): FieldValue | null {
  const { nodes } = context.view.page;
  const titleNode = context.view.titleAt >= 0 ? context.view.blockFeatures[context.view.titleAt]!.block.node.index : 0;
  const bodyEnd = context.bodyTo >= 0 ? context.view.blockFeatures[context.bodyTo]!.block.to : nodes.length;
  let best: FieldValue | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    if (node.tag === '#text' || node.tag === 'body' || node.end - node.index > 60) continue;
    if ((context.view.m.strong[node.index]! & ELSEWHERE) !== 0) continue;
    const sign = signOf(node, context.url);
    if (!sign) continue;
    const name = nameIn(nodes, node);
    if (name === '' || !accept(name) || foldText(name) === context.view.stated.title) continue;
    const after = node.index > bodyEnd ? 2_000 : 0;
    const rank = sign.rank + Math.abs(node.index - titleNode) / 20 + after + (node.index < titleNode ? 60 : 0);
    if (rank < bestRank) {
      best = { value: name, from: sign.from, detail: sign.detail };
      bestRank = rank;
    }
  }
  return best;
}

function signOf(node: TreeNode, url: string | null): { from: FieldValue['from']; detail: string; rank: number } | null {
  const { attrs } = node;
  if (attrs.itemprop && /\bauthor\b/i.test(attrs.itemprop))
    return { from: 'microdata', detail: 'itemprop=author', rank: 0 };
  if (attrs.rel && /\bauthor\b/i.test(attrs.rel)) return { from: 'html', detail: 'rel=author', rank: 10 };
  if (node.tag === 'a' && AUTHOR_PATH.test(attrs.href ?? '') && isSameSite(attrs.href!, url))
    return { from: 'html', detail: 'link to an author', rank: 30 };
  if (!(attrs.class && MAY_BE_AUTHOR.test(attrs.class)) && !(attrs.id && MAY_BE_AUTHOR.test(attrs.id))) return null;
  const names = `${attrs.class ?? ''} ${attrs.id ?? ''}`;
  if (names.length > 1 && names.length < 300 && AUTHOR_CLASS.test(names.replace(/([a-z])([A-Z])/g, '$1-$2')))
    return { from: 'html', detail: `class ${attrs.class ?? attrs.id}`, rank: /name/i.test(names) ? 12 : 20 };
  return null;
}

function nameIn(nodes: TreeNode[], top: TreeNode): string {
  // A name marked inside is better than all the text of the box; texts of other elements are other things.
  const parts: string[] = [];
  for (let i = top.index + 1; i < top.end; i++) {
    const node = nodes[i]!;
    if (node.tag === '#text') {
      const text = node.text.replace(/\s+/g, ' ').trim();
      if (text !== '') parts.push(text);
    } else if (/\bname\b/i.test(node.attrs.itemprop ?? '')) {
      const name = cleanName(node.attrs.content ?? textBelow(nodes, node));
      if (name !== '') return name;
    } else if (node.tag === 'time') i = node.end - 1;
  }
  while (
    parts.length > 1 &&
    /^(?:by|written by|posted by|author|words|text|story|reviewed by|von|par|por|di)\W*$/i.test(parts[0]!)
  )
    parts.shift();
  while (parts.length > 1 && ROLE.test(parts[parts.length - 1]!)) parts.pop();
  const joined = cleanName(parts.join(' '));
  if (parts.length <= 2 && joined !== '') return joined;
  return cleanName(parts[0] ?? '');
}

const ROLE =
  /^(?:[\p{L} -]{0,30}\s)?(?:writer|author|editor|reporter|contributor|correspondent|columnist|founder|ceo|manager|director|staff|specialist|journalist)s?$/iu;

function textBelow(nodes: TreeNode[], top: TreeNode): string {
  let text = '';
  for (let i = top.index + 1; i < top.end; i++) text += nodes[i]!.text;
  return text;
}

const BY_LINE =
  /^(?:(?:(?:words|text|story|article|post|review|recipe|written|posted|published|reported|created|authored|medically reviewed|reviewed)\s{1,9})?by|(?:(?:ein (?:gast)?(?:beitrag|artikel)|geschrieben|text|verfasst)\s)?von|(?:écrit |publié |rédigé )?par|(?:escrito |publicado )?por|(?:a cura )?di|door|av|af)[:\s]\s{0,9}(\S.{2,99})$/i;

/** A short line that begins with "by" near the headline or where the body ends; "written by" anywhere. */
function byLine(
  context: PageContext,
  accept: (name: string) => boolean,
  within: 'headline' | 'page',
): FieldValue | null {
  const { view, bodyTo } = context;
  const { from, to } = nearHeadline(context);
  const lines = view.blockFeatures.slice(from, to);
  if (within === 'page') {
    if (bodyTo >= 0) lines.push(...view.blockFeatures.slice(bodyTo, bodyTo + 4));
    lines.push(...view.blockFeatures.filter((features) => !features.isMenu && WRITTEN_BY.test(features.block.text)));
  }
  for (const features of lines) {
    if (features.words > 24 || (view.m.strong[features.block.node.index]! & ELSEWHERE) !== 0) continue;
    if (within === 'headline' && REVIEWED.test(features.block.text)) continue;
    const line = (BY_LINE.exec(features.block.text) ?? WRITTEN_BY.exec(features.block.text))?.[1];
    const name = line ? cleanName(line) : '';
    if (
      name !== '' &&
      /^\p{Lu}/u.test(name) &&
      name.split(' ').length <= 8 &&
      accept(name) &&
      !namesSite(name, context)
    )
      return { value: name, from: 'heuristic', detail: 'by-line' };
  }
  return null;
}

function nearHeadline({ view, bodyFrom }: PageContext): { from: number; to: number } {
  const body = Math.max(0, bodyFrom);
  return {
    from: Math.max(0, (view.titleAt >= 0 ? Math.min(view.titleAt, body) : body) - 6),
    to: Math.min(view.blockFeatures.length, Math.max(bodyFrom, view.titleAt, 0) + 6),
  };
}

const REVIEWED = /review|fact.?check|edited/i;

const LABEL_ALONE =
  /^(?:(?:written|posted|published|authored|created) by|by|authors?|words|text|von|autor(?:in|en)?|verfasser(?:in)?|par|auteur|por|di|autore)\s?:?$/i;

/** A label that is a line of its own, and the name in the line below. */
function labelledBelow(context: PageContext): FieldValue | null {
  const { view } = context;
  for (const features of view.blockFeatures) {
    if (features.chars > 20 || !LABEL_ALONE.test(features.block.text)) continue;
    const below = view.blockFeatures[features.at + 1];
    const name = below && below.chars < MAX_NAME_CHARS ? cleanName(below.block.text) : '';
    if (looksLikePerson(name) && !namesSite(name, context))
      return { value: name, from: 'heuristic', detail: 'by-line' };
  }
  return null;
}

/** Near the headline, the line before or after one that is a date, or the rest of that line: "19 December 2025 · Ada Example". */
function besideDate(context: PageContext): FieldValue | null {
  const { view, now, language } = context;
  const { from, to } = nearHeadline(context);
  for (let i = from; i < to; i++) {
    const { block, chars, isMenu } = view.blockFeatures[i]!;
    if (isMenu || chars > 80 || !/\d/.test(block.text) || !parseDate(block.text, { now, language, relative: false }))
      continue;
    const beside = [view.blockFeatures[i - 1], view.blockFeatures[i + 1]].map((one) =>
      one === undefined || /^h\d$/.test(one.block.node.tag) ? '' : one.block.text,
    );
    for (const text of [...block.text.split(/[·•|–—\n]|\s-\s/), ...beside]) {
      const name = text.length < MAX_NAME_CHARS ? text.trim() : '';
      if (name.split(' ').length > 3 || name.includes('&')) continue;
      if (looksLikePerson(name) && !namesSite(name, context) && foldText(name) !== view.stated.title)
        return { value: name, from: 'heuristic', detail: 'beside the date' };
    }
  }
  return null;
}

const WRITTEN_BY =
  /^(?:(?:words|text|story|article|written|posted) by|authors?:|contributors?:|written by:)\s{1,9}(\S.{2,79})$/i;
const LABEL =
  /^(?:(?:words|text|story|article|post|written|posted|published|reported|created|authored|reviewed|medically reviewed|contributed|edited|recipe)\s)?(?:by|von|par|por)\s?:?\s|^(?:authors?|autor(?:in|en)?|auteur|autore|verfasser(?:in)?|writer|written|text)\s?:\s?/i;
const TAIL =
  /(?:[|•·—–\n]|\s-\s|\bon\s(?=\p{Lu}|\d)|\bupdated\b|\bpublished\b|\bposted\b|\blast\b|\bread more\b|\bfollow\b|\bmin read\b|\d{1,2}[./:-]\d|\b\d{1,2}(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?\p{L}{3,12}\.?,?\s(?:de\s)?\d{4}\b|\b\d{4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,9}\.?\s\d)/iu;
const NO_NAME =
  /^(?:admin|administrator|author|authors|editor|guest|staff|unknown|n\/?a|none|null|undefined|by|share|follow|about|anonymous|home|contributor|.*\bspotlight|about the author|view all.*|more from.*|read more.*|all posts.*|see all.*|sign in|log ?in|register|subscribe|menu|written by|posted by|published|staff writers?|guest (?:author|post)|view (?:more )?posts|people|guide|profile|website|webmaster|root|super ?user|default|test|news|blog|redaktion|mon|tue|wed|thu|fri|sat|sun|fact checked by.*)$/i;

const WITH_ROLE =
  /,\s(?:[\p{L}'-]{1,30}\s){0,4}(?:attorney|editor|writer|reporter|correspondent|contributor|columnist|specialist|staff)\b/iu;
const ROLE_WORDS = new Set(
  'senior junior chief head lead content marketing managing associate assistant contributing executive staff freelance product software principal editor writer author reporter journalist correspondent founder co-founder ceo cto director manager specialist consultant redakteur redakteurin autor autorin korrespondent korrespondentin chefredakteur chefredakteurin volontär volontärin journaliste rédacteur rédactrice periodista redactor redactora'.split(
    ' ',
  ),
);

/** "Ada Example Marketing Coordinator": the words before the first of a role, when they are two or three that begin like a name. */
function withoutRole(name: string): string {
  const words = name.split(' ');
  const at = words.findIndex((word, i) => i >= 2 && ROLE_WORDS.has(word.toLowerCase()));
  return at === 2 || at === 3 ? words.slice(0, at).join(' ') : name;
}

/** "says", a link or a number behind a name. */
function withoutLastWord(name: string): string {
  const at = name.lastIndexOf(' ');
  const last = name.slice(at + 1);
  return at > 0 && (last === 'says' || /^(?:https?:|\d{1,4}$)/.test(last)) ? name.slice(0, at) : name;
}

const LAST_BRACKET = /\([^()]{0,300}\)?$/;
/** A name with all that pages put around it. */
const MAX_RAW_CHARS = 1_000;

function upTo(text: string, end: RegExp): string {
  const at = text.search(end);
  return at < 0 ? text : text.slice(0, at).trimEnd();
}

function isEmail(word: string): boolean {
  const at = word.indexOf('@');
  const dot = word.lastIndexOf('.');
  return at > 0 && dot > at + 1 && dot < word.length - 1;
}

/** Cut down to what can be a name, or empty. */
export function cleanName(raw: string): string {
  let name = withoutEntities(raw.slice(0, MAX_RAW_CHARS))
    .replace(/<[^<>]{0,200}>/g, ' ')
    .replace(/[\u00ad\u200b]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  name = stripEnd(upTo(upTo(name.replace(LABEL, ''), TAIL), LAST_BRACKET), ' ,;:');
  name = withoutLastWord(withoutRole(upTo(name, WITH_ROLE)));
  name = name
    .split(' ')
    .filter((word) => !isEmail(word))
    .join(' ')
    .replace(/ ([,;])/g, '$1')
    .trim();
  // A path of a template, not a name.
  if (/^[\w-]+\.[\w-]+\.[\w.-]+$/.test(name)) return '';
  if (/^[\d,.]+\s+(?:min|minutes?|read|views?|comments?|posts?|articles?|shares?)\b/i.test(name)) return '';
  if (name.length < 2 || name.length > MAX_NAME_CHARS || !/\p{L}{2}/u.test(name)) return '';
  if (
    /^(?:https?:|www\.|@)|[<>{}[\]=]/i.test(name) ||
    NO_NAME.test(name) ||
    (/[.!?]$/.test(name) && /[.!?] \p{Lu}/u.test(name))
  )
    return '';
  return name.split(' ').length > 14 ? '' : name;
}

// Who wrote it: stated for machines, else marked up as author or byline near the headline, else a line that begins with "by".
// What a reader would get wrong: the markup of author boxes also holds job titles, dates and links to all their posts, so every
// candidate is cut down to what can be a name, and refused when nothing is left.
import { getDomain } from 'tldts';
import { parseDate } from '../../dates.ts';
import { firstString, type JsonLdNode } from '../../html/structured.ts';
import type { Block } from '../page/blocks.ts';
import { meaningBits } from '../page/lexicon.ts';
import type { TreeNode } from '../page/tree.ts';
import { foldText } from '../page/words.ts';
import { cleanName, MAX_NAME_CHARS, personsIn } from './author-name.ts';
import { type FieldReader, type FieldValue, firstOf, metaOrigin, type PageContext } from './found.ts';
import { looksLikePerson } from './person.ts';
import { namesSite } from './site.ts';

export function author(context: PageContext): FieldValue | null {
  const found = firstOf(context, places);
  return found && (withCoAuthors(found, context) ?? found);
}

type Accept = (name: string, context: PageContext) => boolean;
const arePersons: Accept = (name, context) => personsIn(name).length > 0 && !namesSite(name, context);
const isNotSite: Accept = (name, context) => !namesSite(name, context) || TEAM.test(name);
const anyone: Accept = () => true;

/** "The Example Team" signs, though it has the name of the site. */
const TEAM = /\b(?:team|staff|editors)$/i;

const places: FieldReader[] = [
  // What a reader sees beside the headline before what the owner of the system is called.
  (context) => byLine(context, arePersons, 'headline'),
  (context) => stated(context, isNotSite),
  (context) => metaAuthor(context, isNotSite),
  (context) => marked(context, isNotSite),
  (context) => byLine(context, isNotSite, 'page'),
  (context) => labelledBelow(context),
  (context) => besideDate(context),
  // Only now the site as its own author: someone is better than no one, a person better than a firm.
  (context) => stated(context, anyone),
  (context) => metaAuthor(context, anyone),
  (context) => marked(context, anyone),
  (context) => byLine(context, anyone, 'headline'),
];

const MAX_BY_LINE_CHARS = 300;

/** A line beside the headline that names the author found and others too: systems often state only the first of several. */
function withCoAuthors(found: FieldValue, context: PageContext): FieldValue | null {
  const { from, to } = nearHeadline(context);
  const known = foldText(found.value);
  for (const { block, chars } of context.view.blockFeatures.slice(from, to)) {
    if (chars > MAX_BY_LINE_CHARS || chars <= found.value.length || !block.text.includes(found.value)) continue;
    const persons = personsIn(cleanName(block.text));
    if (persons.length > 1 && persons.some((person) => foldText(person) === known))
      return { value: persons.join(', '), from: 'heuristic', detail: 'by-line' };
  }
  return null;
}

function stated(context: PageContext, accept: Accept): FieldValue | null {
  const { facts } = context;
  const list = [facts.article?.author ?? facts.article?.creator].flat().slice(0, 12);
  const names = list
    .map((one) => cleanName(resolveName(one, facts.ld) ?? ''))
    .filter((name) => name !== '' && accept(name, context));
  return names.length > 0
    ? { value: withoutPublisher([...new Set(names)].join(', '), context), from: 'json-ld', detail: 'author' }
    : null;
}

/** "Ada Example, The Daily Sample": the paper behind its authors. */
function withoutPublisher(names: string, context: PageContext): string {
  const at = names.lastIndexOf(', ');
  return at > 0 && namesSite(names.slice(at + 2), context) && personsIn(names.slice(0, at)).length > 0
    ? names.slice(0, at)
    : names;
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

function metaAuthor(context: PageContext, accept: Accept): FieldValue | null {
  const { facts } = context;
  for (const name of META) {
    if (name === 'twitter:data1' && !/written|author|by/i.test(facts.meta('twitter:label1')?.value ?? '')) continue;
    const values = facts.metas(name);
    const names = (ONE_EACH.has(name) ? values.slice(0, MAX_AUTHORS).map(lastNameLast) : values.slice(0, 1))
      .map(cleanName)
      .filter((n) => n !== '' && accept(n, context));
    if (names.length > 0) return { value: [...new Set(names)].join(', '), from: metaOrigin(name), detail: name };
  }
  return null;
}

/** Papers have a tag for each author. */
const ONE_EACH = new Set(['citation_author', 'dc.creator', 'dcterms.creator']);
const MAX_AUTHORS = 50;

const lastNameLast = (name: string): string =>
  name
    .slice(0, MAX_NAME_CHARS)
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
function marked(context: PageContext, accept: Accept): FieldValue | null {
  const { nodes } = context.view.page;
  const titleNode = context.titleAt >= 0 ? context.view.blockFeatures[context.titleAt]!.block.node.index : 0;
  const bodyEnd = context.bodyTo >= 0 ? context.view.blockFeatures[context.bodyTo]!.block.to : nodes.length;
  let best: FieldValue | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    if (node.tag === '#text' || node.tag === 'body' || node.end - node.index > 60) continue;
    if ((context.view.m.strong[node.index]! & ELSEWHERE) !== 0) continue;
    const sign = signOf(node, context.url);
    if (!sign) continue;
    const name = nameIn(nodes, node);
    if (name === '' || !accept(name, context) || foldText(name) === context.view.stated.title) continue;
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
  if (REVIEWER.test(parts[0] ?? '')) return '';
  while (parts.length > 1 && /^(?:by|written by|posted by|author|words|text|story|von|par|por|di)\W*$/i.test(parts[0]!))
    parts.shift();
  while (parts.length > 1 && ROLE.test(parts[parts.length - 1]!)) parts.pop();
  const joined = cleanName(parts.join(' '));
  if (parts.length <= 2 && joined !== '') return joined;
  return cleanName(parts[0] ?? '');
}

/** Who checked it did not write it. */
const REVIEWER =
  /^(?:(?:medically|expert|scientifically|legally|technically)\s)?(?:reviewed|fact.?checked|edited|illustrated|photograph(?:ed|s)?)\s?(?:by|:)/i;

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
function byLine(context: PageContext, accept: Accept, within: 'headline' | 'page'): FieldValue | null {
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
    if (name !== '' && /^\p{Lu}/u.test(name) && name.split(' ').length <= 8 && accept(name, context))
      return { value: name, from: 'heuristic', detail: 'by-line' };
  }
  return null;
}

function nearHeadline({ view, bodyFrom, titleAt }: PageContext): { from: number; to: number } {
  const body = Math.max(0, bodyFrom);
  return {
    from: Math.max(0, (titleAt >= 0 ? Math.min(titleAt, body) : body) - 6),
    to: Math.min(view.blockFeatures.length, Math.max(bodyFrom, titleAt, 0) + 6),
  };
}

const REVIEWED = /review|fact.?check|edited/i;

const LABEL_ALONE =
  /^(?:(?:written|posted|published|authored|created) by|by|authors?|words|text|von|autor(?:in|en)?|verfasser(?:in)?|par|auteur|por|di|autore|author\(s\))\s?:?$/i;

/** A label that is a line of its own, and the name in the line below. */
function labelledBelow(context: PageContext): FieldValue | null {
  const { view } = context;
  const { from, to } = nearHeadline(context);
  for (const features of view.blockFeatures) {
    if (features.chars > 20 || !LABEL_ALONE.test(features.block.text)) continue;
    const below = view.blockFeatures[features.at + 1];
    const name = below && below.chars < MAX_NAME_CHARS ? cleanName(below.block.text) : '';
    const isNear = features.at >= from && features.at < to && /^\p{Lu}/u.test(name) && name.split(' ').length <= 4;
    if (isNear || (looksLikePerson(name) && !namesSite(name, context)))
      return { value: name, from: 'heuristic', detail: 'by-line' };
  }
  return null;
}

/** "Ada Example in Gardening". */
function withoutSection(text: string): string {
  const at = text.indexOf(' in ');
  return at > 0 && /^\p{Lu}/u.test(text.slice(at + 4)) ? text.slice(0, at) : text;
}

/** The pieces of a line that stand in elements of their own. */
const textsOf = ({ from, to, text }: Block, nodes: TreeNode[]): string[] =>
  nodes
    .slice(from, to)
    .flatMap((node) =>
      node.tag === '#text' && text.length <= node.text.trim().length + DATE_CHARS ? [node.text] : [],
    );

/** "Wednesday, 19 November 2025" and little more. */
const DATE_CHARS = 30;

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
    for (const text of [...block.text.split(/[·•|–—\n]|\s-\s/), ...beside, ...textsOf(block, view.page.nodes)]) {
      const name = text.length < MAX_NAME_CHARS ? cleanName(withoutSection(text.trim())) : '';
      if (name.split(' ').length > 3 || name.includes('&')) continue;
      if (looksLikePerson(name) && !namesSite(name, context) && foldText(name) !== view.stated.title)
        return { value: name, from: 'heuristic', detail: 'beside the date' };
    }
  }
  return null;
}

const WRITTEN_BY =
  /^(?:(?:words|text|story|article|written|posted) by|authors?:|contributors?:|written by:)\s{1,9}(\S.{2,79})$/i;

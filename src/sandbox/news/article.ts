// The truth about every page: what a person would call its title, author, date and text. Layouts only add markup, so a test asks
// `articleAt(host, path)` what an extractor should have found. Captions, standfirst, byline and boilerplate are not part of `content`.
import { hash32, Random } from '../random.ts';
import { type Cast, makeCast, TOPICS, type TopicKey, Writer } from './prose.ts';
import { type Site, siteOf } from './site.ts';

export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'quote'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'image'; src: string; caption: string; credit: string };

export interface MadeArticle {
  /** As a site would write it in rel=canonical: https, no tracking parameters. */
  url: string;
  path: string;
  site: Site;
  title: string;
  standfirst: string;
  author: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  modifiedAt: string;
  language: string;
  section: string;
  image: string;
  tags: string[];
  blocks: Block[];
  /** The body as plain text, blocks apart by an empty line, list items by a line break. */
  readonly content: string;
}

/** Where an article stands in its site's catalogue, and what listings, feeds and related boxes say of it. */
export interface Headline {
  number: number;
  path: string;
  title: string;
  standfirst: string;
  author: string;
  topic: TopicKey;
  publishedAt: string;
}

const NEWEST_MS = Date.UTC(2026, 10, 14, 9, 30);
const HOUR_MS = 3_600_000;
const TEASER_BLOCKS = 3;
const TRACKING = /^(?:fault|ref|fbclid|gclid|utm_\w+)$/;

/** Drops what does not choose the page: `?fault=`, tracking parameters, order of parameters, a slash at the end. */
function canonicalPath(path: string): string {
  const mark = path.indexOf('?');
  const bare = mark < 0 ? path : path.slice(0, mark);
  const name = bare.length > 1 && bare.endsWith('/') ? bare.slice(0, -1) : bare;
  if (mark < 0) return name;
  const kept = [...new URLSearchParams(path.slice(mark + 1))].filter(([key]) => !TRACKING.test(key)).sort(byKey);
  return kept.length === 0 ? name : `${name}?${new URLSearchParams(kept)}`;
}

const byKey = (a: [string, string], b: [string, string]) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);

export function articleAt(host: string, path: string, seed = 0): MadeArticle {
  const site = siteOf(host);
  const canonical = canonicalPath(path);
  const number = /-(\d{1,6})$/.exec(canonical)?.[1];
  const headline =
    number !== undefined && Number(number) < site.articles ? headlineOf(site, Number(number), seed) : null;
  if (headline?.path === canonical)
    return writeArticle(site, canonical, headline, castOf(site, headline.number, seed), seed);
  const random = new Random(hash32(host + canonical, seed));
  const cast = makeCast(site.language, random, topicIn(canonical));
  const writer = new Writer(site.language, random, cast);
  const written: Headline = {
    number: -1,
    path: canonical,
    title: titleIn(canonical) ?? writer.line('titles'),
    standfirst: writer.line('standfirsts'),
    author: cast.reporter,
    topic: cast.topic,
    publishedAt: dateIn(canonical) ?? new Date(NEWEST_MS - random.between(0, 900 * 24 * 60) * 60_000).toISOString(),
  };
  return writeArticle(site, canonical, written, cast, seed);
}

function castOf(site: Site, number: number, seed: number): Cast {
  return makeCast(site.language, new Random(hash32(`${site.host}#${number}`, seed)));
}

/** Cheap on purpose: a listing shows twenty of these and every article page six. Newer articles have higher numbers. */
export function headlineOf(site: Site, number: number, seed = 0): Headline {
  const cast = castOf(site, number, seed);
  const random = new Random(hash32(`${site.host}!${number}`, seed));
  const writer = new Writer(site.language, random, cast);
  const title = writer.line('titles');
  const age = (site.articles - 1 - number) * 7 + random.between(0, 6);
  return {
    number,
    path: `/${cast.topic}/${slug(title)}-${number}`,
    title,
    standfirst: writer.line('standfirsts'),
    author: cast.reporter,
    topic: cast.topic,
    publishedAt: new Date(NEWEST_MS - age * HOUR_MS).toISOString(),
  };
}

function writeArticle(site: Site, path: string, headline: Headline, cast: Cast, seed: number): MadeArticle {
  const random = new Random(hash32(`${site.host}${path}body`, seed));
  const writer = new Writer(site.language, random, cast);
  const pictures = `/images/${hash32(site.host + path, seed).toString(36)}`;
  const story = writeBlocks(random, writer, pictures);
  const blocks = site.isTeaser ? story.slice(0, TEASER_BLOCKS).filter(({ kind }) => kind === 'paragraph') : story;
  const modified = Math.min(
    Date.parse(headline.publishedAt) + random.between(0, 40) * HOUR_MS,
    NEWEST_MS + 12 * HOUR_MS,
  );
  return {
    url: `https://${site.host}${path}`,
    path,
    site,
    title: headline.title,
    standfirst: headline.standfirst,
    author: headline.author,
    publishedAt: headline.publishedAt,
    modifiedAt: new Date(modified).toISOString(),
    language: site.language.code,
    section: site.language.words.topics[cast.topic].label,
    image: `https://${site.host}${pictures}-lead.png`,
    tags: [cast.thing, cast.field, cast.place],
    blocks,
    // Pages are made from blocks; only tests and a few layouts ask for the text.
    get content() {
      return textOf(blocks);
    },
  };
}

function writeBlocks(random: Random, writer: Writer, pictures: string): Block[] {
  const blocks: Block[] = [{ kind: 'paragraph', text: writer.lead() }];
  const paragraphs = random.between(5, 25);
  let images = 0;
  for (let i = 1; i < paragraphs; i++) {
    if (i > 2 && i < paragraphs - 1 && random.chance(0.16))
      blocks.push({ kind: 'heading', text: writer.line('headings') });
    blocks.push({ kind: 'paragraph', text: writer.paragraph(random.between(2, 5)) });
    const extra = random.next();
    if (extra < 0.1) blocks.push({ kind: 'quote', text: writer.quote() });
    else if (extra < 0.17) {
      blocks.push({ kind: 'paragraph', text: writer.line('listIntros') });
      blocks.push({
        kind: 'list',
        items: Array.from({ length: random.between(3, 6) }, () => writer.line('listItems')),
      });
    } else if (extra < 0.27) {
      images += 1;
      const [caption, credit] = [writer.line('captions'), writer.line('credits')];
      blocks.push({ kind: 'image', src: `${pictures}-${images}.png`, caption, credit });
    }
  }
  // A story that ends in a list or picture is rare, and its end could not be told from what follows the story.
  if (blocks.at(-1)?.kind !== 'paragraph') blocks.push({ kind: 'paragraph', text: writer.paragraph(2) });
  return blocks;
}

function textOf(blocks: readonly Block[]): string {
  const texts: string[] = [];
  for (const block of blocks) {
    if (block.kind === 'list') texts.push(block.items.join('\n'));
    else if (block.kind !== 'image') texts.push(block.text);
  }
  return texts.join('\n\n');
}

function topicIn(path: string): TopicKey | undefined {
  return TOPICS.find((topic) => path.includes(topic.slice(0, 6)));
}

/** A last segment of four or more plain words is what the site would have made of its headline. */
function titleIn(path: string): string | null {
  const last = path.split('?')[0]?.split('/').at(-1) ?? '';
  const words = last.replace(/\.\w{2,5}$/, '').split('-');
  if (words.length < 4 || !words.every((word) => /^[a-z0-9]{1,24}$/i.test(word))) return null;
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function dateIn(path: string): string | null {
  const [, year, month, day] = /\/(20[0-2]\d)[/-](\d{2})(?:[/-](\d{2}))?(?:[/-]|$)/.exec(path) ?? [];
  if (!year) return null;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day ?? 1), 8, 15);
  const sound =
    Number(month) >= 1 && Number(month) <= 12 && Number(day ?? 1) >= 1 && Number(day ?? 1) <= 31 && at <= NEWEST_MS;
  return sound ? new Date(at).toISOString() : null;
}

function slug(title: string): string {
  const plain = title
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}|[’‘]/gu, '');
  return (plain.match(/[a-z0-9]+/g) ?? ['story']).join('-').slice(0, 70).replace(/-$/, '');
}

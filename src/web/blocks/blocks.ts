// Recognises block pages, challenges, consent and login pages, soft 404s and empty results, by the table in blocks.json. Pure.
// What a reader would get wrong: the words captcha, cookie or privacy are on every second normal page. A rule therefore looks at the
// title, the address, headers and whole sentences, and widget rules hold only on pages with little else to read. When nothing
// matches, the answer is "nothing matches", never a guess.
import { one, parse, text } from '../../extract/html/html.ts';
import type { ErrorCode } from '../../model/errors.ts';
import table from './blocks.json' with { type: 'json' };

export type BlockClass = keyof typeof table.reactions;

export interface Reaction {
  /** Message for people. */
  words: string;
  code: ErrorCode;
  /** `burn` retires the session for good. */
  session: 'keep' | 'burn';
  /** What becomes of the exit: a tier up, another of the same tier, or nothing. */
  exit?: 'escalate' | 'change';
  /** Plain HTTP cannot get past it. */
  engine?: 'browser';
  /** Answer once per session, then ask again. */
  consent?: boolean;
}

export interface Block {
  class: BlockClass;
  rule: string;
  reaction: Reaction;
  /** Cookies and buttons that answer a consent page. */
  cookies: string[];
  click: string[];
}

export interface Page {
  url: string;
  status: number;
  headers: Record<string, string>;
  text: string;
}

// Every rule has every field: all of them are asked of every page, and rules of different shapes are many times slower to ask.
interface Rule {
  id: string;
  class: BlockClass;
  status: number[] | undefined;
  host: RegExp | undefined;
  url: RegExp | undefined;
  title: RegExp | undefined;
  headers: [string, RegExp][];
  phrase: string[];
  mark: string[];
  selector: string | undefined;
  maxText: number | undefined;
  cookies: string[];
  click: string[];
  isDeep: boolean;
}

/** A good answer longer than this, with this many paragraphs, or this much running text, is read no further than its title: interstitials are small,
 * and reading costs. */
const DEEP_MAX_CHARS = 20_000;
const PROSE_PARAGRAPHS = 8;
const PROSE_CHARS = 2_500;
const SENTENCE_CHARS = 100;
const TITLE_WITHIN_CHARS = 16_000;
/** No interstitial is longer; of a longer page the tree of its beginning shows that it has more to read than one. */
const TREE_MAX_CHARS = 200_000;

const suspiciousTitle = new RegExp(table.suspiciousTitle, 'i');
const rules: Rule[] = (table.rules as RawRule[]).map(toRule);
/** Every mark and phrase at once, in lower case: a page has none of them almost always, and one look is cheaper than fifty. */
const anySign = new RegExp(
  rules
    .flatMap((rule) => [...rule.mark, ...rule.phrase])
    .map((sign) => sign.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|'),
);

/** The block a page is, or null for a normal page. */
export function recognise(page: Page): Block | null {
  const isGood = page.status >= 200 && page.status < 300;
  // A block page is HTML even where JSON was asked for.
  const isHtml = /html/i.test(page.headers['content-type'] ?? 'html');
  const title = isHtml ? titleOf(page.text) : '';
  const isSmall = page.text.length <= DEEP_MAX_CHARS && !hasProse(page.text);
  const isDeep = !isGood || (isHtml && (isSmall || suspiciousTitle.test(title)));
  return firstMatch(page, title, isDeep);
}

export type Diagnosis = BlockClass | 'empty' | 'layout_changed';

/** For a page in which a source found nothing: the whole table, then what the page says itself, and else a changed layout. */
export function diagnose(page: Page): Diagnosis {
  const block = firstMatch(page, titleOf(page.text), true);
  if (block !== null) return block.class;
  const said = readable(page.text).toLowerCase();
  return table.empty.some((phrase) => said.includes(phrase)) ? 'empty' : 'layout_changed';
}

function firstMatch(page: Page, title: string, isDeep: boolean): Block | null {
  const facts = factsOf(page, title);
  for (const rule of rules) {
    // A rule of one host is always tried there: that is where its page is expected.
    if (rule.isDeep && !isDeep && rule.host === undefined) continue;
    if (matches(rule, page, facts)) {
      return {
        class: rule.class,
        rule: rule.id,
        reaction: table.reactions[rule.class] as Reaction,
        cookies: rule.cookies,
        click: rule.click,
      };
    }
  }
  return null;
}

interface Facts {
  host: string;
  title: string;
  lower(): string;
  hasSigns(): boolean;
  tree(): ReturnType<typeof parse>;
  readableChars(): number;
}

function factsOf(page: Page, title: string): Facts {
  let lower: string | undefined;
  let signs: boolean | undefined;
  let tree: ReturnType<typeof parse> | undefined;
  let readableChars: number | undefined;
  const treeOf = () => {
    tree ??= parse(page.text.slice(0, TREE_MAX_CHARS));
    return tree;
  };
  const lowerOf = () => {
    lower ??= page.text.toLowerCase();
    return lower;
  };
  return {
    host: hostOf(page.url),
    title,
    lower: lowerOf,
    hasSigns: () => {
      signs ??= anySign.test(lowerOf());
      return signs;
    },
    tree: treeOf,
    readableChars: () => {
      readableChars ??= text(treeOf()).length;
      return readableChars;
    },
  };
}

/** Cheapest evidence first; the tree is only built for a rule whose other evidence already holds. */
function matches(rule: Rule, page: Page, facts: Facts): boolean {
  if (rule.host !== undefined && !rule.host.test(facts.host)) return false;
  if (rule.status !== undefined && !rule.status.includes(page.status)) return false;
  if (rule.url !== undefined && !rule.url.test(page.url)) return false;
  if (rule.title !== undefined && !rule.title.test(facts.title)) return false;
  for (const [name, pattern] of rule.headers) if (!pattern.test(page.headers[name] ?? '')) return false;
  if (rule.mark.length + rule.phrase.length > 0 && !facts.hasSigns()) return false;
  if (rule.mark.length > 0 && !rule.mark.some((mark) => page.text.includes(mark))) return false;
  if (rule.phrase.length > 0 && !rule.phrase.some((phrase) => facts.lower().includes(phrase))) return false;
  if (rule.selector !== undefined && one(facts.tree(), rule.selector) === null) return false;
  return rule.maxText === undefined || facts.readableChars() <= rule.maxText;
}

function hasProse(html: string): boolean {
  let count = 0;
  for (let at = html.indexOf('</p>'); at >= 0 && count < PROSE_PARAGRAPHS; at = html.indexOf('</p>', at + 4)) count++;
  return count >= PROSE_PARAGRAPHS || hasRunningText(html);
}

/** Text between two tags is running where it is long enough for a sentence, and is not that of a script. */
function hasRunningText(html: string): boolean {
  let chars = 0;
  for (let tag = html.indexOf('<'), next = 0; tag >= 0 && chars < PROSE_CHARS; tag = next) {
    const from = html.indexOf('>', tag) + 1;
    next = from === 0 ? -1 : html.indexOf('<', from);
    if (next - from >= SENTENCE_CHARS && !/^<s(?:cript|tyle)/i.test(html.slice(tag, from))) chars += next - from;
  }
  return chars >= PROSE_CHARS;
}

function titleOf(html: string): string {
  const at = html.slice(0, TITLE_WITHIN_CHARS).search(/<title[\s>]/i);
  if (at < 0) return '';
  const from = html.indexOf('>', at) + 1;
  const to = html.indexOf('<', from);
  return from > 0 && to > from
    ? html
        .slice(from, Math.min(to, from + 300))
        .replace(/\s+/g, ' ')
        .trim()
    : '';
}

function readable(html: string): string {
  return text(parse(html));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

interface RawRule {
  id: string;
  class: BlockClass;
  status?: number[];
  host?: string;
  url?: string;
  title?: string;
  header?: Record<string, string>;
  phrase?: string[];
  mark?: string[];
  selector?: string;
  maxText?: number;
  cookies?: string[];
  click?: string[];
}

function toRule(raw: RawRule): Rule {
  const { phrase = [], mark = [], cookies = [], click = [] } = raw;
  const pattern = (text: string | undefined) => (text === undefined ? undefined : new RegExp(text, 'i'));
  return {
    id: raw.id,
    class: raw.class,
    status: raw.status,
    host: pattern(raw.host),
    url: pattern(raw.url),
    title: pattern(raw.title),
    headers: Object.entries(raw.header ?? {}).map(([name, text]) => [name, new RegExp(text, 'i')]),
    phrase,
    mark,
    selector: raw.selector,
    maxText: raw.maxText,
    cookies,
    click,
    isDeep: phrase.length > 0 || mark.length > 0 || raw.selector !== undefined,
  };
}

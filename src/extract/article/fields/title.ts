// The headline. The h1 a reader sees is best, when it is about what the page says it is about; some themes put the site's name there.
import { withoutEntities } from '../../html/entities.ts';
import { cleanText } from '../../html/html.ts';
import { firstString } from '../../html/structured.ts';
import type { TreeNode } from '../page/tree.ts';
import type { View } from '../page/view.ts';
import { foldText, sharesTitle } from '../page/words.ts';
import { type FieldValue, metaOrigin, type PageContext } from './found.ts';
import { namesSite } from './site.ts';

const MAX_TITLE_CHARS = 300;
/** Before markup and the site's name are taken off. */
const MAX_STATED_CHARS = 2_000;

/** A title that may be taken, and its bare words, which all comparing is done with. */
interface Candidate {
  found: FieldValue;
  folded: string;
}

export function title(context: PageContext): FieldValue | null {
  const stated = statedTitles(context);
  const headings = headingTitles(context).filter(({ folded }) => !isSiteBeside(folded, stated, context));
  // A heading that says what the page states, word for word before in its own words.
  for (const heading of headings)
    if (stated.some((s) => s.folded === heading.folded)) return shorterIfLabelled(heading, stated);
  const heading = bestAgreeing(headings, stated);
  if (heading) return shorterIfLabelled(heading, stated);
  const best = stated[0];
  if (best && isSubHeading(best, context)) return best.found;
  const alone = headings.filter(({ found, folded }) => !namesSite(found.value, context) && folded.length >= 8);
  if (!best) return alone[0]?.found ?? subHeading(context);
  if (alone.length === 1 && overlap(alone[0]!.folded, best.folded) >= 0.3) return alone[0]!.found;
  return best.found;
}

/** "Lessons Learned: The lean startup" over a page with the h1 "Lessons Learned", which states the title "The lean startup": the h1 is the blog's. */
function isSiteBeside(heading: string, stated: Candidate[], { view }: PageContext): boolean {
  const whole = foldText(view.page.title);
  return stated.some(
    ({ folded }) => folded !== heading && (whole === `${heading} ${folded}` || whole === `${folded} ${heading}`),
  );
}

/** Of the headings that agree with what is stated, the one that shares most words with it: "The Go Blog" stands above the headline too. */
function bestAgreeing(headings: Candidate[], stated: Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  let most = 0;
  for (const heading of headings) {
    for (const { folded } of stated) {
      if (!agree(heading.folded, folded)) continue;
      const words = shared(heading.folded, folded);
      if (words > most) {
        best = heading;
        most = words;
      }
    }
  }
  return best;
}

/** Themes make the headline an h2, and an author may make a section of the text an h1. */
const isSubHeading = ({ folded }: Candidate, { view }: PageContext): boolean =>
  view.blockFeatures.some(
    ({ isTitle, block }) => isTitle && /^h[2-4]$/.test(block.node.tag) && foldText(block.text) === folded,
  );

/** What the page states, without the site's name, the surest first. */
function statedTitles(context: PageContext): Candidate[] {
  const { facts, view } = context;
  const out: FieldValue[] = [];
  const headline = firstString(facts.article?.headline) ?? firstString(facts.article?.name);
  if (headline) out.push({ value: headline, from: 'json-ld', detail: 'headline' });
  const meta = facts.meta('og:title', 'twitter:title', 'dc.title', 'citation_title', 'parsely-title', 'sailthru.title');
  if (meta) out.push({ value: meta.value, from: metaOrigin(meta.name), detail: meta.name });
  if (view.page.title) out.push({ value: view.page.title, from: 'html', detail: 'title' });
  // Most pages state one title twice or three times; the surest is enough.
  return out
    .filter(({ value }, i) => out.findIndex((other) => other.value === value) === i)
    .map((found) => {
      const plain = cleanText(withoutEntities(found.value.slice(0, MAX_STATED_CHARS)).replace(/<[^<>]{0,100}>/g, ''));
      const value = withoutSite(plain, context).slice(0, MAX_TITLE_CHARS);
      return { found: { ...found, value }, folded: foldText(value) };
    })
    .filter(({ found, folded }) => folded !== '' && !namesSite(found.value, context));
}

/** Between single spaces: the text is clean. */
const SEPARATOR = /\s[|–—•·»«:~/\\-]{1,9}\s|\s?[|•»]\s?/g;

// Nothing is cut without one of these, and making a list of all cuts is expensive.
const HAS_SEPARATOR = /[|–—•·»«:~/\\-]/;

const MOST_SITE_WORDS = 4;

/** Takes off the parts at the ends that name the site or a section of it. */
export function withoutSite(text: string, context: PageContext): string {
  const cuts = HAS_SEPARATOR.test(text) ? [...text.matchAll(SEPARATOR)] : [];
  const [first, last] = [cuts[0], cuts.at(-1)];
  if (first === undefined || last === undefined) return text;
  const tail = text.slice(last.index + last[0].length);
  const head = text.slice(0, last.index);
  const words = (s: string) => foldText(s).split(' ').length;
  if (namesSite(tail, context)) return withoutSite(head, context);
  if (namesSite(text.slice(0, first.index), context) && words(text.slice(first.index)) >= 3)
    return withoutSite(text.slice(first.index + first[0].length), context);
  // Unknown names: only behind a bar, only short ones, only when most of the title is left.
  if (/[|•»·]/.test(last[0]) && tail.split(' ').length <= MOST_SITE_WORDS && words(head) >= 3)
    return withoutSite(head, context);
  return text;
}

/** The h1 elements that are shown, without times and labels inside them. */
function headingTitles(context: PageContext): Candidate[] {
  const { view } = context;
  const out: Candidate[] = [];
  for (const node of view.page.headings.slice(0, 12)) {
    if (isUnseen(node)) continue;
    const text = withoutSite(withoutEntities(textOf(view.page.nodes, node)), context);
    if (text !== '' && text.length <= MAX_TITLE_CHARS)
      out.push({ found: { value: text, from: 'html', detail: 'h1' }, folded: foldText(text) });
  }
  return out;
}

function textOf(nodes: TreeNode[], top: TreeNode): string {
  let text = '';
  for (let i = top.index + 1; i < top.end; i++) {
    const node = nodes[i]!;
    if (node.tag === '#text') text += node.text;
    else if (node.tag === 'time' || node.tag === 'button') i = node.end - 1;
    else if (node.tag === 'br' || node.tag === 'div' || node.tag === 'p') text += ' ';
  }
  return cleanText(text);
}

const isUnseen = (node: TreeNode): boolean => {
  for (let up: TreeNode | null = node, level = 0; up && level < 6; up = up.parent, level++) {
    if (
      'hidden' in up.attrs ||
      /display\s*:\s*none/i.test(up.attrs.style ?? '') ||
      up.tag === 'nav' ||
      up.tag === 'footer'
    )
      return true;
  }
  return false;
};

const agree = (a: string, b: string): boolean => sharesTitle(a, b) || overlap(a, b) >= 0.6;

/** Share of the words of the shorter text that the longer has; both folded. */
function overlap(a: string, b: string): number {
  const [short, long] = [a.split(' '), b.split(' ')].sort((x, y) => x.length - y.length) as [string[], string[]];
  if (short.length < 2) return short[0] === long[0] && short[0] !== '' ? 1 : 0;
  const has = new Set(long);
  return short.filter((word) => has.has(word)).length / short.length;
}

function shared(a: string, b: string): number {
  const has = new Set(b.split(' '));
  return new Set(a.split(' ').filter((word) => has.has(word))).size;
}

/** "18. 12. 2025", "Blog:" */
const isDateOrLabel = (text: string): boolean =>
  (/\d{4}/.test(text) && (text.match(/\d+/g) ?? []).length > 1) || (text.endsWith(':') && text.split(' ').length < 3);

/** A heading with a date or a label pasted on: the stated title, when it is inside. */
function shorterIfLabelled({ found, folded }: Candidate, stated: Candidate[]): FieldValue {
  const inside = stated.find(
    (one) =>
      one.folded !== folded &&
      folded.endsWith(` ${one.folded}`) &&
      isDateOrLabel(found.value.slice(0, Math.max(0, found.value.length - one.found.value.length)).trimEnd()),
  );
  return inside ? { ...found, value: inside.found.value } : found;
}

function subHeading({ view, bodyFrom }: PageContext): FieldValue | null {
  const before = view.blockFeatures
    .slice(0, Math.max(bodyFrom, 0) + 1)
    .findLast((features) => /^h[2-3]$/.test(features.block.node.tag));
  return before
    ? { value: before.block.text.slice(0, MAX_TITLE_CHARS), from: 'heuristic', detail: before.block.node.tag }
    : null;
}

/** The block that is the headline: the one that says what the page states, else the heading that was taken for the title. */
export function headlineAt(view: View, found: FieldValue | null): number {
  if (view.titleAt >= 0 || found === null) return view.titleAt;
  const folded = foldText(found.value);
  return view.blockFeatures.findIndex(
    ({ block, chars }) =>
      chars <= MAX_TITLE_CHARS && /^h[1-3]$/.test(block.node.tag) && foldText(block.text) === folded,
  );
}

// The features of a block for the model, as a row of numbers. Order matters: the trained weights refer to positions, so a change here
// means training again (tools/article-model/train.ts), and a test compares the names with those in the weights.
// What a reader would get wrong: names and values stand in two lists, not in pairs. A function a feature is the nicer table, but a page has
// thousands of values and calling for each took longer than the model itself; a test holds the lists together.
import { PAGE_KINDS } from '../kind/kinds.ts';
import { MEANINGS, meaningBits } from '../page/lexicon.ts';
import { IN, type Measures } from '../page/measure.ts';
import { PHRASE_KINDS } from '../page/phrases.ts';
import type { TreeNode } from '../page/tree.ts';
import type { BlockFeatures, View } from '../page/view.ts';

interface FeatureGroup {
  names: string[];
  /** Writes the values of the group from `at` on; returns the place behind them. */
  fill(row: Float64Array, at: number, features: BlockFeatures, view: View): number;
}

const ANCESTORS = [1, 2, 3, 5];
const NEIGHBOURS = [-2, -1, 1, 2];
const PLACES = Object.values(IN);

const has = (bits: number, bit: number): number => ((bits & bit) === 0 ? 0 : 1);
const OPENS_UPPER = /^["'“‘«(]?\p{Lu}/u;

const text: FeatureGroup = {
  names: [
    'chars',
    'words',
    'linkShare',
    'links',
    'emphasis',
    'breaks',
    'endsSentence',
    'sentences',
    'startsUpper',
    'upperShare',
    'digitShare',
    'isTitle',
    'titleWords',
    'copies',
    'earlierCopies',
    ...PHRASE_KINDS.map((kind) => `phrase:${kind}`),
  ],
  fill(row, at, s) {
    const { block, chars, phrases } = s;
    let i = at;
    row[i++] = Math.min(chars, 1_000);
    row[i++] = Math.min(s.words, 200);
    row[i++] = s.linkShare;
    row[i++] = Math.min(block.links, 10);
    row[i++] = block.emphasisChars / chars;
    row[i++] = Math.min(block.breaks, 10);
    row[i++] = s.endsSentence ? 1 : 0;
    row[i++] = chars > 600 ? 6 : s.sentences;
    row[i++] = startsUpper(block.text) ? 1 : 0;
    row[i++] = s.upperShare;
    row[i++] = s.digitShare;
    row[i++] = s.isTitle ? 1 : 0;
    row[i++] = s.titleWords;
    row[i++] = Math.min(4, s.copies);
    row[i++] = Math.min(3, s.earlier);
    for (let kind = 0; kind < PHRASE_KINDS.length; kind++)
      row[i++] = has(phrases.start, 1 << kind) + has(phrases.any, 1 << kind);
    return i;
  },
};

const element: FeatureGroup = {
  names: [
    'isP',
    'isDiv',
    'isLi',
    'isCell',
    'headingLevel',
    'hasClass',
    ...Object.keys(IN).map((name) => `in:${name}`),
    ...MEANINGS.map((name) => `class:${name}`),
  ],
  fill(row, at, s, { m }) {
    const { tag, attrs, index } = s.block.node;
    let i = at;
    row[i++] = tag === 'p' ? 1 : 0;
    row[i++] = tag === 'div' || tag === 'section' ? 1 : 0;
    row[i++] = tag === 'li' ? 1 : 0;
    row[i++] = tag === 'td' || tag === 'th' ? 1 : 0;
    row[i++] = headingLevel(tag);
    row[i++] = attrs.class ? 1 : 0;
    const place = m.place[index]!;
    for (let p = 0; p < PLACES.length; p++) row[i++] = has(place, PLACES[p]!);
    const strong = m.strong[index]!;
    const weak = m.weak[index]!;
    for (let meaning = 0; meaning < MEANINGS.length; meaning++)
      row[i++] = 2 * has(strong, 1 << meaning) + has(weak, 1 << meaning);
    return i;
  },
};

// Each single sign is rare in the labelled pages; how many there are is not.
const ASIDE_MEANINGS = meaningBits(
  'comment',
  'related',
  'share',
  'promo',
  'ad',
  'nav',
  'aside',
  'byline',
  'meta',
  'hidden',
);
const ASIDE_PLACES = IN.nav | IN.aside | IN.footer | IN.form | IN.control | IN.dialog | IN.link;

const signs: FeatureGroup = {
  names: ['signs:strong', 'signs:weak', 'signs:place', 'signs:all', 'signs:text'],
  fill(row, at, s, { m }) {
    const { index } = s.block.node;
    const strong = countBits(m.strong[index]! & ASIDE_MEANINGS);
    const weak = countBits(m.weak[index]! & ASIDE_MEANINGS);
    const place = countBits(m.place[index]! & ASIDE_PLACES);
    row[at] = strong;
    row[at + 1] = weak;
    row[at + 2] = place;
    row[at + 3] = 2 * place + 2 * strong + weak;
    row[at + 4] = countBits(s.phrases.start) + countBits(s.phrases.any);
    return at + 5;
  },
};

const place: FeatureGroup = {
  names: [
    'alike',
    'alikeBlocks',
    ...ANCESTORS.flatMap((levels) => [`up${levels}:prose`, `up${levels}:links`]),
    'up1:blocks',
    'up1:meanChars',
    'up2:meanChars',
    'alone',
    'afterTitle',
    'proseBefore',
    'fromFirstProse',
    'toLastProse',
    'position',
    'depth',
  ],
  fill(row, at, s, view) {
    const { m } = view;
    const { node } = s.block;
    let i = at;
    row[i++] = s.alike;
    row[i++] = Math.min(50, s.alikeBlocks);
    for (let a = 0; a < ANCESTORS.length; a++) {
      const { index } = up(node, ANCESTORS[a]!);
      row[i++] = m.prose[index]! / m.totalProse;
      row[i++] = linkShareOf(index, m);
    }
    const parent = up(node, 1).index;
    row[i++] = Math.min(60, m.blocks[parent]!);
    row[i++] = meanChars(parent, m);
    row[i++] = meanChars(up(node, 2).index, m);
    row[i++] = m.blocks[parent] === 1 ? 1 : 0;
    row[i++] = view.titleAt < 0 ? 0 : clamp(s.at - view.titleAt, -20, 40);
    row[i++] = s.proseBefore;
    row[i++] = clamp(s.at - view.firstProse, -30, 30);
    row[i++] = clamp(view.lastProse - s.at, -30, 30);
    row[i++] = s.at / view.blockFeatures.length;
    row[i++] = node.depth;
    return i;
  },
};

const around: FeatureGroup = {
  names: NEIGHBOURS.flatMap((step) =>
    ['chars', 'linkShare', 'sentence', 'sibling', 'alike'].map((what) => `near${step}:${what}`),
  ),
  fill(row, at, s, { blockFeatures }) {
    const { parent } = s.block.node;
    let i = at;
    for (let n = 0; n < NEIGHBOURS.length; n++, i += 5) {
      const neighbour = blockFeatures[s.at + NEIGHBOURS[n]!];
      if (!neighbour) {
        row.fill(0, i, i + 5);
        continue;
      }
      row[i] = Math.min(500, neighbour.chars);
      row[i + 1] = neighbour.linkShare;
      row[i + 2] = neighbour.endsSentence ? 1 : 0;
      row[i + 3] = neighbour.block.node.parent === parent ? 1 : 0;
      row[i + 4] = neighbour.alike;
    }
    return i;
  },
};

const whole: FeatureGroup = {
  names: ['strict', ...PAGE_KINDS.map((kind) => `kind:${kind}`)],
  fill(row, at, _, view) {
    row[at] = view.isStrict ? 1 : 0;
    for (let kind = 0; kind < PAGE_KINDS.length; kind++) row[at + 1 + kind] = view.kinds[kind]!;
    return at + 1 + PAGE_KINDS.length;
  },
};

const tokens: FeatureGroup = {
  names: ['names:own', 'names:up1', 'names:path', 'words:line'],
  fill(row, at, s, { tokens: { own, path, text: said } }) {
    const { node } = s.block;
    row[at] = own[node.index]!;
    row[at + 1] = own[up(node, 1).index]!;
    row[at + 2] = path[node.index]!;
    row[at + 3] = said[s.at]!;
    return at + 4;
  },
};

const GROUPS = [text, element, signs, place, around, whole, tokens];

export const FEATURES: string[] = GROUPS.flatMap((group) => group.names);

/** The row of a block, from `at` on; returns the place behind it. */
export function fillFeatures(row: Float64Array, at: number, features: BlockFeatures, view: View): number {
  let next = text.fill(row, at, features, view);
  next = element.fill(row, next, features, view);
  next = signs.fill(row, next, features, view);
  next = place.fill(row, next, features, view);
  next = around.fill(row, next, features, view);
  next = whole.fill(row, next, features, view);
  return tokens.fill(row, next, features, view);
}

function up(node: TreeNode, levels: number): TreeNode {
  let n = node;
  for (let i = 0; i < levels && n.parent; i++) n = n.parent;
  return n;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

const clamp = (n: number, low: number, high: number) => Math.max(low, Math.min(high, n));

function linkShareOf(index: number, m: Measures): number {
  const chars = m.chars[index]!;
  return chars === 0 ? 0 : Math.min(1, m.linkChars[index]! / chars);
}

function meanChars(index: number, m: Measures): number {
  const blocks = m.blocks[index]!;
  return blocks === 0 ? 0 : Math.min(600, m.chars[index]! / blocks);
}

/** 6 for h1 down to 1 for h6; 0 for all others. */
function headingLevel(tag: string): number {
  if (tag.length !== 2 || tag.charCodeAt(0) !== 104) return 0;
  const digit = tag.charCodeAt(1) - 48;
  return digit >= 0 && digit <= 9 ? 7 - digit : 0;
}

function startsUpper(words: string): boolean {
  const code = words.charCodeAt(0);
  if (code >= 65 && code <= 90) return true;
  return (code < 97 || code > 122) && OPENS_UPPER.test(words.slice(0, 4));
}

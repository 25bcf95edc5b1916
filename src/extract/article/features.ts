// What the model is told about a block, one row a feature. Order matters: the trained weights refer to positions, so a change here
// means training again (bench/articles/train.ts), and a test compares the names with those in the weights.
import { MEANINGS, meaningBits } from './lexicon.ts';
import { IN } from './measure.ts';
import { PHRASE_KINDS } from './phrases.ts';
import type { TreeNode } from './tree.ts';
import type { Spot, View } from './view.ts';
import { countSentences } from './words.ts';

type Feature = [name: string, of: (spot: Spot, view: View) => number];

const near = (view: View, at: number): Spot | undefined => view.spots[at];
const up = (node: TreeNode, levels: number): TreeNode => {
  let n = node;
  for (let i = 0; i < levels && n.parent; i++) n = n.parent;
  return n;
};
const has = (bits: number, bit: number): number => ((bits & bit) === 0 ? 0 : 1);

const text: Feature[] = [
  ['chars', (s) => Math.min(s.chars, 1_000)],
  ['words', (s) => Math.min(s.words, 200)],
  ['linkShare', (s) => s.linkShare],
  ['links', (s) => Math.min(s.block.links, 10)],
  ['emphasis', (s) => s.block.emphasisChars / s.chars],
  ['breaks', (s) => Math.min(s.block.breaks, 10)],
  ['endsSentence', (s) => Number(s.endsSentence)],
  ['sentences', (s) => (s.chars > 600 ? 6 : countSentences(s.block.text))],
  ['startsUpper', (s) => Number(/^["'“‘«(]?\p{Lu}/u.test(s.block.text.slice(0, 4)))],
  ['upperShare', (s) => upperShare(s.block.text)],
  ['digitShare', (s) => digitShare(s.block.text)],
  ['isTitle', (s) => Number(s.isTitle)],
  ['titleWords', (s) => s.titleWords],
  ['copies', (s) => Math.min(4, s.copies)],
  ...PHRASE_KINDS.map(
    (kind, i): Feature => [`phrase:${kind}`, (s) => has(s.phrases.start, 1 << i) + has(s.phrases.any, 1 << i)],
  ),
];

const element: Feature[] = [
  ['isP', (s) => Number(s.block.node.tag === 'p')],
  ['isDiv', (s) => Number(s.block.node.tag === 'div' || s.block.node.tag === 'section')],
  ['isLi', (s) => Number(s.block.node.tag === 'li')],
  ['isCell', (s) => Number(s.block.node.tag === 'td' || s.block.node.tag === 'th')],
  ['headingLevel', (s) => (/^h\d$/.test(s.block.node.tag) ? 7 - Number(s.block.node.tag[1]) : 0)],
  ['hasClass', (s) => Number(Boolean(s.block.node.attrs.class))],
  ...Object.entries(IN).map(
    ([name, bit]): Feature => [`in:${name}`, (s, v) => has(v.m.place[s.block.node.index]!, bit)],
  ),
  ...MEANINGS.map(
    (name, i): Feature => [
      `class:${name}`,
      (s, v) => 2 * has(v.m.strong[s.block.node.index]!, 1 << i) + has(v.m.weak[s.block.node.index]!, 1 << i),
    ],
  ),
];

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

const signs: Feature[] = [
  ['signs:strong', (s, v) => countBits(v.m.strong[s.block.node.index]! & ASIDE_MEANINGS)],
  ['signs:weak', (s, v) => countBits(v.m.weak[s.block.node.index]! & ASIDE_MEANINGS)],
  ['signs:place', (s, v) => countBits(v.m.place[s.block.node.index]! & ASIDE_PLACES)],
  [
    'signs:all',
    (s, v) => {
      const i = s.block.node.index;
      return (
        2 * countBits(v.m.place[i]! & ASIDE_PLACES) +
        2 * countBits(v.m.strong[i]! & ASIDE_MEANINGS) +
        countBits(v.m.weak[i]! & ASIDE_MEANINGS)
      );
    },
  ],
  ['signs:text', (s) => countBits(s.phrases.start) + countBits(s.phrases.any)],
];

const place: Feature[] = [
  ['alike', (s) => s.alike],
  ['alikeBlocks', (s) => Math.min(50, s.alikeBlocks)],
  ...[1, 2, 3, 5].flatMap((levels): Feature[] => [
    [`up${levels}:prose`, (s, v) => v.m.prose[up(s.block.node, levels).index]! / v.m.totalProse],
    [`up${levels}:links`, (s, v) => linkShareOf(up(s.block.node, levels), v)],
  ]),
  ['up1:blocks', (s, v) => Math.min(60, v.m.blocks[up(s.block.node, 1).index]!)],
  ['up1:meanChars', (s, v) => meanChars(up(s.block.node, 1), v)],
  ['up2:meanChars', (s, v) => meanChars(up(s.block.node, 2), v)],
  ['alone', (s, v) => Number(v.m.blocks[up(s.block.node, 1).index] === 1)],
  ['afterTitle', (s, v) => (v.titleAt < 0 ? 0 : clamp(s.at - v.titleAt, -20, 40))],
  ['proseBefore', (s) => s.proseBefore],
  ['fromFirstProse', (s, v) => clamp(s.at - v.firstProse, -30, 30)],
  ['toLastProse', (s, v) => clamp(v.lastProse - s.at, -30, 30)],
  ['position', (s, v) => s.at / v.spots.length],
  ['depth', (s) => s.block.node.depth],
];

const around: Feature[] = [-2, -1, 1, 2].flatMap((step): Feature[] => [
  [`near${step}:chars`, (s, v) => Math.min(500, near(v, s.at + step)?.chars ?? 0)],
  [`near${step}:linkShare`, (s, v) => near(v, s.at + step)?.linkShare ?? 0],
  [`near${step}:sentence`, (s, v) => Number(near(v, s.at + step)?.endsSentence ?? false)],
  [`near${step}:sibling`, (s, v) => Number(near(v, s.at + step)?.block.node.parent === s.block.node.parent)],
  [`near${step}:alike`, (s, v) => near(v, s.at + step)?.alike ?? 0],
]);

export const FEATURES: Feature[] = [...text, ...element, ...signs, ...place, ...around];

export const ALL_FEATURES: number[] = FEATURES.map((_, i) => i);

/** One row of numbers for a block, with `room` more places behind them; places not in `wanted` stay 0. */
export function featuresOf(spot: Spot, view: View, room: number, wanted: number[]): Float64Array {
  const row = new Float64Array(FEATURES.length + room);
  for (const i of wanted) row[i] = FEATURES[i]![1](spot, view);
  return row;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

const clamp = (n: number, low: number, high: number) => Math.max(low, Math.min(high, n));

function linkShareOf(node: TreeNode, view: View): number {
  const chars = view.m.chars[node.index]!;
  return chars === 0 ? 0 : Math.min(1, view.m.linkChars[node.index]! / chars);
}

function meanChars(node: TreeNode, view: View): number {
  const blocks = view.m.blocks[node.index]!;
  return blocks === 0 ? 0 : Math.min(600, view.m.chars[node.index]! / blocks);
}

function digitShare(text: string): number {
  const end = Math.min(200, text.length);
  let digits = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) digits++;
  }
  return digits / end;
}

/** Share of the first words that begin with a capital. */
function upperShare(text: string): number {
  const end = Math.min(200, text.length);
  let words = 0;
  let upper = 0;
  for (let i = 0; i < end; i++) {
    if (i > 0 && text.charCodeAt(i - 1) !== 32) continue;
    words++;
    const code = text.charCodeAt(i);
    if ((code >= 65 && code <= 90) || (code > 191 && text[i] !== text[i]!.toLowerCase())) upper++;
  }
  return upper / words;
}

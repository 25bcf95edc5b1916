// Everything the features ask about a page, computed once: its blocks with their neighbourhood, and what the page says of itself.
// What a reader would get wrong: two thirds of the blocks of a page are menus. They are known by their links and their place, keep
// only what their neighbours ask of them, and are never shown to the model.
import { PAGE_KINDS } from '../kind/kinds.ts';
import { type Block, blocksOf } from './blocks.ts';
import { IN, isProse, type Measures, measure, shownBlocks } from './measure.ts';
import { NO_PHRASES, type PhraseSigns, phraseSigns } from './phrases.ts';
import { NO_TOKENS, type TokenScores } from './tokens.ts';
import type { Page, TreeNode } from './tree.ts';
import {
  endsSentence,
  foldText,
  sharesTitle,
  type TextSigns,
  type TitleWord,
  textSigns,
  titleWordsOf,
} from './words.ts';

export interface BlockFeatures extends TextSigns {
  block: Block;
  /** Position among the blocks of the page. */
  at: number;
  isMenu: boolean;
  chars: number;
  linkShare: number;
  isProse: boolean;
  endsSentence: boolean;
  /** Share of the page's prose with the same style signature: same tags and classes of the block and its parent. */
  alike: number;
  alikeBlocks: number;
  /** Number of its style signature. */
  styleSignature: number;
  isTitle: boolean;
  /** Times the same text stands on the page. */
  copies: number;
  /** How many of them stand before it. */
  earlier: number;
  /** Share of the page's prose before it. */
  proseBefore: number;
  phrases: PhraseSigns;
}

/** What the page says of itself, folded to bare words. */
export interface Stated {
  title: string;
}

export interface View {
  page: Page;
  m: Measures;
  blockFeatures: BlockFeatures[];
  /** First block that repeats the title, or -1. */
  titleAt: number;
  firstProse: number;
  lastProse: number;
  stated: Stated;
  /** How likely it is of each kind, in the order of PAGE_KINDS; all 0 until that is known. */
  kinds: Float64Array;
  /** What names and words say of each block; nothing until that is asked. */
  tokens: TokenScores;
  /** Whether the body is meant strictly: without headline, lead, captions. What has been labelled by looser rules is learned from too. */
  isStrict: boolean;
}

interface StyleGroup {
  id: number;
  prose: number;
  blocks: number;
}

// What stands on a page several times is short (labels, buttons, teasers), or the text itself in another layout.
const COPIED_CHARS = 2_000;

export function viewOf(page: Page, stated: Stated): View {
  const blocks = shownBlocks(page, blocksOf(page));
  const m = measure(page, blocks);
  const titleWords = titleWordsOf(stated.title);
  const styles = new Map<string, StyleGroup>();
  const firsts = new Map<string, BlockFeatures>();
  const copies: { first: BlockFeatures; copy: BlockFeatures }[] = [];
  const styleOfBlock: StyleGroup[] = [];
  const blockFeatures: BlockFeatures[] = [];
  let proseBefore = 0;
  let before: TreeNode | null = null;
  for (const block of blocks) {
    const features = featuresOf(block, blockFeatures.length, m, proseBefore, titleWords);
    blockFeatures.push(features);
    const style: StyleGroup = hasSameStyle(before, block.node)
      ? styleOfBlock[features.at - 1]!
      : styleOf(block.node, styles);
    before = block.node;
    features.styleSignature = style.id;
    style.blocks++;
    styleOfBlock.push(style);
    if (features.chars <= COPIED_CHARS) {
      const first = firsts.get(block.text);
      if (first === undefined) firsts.set(block.text, features);
      else {
        features.earlier = first.copies;
        first.copies++;
        copies.push({ first, copy: features });
      }
    }
    if (!features.isMenu) compareWithStated(features, stated);
    if (features.isProse) {
      proseBefore += features.chars;
      style.prose += features.chars;
    }
  }
  for (const features of blockFeatures) {
    const style = styleOfBlock[features.at]!;
    features.alike = style.prose / m.totalProse;
    features.alikeBlocks = style.blocks;
  }
  for (const { first, copy } of copies) copy.copies = first.copies;
  return {
    page,
    m,
    blockFeatures,
    titleAt: blockFeatures.findIndex(
      (features) => features.isTitle && (features.block.node.tag === 'h1' || features.chars >= stated.title.length),
    ),
    firstProse: blockFeatures.findIndex((features) => features.isProse),
    lastProse: blockFeatures.findLastIndex((features) => features.isProse),
    stated,
    kinds: new Float64Array(PAGE_KINDS.length),
    tokens: NO_TOKENS,
    isStrict: true,
  };
}

const NO_SIGNS: TextSigns = { words: 0, sentences: 0, upperShare: 0, digitShare: 0, titleWords: 0 };

function featuresOf(block: Block, at: number, m: Measures, proseBefore: number, title: TitleWord[]): BlockFeatures {
  const chars = block.text.length;
  const linkShare = Math.min(1, block.linkChars / chars);
  const menu = isMenu(block.node, linkShare, m);
  const { words, sentences, upperShare, digitShare, titleWords } = menu ? NO_SIGNS : textSigns(block.text, title);
  return {
    block,
    at,
    isMenu: menu,
    chars,
    words,
    sentences,
    upperShare,
    digitShare,
    linkShare,
    isProse: isProse(block),
    endsSentence: endsSentence(block.text),
    alike: 0,
    alikeBlocks: 0,
    styleSignature: 0,
    titleWords,
    isTitle: false,
    copies: 1,
    earlier: 0,
    proseBefore: proseBefore / m.totalProse,
    phrases: NO_PHRASES,
  };
}

/** Of the 68,000 words in the bodies of the strict set, 44 are in what this calls a menu, and so are two thirds of all blocks. */
function isMenu(node: TreeNode, linkShare: number, m: Measures): boolean {
  const place = m.place[node.index]!;
  if ((place & IN.nav) !== 0) return true;
  if (linkShare > 0.5 && (place & (IN.footer | IN.dialog | IN.control)) !== 0) return true;
  const list = node.parent?.parent ?? node;
  return linkShare > 0.9 && m.linkChars[list.index]! > 0.7 * m.chars[list.index]!;
}

// Folding is expensive, so first: about the length of the other, and the one begins somewhere in the other.
function mayShare(text: string, folded: string): boolean {
  if (folded === '' || text.length < 0.4 * folded.length || text.length > 3 * folded.length + 20) return false;
  const word = firstWord(text);
  if (word !== undefined && folded.includes(word.toLowerCase())) return true;
  return text.toLowerCase().includes(folded.slice(0, folded.indexOf(' ')));
}

const OPENING_CHARS = 80;

/** The first word of three letters or more, among the first of a text. */
function firstWord(text: string): string | undefined {
  let from = 0;
  const end = Math.min(OPENING_CHARS, text.length);
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    if (code > 127) return /[\p{L}\p{N}]{3,}/u.exec(text.slice(0, OPENING_CHARS))?.[0];
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)) continue;
    if (i - from >= 3) return text.slice(from, i);
    from = i + 1;
  }
  return undefined;
}

function compareWithStated(features: BlockFeatures, stated: Stated): void {
  const { text } = features.block;
  features.phrases = phraseSigns(text);
  if (mayShare(text, stated.title)) features.isTitle = sharesTitle(foldText(text), stated.title);
}

/** Most blocks are next to one with the same style, and comparing them is faster than computing the signature. */
const hasSameStyle = (before: TreeNode | null, node: TreeNode): boolean =>
  before !== null &&
  before.parent === node.parent &&
  before.tag === node.tag &&
  before.attrs.class === node.attrs.class;

function styleOf(node: TreeNode, styles: Map<string, StyleGroup>): StyleGroup {
  const key = `${node.tag}.${node.attrs.class ?? ''}>${node.parent?.tag}.${node.parent?.attrs.class ?? ''}`;
  let style = styles.get(key);
  if (!style) {
    style = { id: styles.size, prose: 0, blocks: 0 };
    styles.set(key, style);
  }
  return style;
}

// Everything the features ask about a page, computed once: its blocks with their neighbourhood, and what the page says of itself.
import { type Block, blocksOf } from './blocks.ts';
import { isProse, type Measures, measure, shownBlocks } from './measure.ts';
import type { Page, TreeNode } from './tree.ts';

export interface Spot {
  block: Block;
  /** Position among the blocks of the page. */
  at: number;
  chars: number;
  words: number;
  linkShare: number;
  isProse: boolean;
  endsSentence: boolean;
  /** Share of the page's prose that is dressed like this one: same tags and classes of it and its parent. */
  alike: number;
  alikeBlocks: number;
  /** Which dress, as a number. */
  dress: number;
  /** Share of the title's longer words it has. */
  titleWords: number;
  /** Times the same text stands on the page. */
  copies: number;
  /** Share of the page's prose before it. */
  proseBefore: number;
  folded: string;
}

export interface Stated {
  title: string;
  description: string;
  author: string;
  /** Folded words of a stated article body, or empty. */
  body: string;
}

export interface View {
  page: Page;
  m: Measures;
  spots: Spot[];
  /** First block that repeats the title, or -1. */
  titleAt: number;
  firstProse: number;
  lastProse: number;
  stated: { title: string; description: string; author: string; body: string };
}

const SENTENCE_END = /[.!?。！？…:;]["'”’)»\]」』]*$/;
const WORD = /[\p{L}\p{N}_]+/gu;

export const foldText = (text: string): string => (text.toLowerCase().match(WORD) ?? []).join(' ');

export function viewOf(page: Page, stated: Stated): View {
  const blocks = shownBlocks(page, blocksOf(page));
  const m = measure(page, blocks);
  const folded = {
    title: foldText(stated.title),
    description: foldText(stated.description),
    author: foldText(stated.author),
    body: stated.body,
  };
  const dress = new Map<string, Dress>();
  const copies = new Map<string, number>();
  const dressed: Dress[] = [];
  const titleWords = folded.title.split(' ').filter((word) => word.length > 3);
  const spots: Spot[] = [];
  let proseBefore = 0;
  for (const block of blocks) {
    const { text } = block;
    const prose = isProse(block);
    const key = `${dressOf(block.node)}>${block.node.parent ? dressOf(block.node.parent) : ''}`;
    let same = dress.get(key);
    if (!same) {
      same = { prose: 0, blocks: 0, id: dress.size };
      dress.set(key, same);
    }
    same.blocks++;
    if (prose) same.prose += text.length;
    dressed.push(same);
    copies.set(text, (copies.get(text) ?? 0) + 1);
    spots.push({
      block,
      at: spots.length,
      chars: text.length,
      words: countWords(text),
      linkShare: Math.min(1, block.linkChars / text.length),
      isProse: prose,
      endsSentence: SENTENCE_END.test(text),
      alike: 0,
      alikeBlocks: 0,
      dress: same.id,
      titleWords: shareOf(titleWords, text),
      copies: 0,
      proseBefore: proseBefore / m.totalProse,
      folded: text.length <= 300 ? foldText(text) : '',
    });
    if (prose) proseBefore += text.length;
  }
  let titleAt = -1;
  let firstProse = -1;
  let lastProse = -1;
  spots.forEach((spot, i) => {
    spot.alike = dressed[i]!.prose / m.totalProse;
    spot.alikeBlocks = dressed[i]!.blocks;
    spot.copies = copies.get(spot.block.text)!;
    if (
      titleAt < 0 &&
      spot.folded !== '' &&
      (spot.block.node.tag === 'h1' || spot.folded === folded.title) &&
      sharesTitle(spot.folded, folded.title)
    )
      titleAt = i;
    if (spot.isProse) {
      if (firstProse < 0) firstProse = i;
      lastProse = i;
    }
  });
  return { page, m, spots, titleAt, firstProse, lastProse, stated: folded };
}

interface Dress {
  id: number;
  prose: number;
  blocks: number;
}

function shareOf(words: string[], text: string): number {
  if (words.length === 0 || text.length < 20) return 0;
  const lower = text.slice(0, 1_000).toLowerCase();
  let found = 0;
  for (const word of words) if (lower.includes(word)) found++;
  return found / words.length;
}

/** One text is most of the other: page titles carry the site's name, headings carry a label. */
export function sharesTitle(text: string, title: string): boolean {
  if (text === '' || title === '') return false;
  if (text === title) return true;
  const [short, long] = text.length < title.length ? [text, title] : [title, text];
  return short.length >= 12 && short.length > 0.4 * long.length && long.includes(short);
}

const dressOf = (node: TreeNode): string => (node.attrs.class ? `${node.tag}.${node.attrs.class}` : node.tag);

const NO_SPACES = /[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]/g;

/** Words, where a few characters of a script without spaces count as one. */
function countWords(text: string): number {
  let words = 1;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === 32) words++;
  const dense = text.match(NO_SPACES)?.length ?? 0;
  return dense > 4 ? words + Math.round(dense / 2) : words;
}

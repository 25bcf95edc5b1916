// How much the names of the elements around a block, and the words of a short block, speak for body text: sums of weights that were learned for
// single words and pairs of them (tools/article-model/learn-tokens.ts).
// What a reader would get wrong: these are no verdicts. They are features beside the others, for what class-words.json and phrases.json do not
// know: the names that page builders give to teasers, testimonials and boxes, and what their lines say.
import { flatText } from '../../html/flat-text.ts';
import type { TreeNode } from './tree.ts';
import type { View } from './view.ts';

/** By word, or by two words in a row with a space between. */
export interface TokenWeights {
  classes: Record<string, number>;
  texts: Record<string, number>;
}

export interface TokenScores {
  /** By node: what its own names say, and with those of all elements around it. */
  own: Float64Array;
  path: Float64Array;
  /** By block. */
  text: Float64Array;
}

export const NO_TOKENS: TokenScores = {
  own: new Float64Array(0),
  path: new Float64Array(0),
  text: new Float64Array(0),
};

const MAX_NAMES_CHARS = 300;
const MAX_WORDS = 30;
/** Longer lines are judged by what they are, not by what they say. */
export const LINE_CHARS = 120;
// As with other names: what holds most of the page says nothing about a part of it.
const MOST_OF_PROSE = 0.6;

const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLower = (code: number): boolean => code >= 97 && code <= 122;

/** The words of class names: letters only, parted where a capital follows a small letter; '' between two names. */
export function nameWords(names: string): string[] {
  const words: string[] = [];
  let from = -1;
  const end = (at: number) => {
    if (from >= 0 && at - from > 1) words.push(names.slice(from, at).toLowerCase());
    from = -1;
  };
  for (let i = 0; i < names.length && words.length < MAX_WORDS; i++) {
    const code = names.charCodeAt(i);
    const upper = isUpper(code);
    if (!upper && !isLower(code)) {
      end(i);
      if (code === 32) words.push('');
    } else if (from < 0) from = i;
    else if (upper && isLower(names.charCodeAt(i - 1))) {
      end(i);
      from = i;
    }
  }
  end(names.length);
  return words;
}

const LETTERS = /[\p{L}\p{M}']+|\d+/gu;

/** The words of a short line, between marks for its ends. Numbers are all alike. */
export function lineWords(text: string): string[] {
  if (text.length > LINE_CHARS) return [];
  const words = ['^'];
  for (const [word] of text.toLowerCase().matchAll(LETTERS)) words.push(word >= '0' && word <= '9~' ? '0' : word);
  words.push('$');
  return words;
}

/** All single words and pairs, as they are called in the weights. */
export function tokensOf(words: string[]): string[] {
  return words.flatMap((word, i) => {
    if (word === '') return [];
    const before = i > 0 ? words[i - 1]! : '';
    return before === '' ? [word] : [word, `${before} ${word}`];
  });
}

interface Entry {
  weight: number;
  /** By the word before. */
  pairs: Map<string, number> | null;
}

function tableOf(weights: Record<string, number>): Map<string, Entry> {
  const table = new Map<string, Entry>();
  const entryOf = (word: string): Entry => {
    let entry = table.get(word);
    if (!entry) {
      entry = { weight: 0, pairs: null };
      table.set(word, entry);
    }
    return entry;
  };
  for (const token in weights) {
    const space = token.indexOf(' ');
    if (space < 0) entryOf(token).weight = weights[token]!;
    else {
      const entry = entryOf(token.slice(space + 1));
      entry.pairs ??= new Map();
      entry.pairs.set(token.slice(0, space), weights[token]!);
    }
  }
  return table;
}

function sumOf(words: string[], table: Map<string, Entry>): number {
  let sum = 0;
  for (let i = 0; i < words.length; i++) {
    const entry = table.get(words[i]!);
    if (entry === undefined) continue;
    sum += entry.weight;
    if (entry.pairs !== null && i > 0) sum += entry.pairs.get(words[i - 1]!) ?? 0;
  }
  return sum;
}

const MAX_REMEMBERED = 20_000;

/** Whether the names of an element count for the blocks inside. */
export const speaks = (node: TreeNode, { m }: View): boolean =>
  m.blocks[node.index] !== 0 &&
  node.attrs.class !== undefined &&
  node.tag !== 'body' &&
  node.tag !== 'html' &&
  node.attrs.class.length <= MAX_NAMES_CHARS &&
  m.prose[node.index]! <= MOST_OF_PROSE * m.totalProse;

export function tokenReader({ classes, texts }: TokenWeights): (view: View) => TokenScores {
  const [byClass, byText] = [tableOf(classes), tableOf(texts)];
  // Sites and page builders say the same again and again. Forgotten as a whole when full.
  const known = new Map<string, number>();
  const namesScore = (names: string): number => {
    let score = known.get(names);
    if (score === undefined) {
      score = sumOf(nameWords(names), byClass);
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(flatText(names), score);
    }
    return score;
  };
  return (view) => {
    const { nodes } = view.page;
    const own = new Float64Array(nodes.length);
    const path = new Float64Array(nodes.length);
    for (let i = 1; i < nodes.length; i++) {
      const node = nodes[i]!;
      if (speaks(node, view)) own[i] = namesScore(node.attrs.class!);
      path[i] = path[node.parent!.index]! + own[i]!;
    }
    const text = new Float64Array(view.blockFeatures.length);
    for (const { block, isMenu, at } of view.blockFeatures)
      if (!isMenu && block.text.length <= LINE_CHARS) text[at] = sumOf(lineWords(block.text), byText);
    return { own, path, text };
  };
}

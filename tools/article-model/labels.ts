// Which blocks of a page are in its true body: the best way to lay the page's blocks, in order, over the words of the true text.
// What a reader would get wrong: a block is not "in" because its words occur somewhere. Captions quote the story and "Advertisement"
// is a word of many texts; so blocks compete for places, and the chain of places that covers most words wins.
import type { BlockFeatures } from '../../src/extract/article/page/view.ts';
import { wordsOf } from './pages.ts';

interface Place {
  block: number;
  start: number;
  end: number;
  worth: number;
  total: number;
  before: Place | null;
}

const MAX_PLACES = 60;
const LEAST_SHARE = 0.6;

export function labelBlocks(blockFeatures: BlockFeatures[], truth: string): { labels: number[]; words: number[] } {
  const text = wordsOf(truth);
  const tokens = blockFeatures.map((s) => wordsOf(s.block.text));
  const index = new Map<string, number[]>();
  text.forEach((word, i) => {
    const list = index.get(word);
    if (list) list.push(i);
    else index.set(word, [i]);
  });
  // best[p]: the best chain of places that ends at or before word p, as a Fenwick tree of maxima.
  const best: (Place | null)[] = new Array(text.length + 2).fill(null);
  const better = (a: Place | null, b: Place | null) => ((b?.total ?? 0) > (a?.total ?? 0) ? b : a);
  const bestUpTo = (position: number): Place | null => {
    let found: Place | null = null;
    for (let p = position + 1; p > 0; p -= p & -p) found = better(found, best[p]!);
    return found;
  };
  const put = (place: Place) => {
    for (let p = place.end + 1; p < best.length; p += p & -p) best[p] = better(best[p]!, place);
  };
  tokens.forEach((words, block) => {
    const places = placesOf(words, text, index).map(({ start, end, hits }): Place => {
      const before = bestUpTo(start);
      const worth = hits - 0.5 * (words.length - hits);
      return { block, start, end, worth, total: worth + (before?.total ?? 0), before };
    });
    for (const place of places) put(place);
  });
  const labels = tokens.map(() => 0);
  for (let place = bestUpTo(text.length); place; place = place.before) labels[place.block] = 1;
  return { labels, words: tokens.map((t) => t.length) };
}

/** Stretches of the text that read like the block: by the shift most of its words agree on, allowing for a word more or less. */
function placesOf(
  words: string[],
  text: string[],
  index: Map<string, number[]>,
): { start: number; end: number; hits: number }[] {
  if (words.length === 0) return [];
  if (words.length < 4) {
    const exact = (index.get(words[0]!) ?? []).filter((p) => words.every((w, k) => text[p + k] === w));
    return exact.slice(0, MAX_PLACES).map((start) => ({ start, end: start + words.length, hits: words.length }));
  }
  const shifts = new Map<number, number>();
  const step = Math.max(1, Math.floor(words.length / 60));
  for (let w = 0; w + 1 < words.length; w += step) {
    for (const p of index.get(words[w]!) ?? []) {
      if (text[p + 1] === words[w + 1]) shifts.set(p - w, (shifts.get(p - w) ?? 0) + 1);
    }
  }
  const ranked = [...shifts].sort((a, b) => b[1] - a[1]).slice(0, MAX_PLACES);
  return ranked.flatMap(([shift]) => {
    const { hits, end } = follow(words, text, Math.max(0, shift));
    return hits / words.length >= LEAST_SHARE ? [{ start: Math.max(0, shift), end, hits }] : [];
  });
}

function follow(words: string[], text: string[], start: number): { hits: number; end: number } {
  let hits = 0;
  let p = start;
  let end = start;
  for (let w = 0; w < words.length && p < text.length; w++) {
    let skip = 0;
    while (skip <= 4 && text[p + skip] !== words[w]) skip++;
    // A word found far ahead is only believed when the next one agrees.
    if (skip <= 4 && (skip === 0 || w + 1 >= words.length || text[p + skip + 1] === words[w + 1])) {
      hits++;
      p += skip + 1;
      end = p;
    }
  }
  return { hits, end };
}

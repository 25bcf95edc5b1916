// Where the words of a search are in a text: the parts around them, as HTML with `<mark>` around the words and everything else escaped, so that it is safe to show
// whatever the page said. In linear time and memory.

/** Cut around the words that were found; a shorter text is shown as a whole. */
const PART_CHARS = 200;
const PARTS = 2;
/** Shown before the first word of a part. */
const BEFORE_CHARS = 60;
const WORD = /[\p{L}\p{N}]+/gu;

interface Spot {
  start: number;
  end: number;
  word: string;
}

/** The words of a text in lower case that begin like one of these. */
export function wordsLike(text: string, stems: readonly string[]): string[] {
  const first = new Set(stems.map(firstOf));
  return [...new Set(spotsOf(text, (word) => first.has(firstOf(word))).map(({ word }) => word))];
}

/** Null when the text has none of the words. */
export function highlighted(text: string, words: ReadonlySet<string>): string | null {
  const spots = spotsOf(text, (word) => words.has(word));
  if (spots.length === 0) return null;
  if (text.length <= PART_CHARS) return marked(text, spots, 0, text.length);
  return partsOf(text, spots)
    .map(({ start, end }) => {
      const inside = spots.filter((spot) => spot.start >= start && spot.end <= end);
      return `${start > 0 ? '… ' : ''}${marked(text, inside, start, end).trim()}${end < text.length ? ' …' : ''}`;
    })
    .join(' ');
}

const firstOf = (word: string): string => String.fromCodePoint(word.codePointAt(0) ?? 0);

function spotsOf(text: string, isWanted: (word: string) => boolean): Spot[] {
  const spots: Spot[] = [];
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const word = found.toLowerCase();
    if (isWanted(word)) spots.push({ start: index, end: index + found.length, word });
  }
  return spots;
}

/** Those with the most different words; of two alike the earlier. In the order of the text. */
function partsOf(text: string, spots: readonly Spot[]): { start: number; end: number }[] {
  const parts: { start: number; end: number; words: Set<string> }[] = [];
  for (const { start, end, word } of spots) {
    const last = parts.at(-1);
    if (last && end <= last.end) last.words.add(word);
    else {
      const from = Math.max(start - BEFORE_CHARS, last?.end ?? 0, 0);
      parts.push({ start: from, end: Math.max(end, from + PART_CHARS), words: new Set([word]) });
    }
  }
  return parts
    .sort((a, b) => b.words.size - a.words.size || a.start - b.start)
    .slice(0, PARTS)
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => atWords(text, start, Math.min(end, text.length)));
}

/** Words that would be cut are left out, if they are not too long. */
function atWords(text: string, start: number, end: number): { start: number; end: number } {
  const begin = start === 0 ? -1 : text.slice(start, start + BEFORE_CHARS / 2).search(/\s/);
  const tail = end === text.length ? -1 : text.slice(end, end + BEFORE_CHARS / 2).search(/\s/);
  return { start: begin < 0 ? start : start + begin, end: tail < 0 ? end : end + tail };
}

function marked(text: string, spots: readonly Spot[], start: number, end: number): string {
  let html = '';
  let at = start;
  for (const spot of spots) {
    html += `${escaped(text.slice(at, spot.start))}<mark>${escaped(text.slice(spot.start, spot.end))}</mark>`;
    at = spot.end;
  }
  return html + escaped(text.slice(at, end));
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.toWellFormed().replace(/[&<>"']/g, (char) => ENTITIES[char]!);

// What the words of a line say it is: a credit, a promotion, a byline. Signs for the model to weigh, never a verdict: articles
// are also written about newsletters.
import phrases from './phrases.json' with { type: 'json' };
import { hashOf, hashWith } from './words.ts';

export const PHRASE_KINDS = ['related', 'promo', 'credit', 'byline', 'dated', 'legal', 'meta'] as const;

interface Phrase {
  words: string[];
  bit: number;
  /** Too short or common to mean anything in the middle of a line. */
  onlyAtStart: boolean;
}

export interface PhraseSigns {
  /** Bits of PHRASE_KINDS whose phrases begin the line. */
  start: number;
  /** Bits of those that stand anywhere in it. */
  any: number;
}

export const NO_PHRASES: PhraseSigns = { start: 0, any: 0 };
const TOKEN = /[\p{L}\p{N}]+|[:©]/gu;
const tokensOf = (text: string): string[] => text.toLowerCase().match(TOKEN) ?? [];

const byFirstWord = new Map<string, Phrase[]>();
PHRASE_KINDS.forEach((kind, i) => {
  for (const text of phrases[kind]) {
    const words = tokensOf(text);
    const list = byFirstWord.get(words[0]!) ?? [];
    list.push({ words, bit: 1 << i, onlyAtStart: text.length <= 4 });
    byFirstWord.set(words[0]!, list);
  }
});

// Long lines are prose, whatever words they hold; only their opening is read.
const READ_WHOLE_CHARS = 240;
const OPENING_CHARS = 60;

export function phraseSigns(text: string): PhraseSigns {
  const whole = text.length <= READ_WHOLE_CHARS;
  const end = whole ? text.length : OPENING_CHARS;
  if (!mayHold(text, end, whole)) return NO_PHRASES;
  const tokens = tokensOf(text.slice(0, end));
  let start = 0;
  let any = 0;
  for (let at = 0; at < tokens.length && (whole || at === 0); at++) {
    const candidates = byFirstWord.get(tokens[at]!);
    if (!candidates) continue;
    for (const { words, bit, onlyAtStart } of candidates) {
      if ((onlyAtStart && at > 0) || !matches(tokens, at, words)) continue;
      any |= bit;
      if (at === 0) start |= bit;
    }
  }
  return any === 0 ? NO_PHRASES : { start, any };
}

function matches(tokens: string[], at: number, words: string[]): boolean {
  for (let i = 1; i < words.length; i++) if (tokens[at + i] !== words[i]) return false;
  return true;
}

// Nearly no line holds a phrase, and cutting all of them into words was most of the work. So a line is first read letter by letter: the hashes of
// its words, and of each with the one before it, are looked up among those of the phrases' beginnings. A hash may lie, but only
// towards looking closely.
const LATIN_END = 0x250;
const UNSURE = 0xffff;
/** Letters and digits in lower case, 0 for what parts words. */
const LATIN = Uint16Array.from({ length: LATIN_END }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase();
  if (lower.length > 1) return UNSURE;
  return /[\p{L}\p{N}]/u.test(lower) || lower === ':' || lower === '©' ? lower.charCodeAt(0) : 0;
});
const ANYWHERE = 1;
const AT_START = 2;
const HASH_BITS = 14;
const place = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> (32 - HASH_BITS);
const pair = (before: number, hash: number): number => (Math.imul(before, 31) + hash + 1) | 0;
const beginnings = new Map<number, number>();
/** What the map may have for a hash: asking it for every word is too expensive. */
const mayBegin = new Uint8Array(1 << HASH_BITS);
for (const list of byFirstWord.values()) {
  for (const { words, onlyAtStart } of list) {
    const [first, second] = words.map(hashOf);
    const hash = second === undefined ? first! : pair(first!, second);
    const where = onlyAtStart ? AT_START : ANYWHERE;
    beginnings.set(hash, (beginnings.get(hash) ?? 0) | where);
    mayBegin[place(hash)]! |= where;
  }
}

function begins(hash: number, isFirst: boolean): boolean {
  const wanted = isFirst ? ANYWHERE | AT_START : ANYWHERE;
  return (mayBegin[place(hash)]! & wanted) !== 0 && ((beginnings.get(hash) ?? 0) & wanted) !== 0;
}

/** False only when no phrase begins in the line, or at its start when it is not whole. Scripts beyond Latin are always looked at closely. */
function mayHold(line: string, end: number, whole: boolean): boolean {
  let before = 0;
  let hash = 0;
  let words = 0;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? line.charCodeAt(i) : 32;
    if (code >= 97 && code <= 122) {
      hash = hashWith(hash, code);
      continue;
    }
    // Dashes and quotes part words as a space does.
    if (code >= LATIN_END && (code < 0x2010 || code > 0x2027)) return true;
    const letter = code < LATIN_END ? LATIN[code]! : 0;
    if (letter === UNSURE) return true;
    const isMark = letter === 58 || letter === 169;
    if (letter !== 0 && !isMark) {
      hash = hashWith(hash, letter);
      continue;
    }
    // A mark is a word of its own, and ends the one before it.
    for (let word = hash !== 0 ? hash : isMark ? letter : 0; word !== 0; ) {
      if (begins(word, words === 0) || (words > 0 && begins(pair(before, word), words === 1))) return true;
      words++;
      if (!whole && words === 2) return false;
      before = word;
      word = hash !== 0 && isMark ? letter : 0;
      hash = 0;
    }
  }
  return false;
}

// What the words of a line say it is: a credit, a promotion, a byline. Signs for the model to weigh, never a verdict: articles
// are also written about newsletters.
import phrases from './phrases.json' with { type: 'json' };

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
  const tokens = tokensOf(whole ? text : text.slice(0, OPENING_CHARS));
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

// Finds the words of words.json in a sentence: one pass over its words, whatever their number, since each word is looked up once and phrases are short.
// What a reader would get wrong: within one concept the longest phrase hides what is inside it ("kein muss" is a wish, not a denial), but concepts do not
// hide each other: "no experience" is a fact about years and a denial at once.
import { createMemo } from '../../../model/memo.ts';
import words from './words.json' with { type: 'json' };

export type Concept = 'common' | 'degree' | 'visa' | 'contract' | 'years';

export interface Mark {
  concept: Concept;
  kind: string;
  /** Places of its first word and behind its last. */
  start: number;
  end: number;
}

interface Phrase {
  concept: Concept;
  kind: string;
  words: string[];
}

const CONCEPTS = ['common', 'degree', 'visa', 'contract', 'years'] as const;
const MIN_ENDING = 4;
const MAX_WORD = 40;

interface Vocabulary {
  /** By their first word, the longest first. */
  phrases: Map<string, Phrase[]>;
  endings: Map<string, Phrase[]>;
}

// A memo of constant data: built at the first text.
let loaded: Vocabulary | undefined;

function vocabulary(): Vocabulary {
  loaded ??= build();
  return loaded;
}

function build(): Vocabulary {
  const phrases = new Map<string, Phrase[]>();
  const endings = new Map<string, Phrase[]>();
  const put = (map: Map<string, Phrase[]>, key: string, phrase: Phrase) => {
    const list = map.get(key) ?? [];
    list.push(phrase);
    map.set(
      key,
      list.sort((a, b) => b.words.length - a.words.length),
    );
  };
  for (const concept of CONCEPTS)
    for (const [kind, lists] of Object.entries(words[concept] as Record<string, Record<string, string>>))
      for (const text of Object.values(lists).flatMap((list) => list.split('|'))) {
        const phrase = { concept, kind, words: text.split(' ') };
        if (text.startsWith('-')) put(endings, text.slice(1), { ...phrase, words: [text] });
        else put(phrases, phrase.words[0]!, phrase);
      }
  return { phrases, endings };
}

/** Most words begin no phrase, and texts repeat their words. */
const candidates = createMemo<Phrase[]>(20_000);
const NONE: Phrase[] = [];

function beginningWith(word: string): Phrase[] {
  if (word.length > MAX_WORD) return NONE;
  const { phrases, endings } = vocabulary();
  const whole = phrases.get(word) ?? NONE;
  for (let length = word.length - 1; length >= MIN_ENDING; length--) {
    const ending = endings.get(word.slice(-length));
    if (ending !== undefined) return [...whole, ...ending];
  }
  return whole;
}

/** The marks of a sentence, in their order; words are in lower case. */
export function marksIn(sentence: readonly string[]): Mark[] {
  const marks: Mark[] = [];
  const covered: Partial<Record<Concept, number>> = {};
  for (let i = 0; i < sentence.length; i++) {
    const found = candidates(sentence[i]!, beginningWith);
    for (const { concept, kind, words: phrase } of found) {
      if ((covered[concept] ?? 0) > i) continue;
      if (phrase.some((word, at) => at > 0 && sentence[i + at] !== word)) continue;
      covered[concept] = i + phrase.length;
      marks.push({ concept, kind, start: i, end: i + phrase.length });
    }
  }
  return marks;
}

// Made-up prose: sentence patterns with slots, filled from word lists of one language (words/*.json). A text has a cast (two people,
// two organisations, a place, a subject) that stays the same throughout, so that it reads like one story. Patterns are split into
// pieces once per language; filling one is a handful of array reads, because this runs for every page of a load test.
import type { Random } from '../random.ts';
import en from './words/en.json' with { type: 'json' };
import fr from './words/fr.json' with { type: 'json' };
import ja from './words/ja.json' with { type: 'json' };

type Words = typeof en;
type Topics = Words['topics'];
export type TopicKey = keyof Topics;

/** Literal, slot, literal, slot, …, literal; `opening` is the first literal as it begins a sentence. */
interface Pattern {
  opening: string;
  parts: readonly string[];
}

type Patterns = Record<(typeof PATTERN_LISTS)[number], readonly Pattern[]>;
export const PATTERN_LISTS = [
  'titles',
  'standfirsts',
  'leads',
  'openers',
  'cores',
  'tails',
  'quotes',
  'attributions',
  'headings',
  'listIntros',
  'listItems',
  'captions',
  'credits',
] as const;

export interface Language {
  code: string;
  words: Words;
  patterns: Patterns;
}

export interface Cast {
  topic: TopicKey;
  person: string;
  last: string;
  person2: string;
  last2: string;
  /** Wrote the story and is not in it. */
  reporter: string;
  role: string;
  role2: string;
  org: string;
  org2: string;
  place: string;
  place2: string;
  thing: string;
  field: string;
  problem: string;
}

export const TOPICS = Object.keys(en.topics) as TopicKey[];

function splitPattern(text: string): Pattern {
  const parts = text.split(/[{}]/);
  return { opening: capitalised(parts[0] as string), parts };
}

function makeLanguage(code: string, words: Words): Language {
  const patterns = Object.fromEntries(
    PATTERN_LISTS.map((list) => [list, words[list].map(splitPattern)]),
  ) as unknown as Patterns;
  return { code, words, patterns };
}

export const LANGUAGES = { en: makeLanguage('en', en), fr: makeLanguage('fr', fr), ja: makeLanguage('ja', ja) };

function pickTwo<T>(random: Random, choices: readonly T[]): [T, T] {
  const first = random.between(0, choices.length - 1);
  const second = (first + random.between(1, choices.length - 1)) % choices.length;
  return [choices[first] as T, choices[second] as T];
}

export function makeCast(language: Language, random: Random, topic?: TopicKey): Cast {
  const { words } = language;
  const key = topic ?? random.pick(TOPICS);
  const [last, last2] = pickTwo(random, words.family);
  const [org, org2] = pickTwo(random, words.orgs);
  const [place, place2] = pickTwo(random, words.places);
  const [first, first2] = pickTwo(random, words.first);
  const [role, role2] = pickTwo(random, words.roles);
  const name = (given: string, family: string) => (words.isFamilyNameFirst ? family + given : `${given} ${family}`);
  const lists = words.topics[key];
  const [thing, field, problem] = [random.pick(lists.things), random.pick(lists.fields), random.pick(lists.problems)];
  const reporter = name(random.pick(words.first), random.pick(words.family));
  const people = { person: name(first, last), last, person2: name(first2, last2), last2, reporter, role, role2 };
  return { topic: key, ...people, org, org2, place, place2, thing, field, problem };
}

/** Writes sentences about one cast. `cores` never repeat within the text until the list is used up. */
export class Writer {
  readonly #language: Language;
  readonly #random: Random;
  readonly #cast: Cast;
  #core: number;
  #quote: number;

  constructor(language: Language, random: Random, cast: Cast) {
    this.#language = language;
    this.#random = random;
    this.#cast = cast;
    this.#core = random.between(0, language.patterns.cores.length - 1);
    this.#quote = random.between(0, language.patterns.quotes.length - 1);
  }

  /** One pattern of a list, filled. */
  line(list: (typeof PATTERN_LISTS)[number]): string {
    return this.#fill(this.#random.pick(this.#language.patterns[list]), true);
  }

  paragraph(sentences: number): string {
    let text = this.#sentence();
    for (let i = 1; i < sentences; i++) text += this.#language.words.join + this.#sentence();
    return text;
  }

  lead(): string {
    return this.line('leads') + this.#language.words.stop;
  }

  quote(): string {
    return this.#nextQuote() + this.#language.words.stop;
  }

  #sentence(): string {
    const { patterns, words } = this.#language;
    const random = this.#random;
    if (random.chance(0.14)) return this.#fill(random.pick(patterns.attributions), true) + words.stop;
    // A step that shares no factor with the list's length visits every core before any comes again.
    this.#core = (this.#core + 37) % patterns.cores.length;
    const core = patterns.cores[this.#core] as Pattern;
    const isOpened = random.chance(0.3);
    const opener = isOpened ? this.#fill(random.pick(patterns.openers), true) + words.join : '';
    const tail = random.chance(0.22) ? this.#fill(random.pick(patterns.tails), false) : '';
    return opener + this.#fill(core, !isOpened) + tail + words.stop;
  }

  #nextQuote(): string {
    const { quotes } = this.#language.patterns;
    this.#quote = (this.#quote + 1) % quotes.length;
    return this.#fill(quotes[this.#quote] as Pattern, true);
  }

  #fill({ opening, parts }: Pattern, isBeginning: boolean): string {
    let text = isBeginning ? opening : (parts[0] as string);
    for (let i = 1; i < parts.length; i += 2) {
      const word = this.#slot(parts[i] as string);
      text += (isBeginning && text === '' ? capitalised(word) : word) + parts[i + 1];
    }
    return text;
  }

  #slot(name: string): string {
    const { words } = this.#language;
    const random = this.#random;
    switch (name) {
      case 'num':
        return String(random.between(3, 96));
      case 'big':
        return `${random.between(1, 48)}${words.thousands}${String(random.between(0, 999)).padStart(3, '0')}`;
      case 'pct':
        return String(random.between(6, 88));
      case 'year':
        return String(random.between(2012, 2026));
      case 'month':
        return random.pick(words.months);
      case 'weekday':
        return random.pick(words.weekdays);
      case 'group':
        return random.pick(words.groups);
      case 'adj':
        return random.pick(words.adjectives);
      case 'quote':
        return this.#nextQuote();
      default:
        return this.#cast[name as keyof Cast] ?? unknownSlot(name);
    }
  }
}

function unknownSlot(name: string): never {
  throw new Error(`words/*.json uses {${name}}, which no slot fills`);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

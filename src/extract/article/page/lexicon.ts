// What class names and ids say about an element, as bits of meaning.
// What a reader would get wrong: names are read as English compounds, where the last word says what a thing is (`post-share`,
// `related-posts` once "posts" is known to be filler). A word in front is a weaker sign, hence two sets of bits.
import { flatText } from '../../html/flat-text.ts';
import words from './class-words.json' with { type: 'json' };

export const MEANINGS = [
  'comment',
  'related',
  'share',
  'promo',
  'ad',
  'nav',
  'aside',
  'byline',
  'date',
  'meta',
  'caption',
  'media',
  'hidden',
  'lead',
  'inset',
  'embed',
  'content',
] as const;
export type Meaning = (typeof MEANINGS)[number];

export const bitOf = (meaning: Meaning): number => 1 << MEANINGS.indexOf(meaning);

export const meaningBits = (...meanings: Meaning[]): number => meanings.reduce((bits, m) => bits | bitOf(m), 0);

const BITS = new Map<string, number>();
for (const meaning of MEANINGS)
  for (const word of words[meaning]) BITS.set(word, (BITS.get(word) ?? 0) | bitOf(meaning));
const FILLER = new Set(words.filler);
// A first word that makes the rest no sign at all (`tag-news` on an article), or that only names the page builder.
const MUTE_PREFIX = new Set(words.mutePrefix);
const DROP_PREFIX = new Set(words.dropPrefix);

const TEXT_WORDS = new Set(['article', 'story', 'post', 'entry', 'news', 'blog', 'single', 'detail']);
const INSIDE_WORDS = new Set(['body', 'content', 'text', 'copy']);

export interface Sense {
  /** The token is such a thing. */
  strong: number;
  /** The token means such a thing. */
  weak: number;
}

const NOTHING: Sense = { strong: 0, weak: 0 };

const MAX_TOKENS = 10_000;

/** Pages of a site, and of sites with one theme, use the same class names: the meaning of a name is computed once. Forgotten as a whole when full. */
function remembered(work: (token: string) => Sense): (token: string) => Sense {
  const known = new Map<string, Sense>();
  return (token) => {
    let sense = known.get(token);
    if (!sense) {
      sense = work(token);
      if (known.size >= MAX_TOKENS) known.clear();
      // The name as it came is a cut of its page, and would keep all of it.
      known.set(flatText(token), sense);
    }
    return sense;
  };
}

const senseOfToken = remembered((token) => {
  const parts = token
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== '');
  while (parts.length > 1 && DROP_PREFIX.has(parts[0]!)) parts.shift();
  if (parts.length === 0 || parts.length > 8 || MUTE_PREFIX.has(parts[0]!)) return NOTHING;
  let end = parts.length;
  let strong = bits(parts, end - 1);
  while (strong === 0 && end > 1 && FILLER.has(parts[end - 1]!)) {
    end--;
    strong = bits(parts, end - 1);
  }
  // `article-inner-content`, `post__text`: a word for a text and a word for its inside, with anything between.
  if (parts.some((p) => TEXT_WORDS.has(p)) && parts.some((p) => INSIDE_WORDS.has(p))) strong |= bitOf('content');
  let weak = 0;
  for (let i = 0; i < end - 1; i++) weak |= bits(parts, i);
  weak &= ~strong;
  return strong === 0 && weak === 0 ? NOTHING : { strong, weak };
});

/** Meaning of the word at `at`, alone or joined with the one before it (`sign-up`, `side-bar`). */
function bits(parts: string[], at: number): number {
  const word = parts[at]!;
  const joined = at > 0 ? meaningOf(parts[at - 1]! + word) : 0;
  return joined || meaningOf(word);
}

const meaningOf = (word: string): number =>
  BITS.get(word) ?? (word.endsWith('s') ? BITS.get(word.slice(0, -1)) : undefined) ?? 0;

const MAX_NAMES_CHARS = 600;

/** Reads class and id of elements; remembers names it has seen, so make one for each page. */
export function classReader(): (attrs: Record<string, string>) => Sense {
  const seen = new Map<string, Sense>();
  const read = (names: string): Sense => {
    let sense = seen.get(names);
    if (!sense) {
      sense = /\s/.test(names) ? senseOfAll(names.split(/\s+/)) : senseOfToken(names);
      seen.set(names, sense);
    }
    return sense;
  };
  return ({ class: names, id }) => {
    const styleOfBlock = names && names.length <= MAX_NAMES_CHARS ? read(names) : NOTHING;
    return id && id.length <= MAX_NAMES_CHARS ? both(styleOfBlock, read(id)) : styleOfBlock;
  };
}

function senseOfAll(tokens: string[]): Sense {
  let strong = 0;
  let weak = 0;
  for (const token of tokens) {
    const sense = senseOfToken(token);
    strong |= sense.strong;
    weak |= sense.weak;
  }
  return strong === 0 && weak === 0 ? NOTHING : { strong, weak: weak & ~strong };
}

function both(a: Sense, b: Sense): Sense {
  if (b.strong === 0 && b.weak === 0) return a;
  const strong = a.strong | b.strong;
  return { strong, weak: (a.weak | b.weak) & ~strong };
}

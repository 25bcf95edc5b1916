// Small questions about a text, asked of every block of every page: written as loops where a regular expression would scan.

const WORD = /[\p{L}\p{N}_]+/gu;

const BEYOND_ASCII = /[^\0-\x7f]/;
// What parts words, but for the single space that is to be there.
const ASCII_MARKS = / *[^a-z0-9_ ][^a-z0-9_]*| {2,}/g;

/** Bare words in lower case with one space between: for comparing texts that differ in marks. Most texts need only lose a mark or two. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (BEYOND_ASCII.test(lower)) return (lower.match(WORD) ?? []).join(' ');
  return lower.replace(ASCII_MARKS, ' ').trim();
}

/** One text is most of the other: page titles carry the site's name, headings carry a label. Both folded. */
export function sharesTitle(text: string, title: string): boolean {
  if (text === '' || title === '') return false;
  if (text === title) return true;
  const [short, long] = text.length < title.length ? [text, title] : [title, text];
  return short.length >= 12 && short.length > 0.4 * long.length && long.includes(short);
}

const STOPS = '.!?。！？…:;';
const CLOSERS = '"\'”’)»]」』';

export function endsSentence(text: string): boolean {
  let at = text.length - 1;
  while (at > 0 && CLOSERS.includes(text[at]!)) at--;
  return STOPS.includes(text[at] ?? ' ');
}

/** Signs that one pass over the letters of a text finds. */
export interface TextSigns {
  /** Two characters of a script without spaces count as one. */
  words: number;
  /** Sentences that end inside the text, counted up to a few. */
  sentences: number;
  /** Of the first words, the share that begins with a capital. */
  upperShare: number;
  /** Share of digits among the first letters. */
  digitShare: number;
  /** Share of the title's longer words it has. */
  titleWords: number;
}

/** A longer word of a title, and where its pairs of letters are marked; none for a word of other letters than ASCII. */
export interface TitleWord {
  word: string;
  pairs: number[];
}

const PAIRS = 1 << 10;
/** Upper and lower case fall on the same place. */
const pairOf = (before: number, code: number): number => (((before | 32) << 5) ^ (code | 32)) & (PAIRS - 1);

/** Of a title that is folded. */
export function titleWordsOf(title: string): TitleWord[] {
  return title
    .split(' ')
    .filter((word) => word.length > 3)
    .map((word) => {
      const pairs: number[] = [];
      const count = /^\w+$/.test(word) ? word.length - 1 : 0;
      for (let i = 0; i < count; i++) pairs.push(pairOf(word.charCodeAt(i), word.charCodeAt(i + 1)));
      return { word, pairs };
    });
}

// Whether the text that is being read has a pair of letters: it has when the text's number stands there. Four of five words of a title that are not in
// a text have a pair that is not in it either, and telling so takes a tenth of a search.
const marks = new Uint32Array(PAIRS);
let textNumber = 0;

const OPENING_CHARS = 200;
const MAX_SENTENCES = 6;
const TITLE_WITHIN_CHARS = 600;
const TITLE_MIN_CHARS = 20;

/** Of a text that is not empty and has its white space folded. */
export function textSigns(text: string, title: TitleWord[]): TextSigns {
  const opening = Math.min(OPENING_CHARS, text.length);
  let words = 1;
  let dense = 0;
  let sentences = 0;
  let begun = 1;
  let upper = isUpper(text, 0) ? 1 : 0;
  let digits = 0;
  let before = 0;
  let isPlain = true;
  textNumber = (textNumber + 1) >>> 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    marks[pairOf(before, code)] = textNumber;
    before = code;
    if (code >= 97 && code <= 122) continue;
    if (code === 32) {
      words++;
      if (i + 1 < opening) {
        begun++;
        if (isUpper(text, i + 1)) upper++;
      }
    } else if (code >= 48 && code <= 57) {
      if (i < opening) digits++;
    } else if (code === 46 || code === 33 || code === 63) {
      if (endsHere(text, i + 1)) sentences++;
    } else if (code > 127 && !isQuoteOrDash(code)) {
      isPlain = false;
      if (code < 0x0e00) continue;
      if (code <= 0x0e7f || (code >= 0x3040 && code <= 0x30ff) || (code >= 0x4e00 && code <= 0x9fff)) dense++;
      else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) sentences++;
    }
  }
  return {
    words: dense > 4 ? words + (dense >> 1) : words,
    sentences: Math.min(MAX_SENTENCES, sentences),
    upperShare: upper / begun,
    digitShare: digits / opening,
    titleWords: title.length === 0 || text.length < TITLE_MIN_CHARS ? 0 : titleShare(text, title, isPlain),
  };
}

/** Of the text that was read last. Letters beyond ASCII may be others in lower case, so a text with them is searched for every word. */
function titleShare(text: string, title: TitleWord[], isPlain: boolean): number {
  let lower: string | undefined;
  let found = 0;
  for (const { word, pairs } of title) {
    if (isPlain && !hasAll(pairs)) continue;
    lower ??= text.slice(0, TITLE_WITHIN_CHARS).toLowerCase();
    if (lower.includes(word)) found++;
  }
  return found / title.length;
}

function hasAll(pairs: number[]): boolean {
  for (let i = 0; i < pairs.length; i++) if (marks[pairs[i]!] !== textNumber) return false;
  return true;
}

const isQuoteOrDash = (code: number): boolean => code >= 0x2010 && code <= 0x2027;

function isUpper(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 191) return code >= 65 && code <= 90;
  // Quotes and dashes are what begins a word oftenest of all that is not ASCII.
  return !isQuoteOrDash(code) && text[at] !== text[at]!.toLowerCase();
}

/** Whether a stop before `next` ends a sentence: not one inside a number or an address. */
function endsHere(text: string, next: number): boolean {
  if (next >= text.length) return true;
  const code = text.charCodeAt(next);
  return code === 32 || (!(code >= 48 && code <= 57) && text.charCodeAt(next + 1) === 32);
}

/** The hash of a word, letter by letter: finds words that are not in a list without creating substrings. */
export const hashWith = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

export function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = hashWith(hash, word.charCodeAt(i));
  return hash;
}

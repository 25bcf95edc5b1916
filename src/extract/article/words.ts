// Small questions about a text, asked of every block of every page: written as loops where a regular expression would scan.

const WORD = /[\p{L}\p{N}_]+/gu;

/** Bare words in lower case with one space between: for comparing texts that differ in marks. */
export const foldText = (text: string): string => (text.toLowerCase().match(WORD) ?? []).join(' ');

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

/** What one look at each letter of a text tells. */
export interface TextSigns {
  /** Two characters of a script without spaces count as one. */
  words: number;
  /** Sentences that end inside the text, counted up to a few. */
  sentences: number;
  /** Of the first words, the share that begins with a capital. */
  upperShare: number;
  /** Share of digits among the first letters. */
  digitShare: number;
}

const OPENING_CHARS = 200;
const MAX_SENTENCES = 6;

/** Of a text that is not empty and has its white space folded. */
export function textSigns(text: string): TextSigns {
  const opening = Math.min(OPENING_CHARS, text.length);
  let words = 1;
  let dense = 0;
  let sentences = 0;
  let begun = 0;
  let upper = 0;
  let digits = 0;
  let before = 32;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (i < opening) {
      if (before === 32) {
        begun++;
        if ((code >= 65 && code <= 90) || (code > 191 && text[i] !== text[i]!.toLowerCase())) upper++;
      }
      if (code >= 48 && code <= 57) digits++;
      before = code;
    }
    if (code >= 97 && code <= 122) continue;
    if (code === 32) words++;
    else if (code === 46 || code === 33 || code === 63) {
      if (endsHere(text, i + 1)) sentences++;
    } else if (code >= 0x0e00) {
      if (code <= 0x0e7f || (code >= 0x3040 && code <= 0x30ff) || (code >= 0x4e00 && code <= 0x9fff)) dense++;
      else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) sentences++;
    }
  }
  return {
    words: dense > 4 ? words + (dense >> 1) : words,
    sentences: Math.min(MAX_SENTENCES, sentences),
    upperShare: upper / begun,
    digitShare: digits / opening,
  };
}

/** Whether a stop before `next` ends a sentence: not one inside a number or an address. */
function endsHere(text: string, next: number): boolean {
  if (next >= text.length) return true;
  const code = text.charCodeAt(next);
  return code === 32 || (!(code >= 48 && code <= 57) && text.charCodeAt(next + 1) === 32);
}

/** A word as a number, letter by letter: to tell words that are not in a list without cutting them out. */
export const hashWith = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

export function hashOf(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = hashWith(hash, word.charCodeAt(i));
  return hash;
}

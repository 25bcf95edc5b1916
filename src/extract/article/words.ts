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

/** Words, where two characters of a script without spaces count as one. */
export function countWords(text: string): number {
  let words = 1;
  let dense = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 32) words++;
    else if (
      code >= 0x0e00 &&
      (code <= 0x0e7f || (code >= 0x3040 && code <= 0x30ff) || (code >= 0x4e00 && code <= 0x9fff))
    )
      dense++;
  }
  return dense > 4 ? words + (dense >> 1) : words;
}

/** Sentences that end inside the text, counted up to a few. */
export function countSentences(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length && count < 6; i++) {
    const code = text.charCodeAt(i);
    if (code === 46 || code === 33 || code === 63) {
      const next = text.charCodeAt(i + 1);
      if (Number.isNaN(next) || next === 32 || (!(next >= 48 && next <= 57) && text.charCodeAt(i + 2) === 32)) count++;
    } else if (code === 0x3002 || code === 0xff01 || code === 0xff1f) count++;
  }
  return count;
}

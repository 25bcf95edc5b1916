// How many columns of a terminal a text takes: 東 and 🚀 take two, a combining accent none.
// What a reader would get wrong: text of web pages has control characters, which a terminal would obey, and marks without end, which it would draw over other lines.
import stringWidth from 'string-width';

const PLAIN = /^[\x20-\x7e]*$/;
/** A joiner between two emoji is part of one sign. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]/u;
/** No cell shows more, and nothing longer is measured. */
const MOST_CHARS = 2_000;
const MOST_MARKS = 4;

export const textWidth = (text: string): number => (PLAIN.test(text) ? text.length : stringWidth(text));

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** One line without anything that a terminal would act on. */
export function harmless(text: string): string {
  const short = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text;
  if (PLAIN.test(short)) return short.trim();
  let made = '';
  for (const { segment } of signs.segment(short)) {
    const sign = [...segment].slice(0, MOST_MARKS + 1).join('');
    const seen = [...sign].filter((one, at) => !UNSEEN.test(one) || (one === '\u200d' && at > 0)).join('');
    if (seen !== '') made += seen;
    else if (!made.endsWith(' ')) made += ' ';
  }
  return made.trim();
}

/** Never through the middle of a sign. `…` says that there was more. */
export function shorten(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let made = '';
  let used = 0;
  for (const { segment } of signs.segment(text)) {
    const more = textWidth(segment);
    if (used + more > width - 1) break;
    made += segment;
    used += more;
  }
  return `${made.trimEnd()}…`;
}

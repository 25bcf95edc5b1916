// A text that lies in memory on its own. The engine keeps what was cut out of a string as a pointer into it: reading such a cut letter by letter
// takes five times as long, and a few words hold a whole page in memory. And one curly quote anywhere on a page makes every text of it two bytes a
// letter, for which lowering and searching are several times slower: a text without such letters is kept in one.
// What a reader would get wrong: nothing about the text changes. It is a matter of time and memory only, worth it for a text that is looked at more
// than once.

/** Cuts up to this length are copies already. */
const SHORT_CHARS = 12;
const SCRATCH_CHARS = 1 << 12;
// Written and read within one call, never kept between two.
const scratch = Buffer.allocUnsafeSlow(2 * SCRATCH_CHARS);
const NEEDS_TWO_BYTES = /[^\0-\xff]/;

export function flatText(text: string): string {
  if (text.length <= SHORT_CHARS) return text;
  const encoding = NEEDS_TWO_BYTES.test(text) ? 'utf16le' : 'latin1';
  if (text.length > SCRATCH_CHARS) return Buffer.from(text, encoding).toString(encoding);
  return scratch.toString(encoding, 0, scratch.write(text, 0, encoding));
}

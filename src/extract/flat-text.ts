// A text that lies in memory on its own. The engine keeps what was cut out of a string as a pointer into it: reading such a cut letter by letter
// takes five times as long, and a few words hold a whole page in memory.
// What a reader would get wrong: nothing about the text changes. It is a matter of time and memory only, worth it for a text that is looked at more
// than once.

/** Cuts up to this length are copies already. */
const SHORT_CHARS = 12;
const SCRATCH_CHARS = 1 << 12;
// Written and read within one call, never kept between two.
const scratch = Buffer.allocUnsafeSlow(2 * SCRATCH_CHARS);

export function flatText(text: string): string {
  if (text.length <= SHORT_CHARS) return text;
  if (text.length > SCRATCH_CHARS) return Buffer.from(text, 'utf16le').toString('utf16le');
  return scratch.toString('utf16le', 0, scratch.write(text, 0, 'utf16le'));
}

// Bytes to text: byte-order mark, then the header, then what the document says of itself, then a guess.
// What a reader would get wrong: a declaration is only believed while the bytes do not contradict it. Pages that say
// ISO-8859-1 and send UTF-8 are common, and valid UTF-8 with non-ASCII bytes is never anything else by chance.
import iconv from 'iconv-lite';

export interface Decoded {
  text: string;
  /** The encoding used, in lower case. */
  charset: string;
  /** What decided. */
  from: 'bom' | 'utf8-bytes' | 'header' | 'document' | 'guess';
}

const HEAD_BYTES = 4_096;

// Names browsers treat as something wider than what they say.
const WIDER: Record<string, string> = {
  'iso-8859-1': 'windows-1252',
  'iso8859-1': 'windows-1252',
  latin1: 'windows-1252',
  ascii: 'windows-1252',
  'us-ascii': 'windows-1252',
  'iso-8859-9': 'windows-1254',
  'iso-8859-11': 'windows-874',
  'tis-620': 'windows-874',
  gb2312: 'gb18030',
  gbk: 'gb18030',
  'x-gbk': 'gb18030',
  'ks_c_5601-1987': 'cp949',
  'euc-kr': 'cp949',
  'x-sjis': 'shift_jis',
  'windows-31j': 'shift_jis',
  'x-x-big5': 'big5-hkscs',
  big5: 'big5-hkscs',
};

/** Bytes of a page and its Content-Type header to text. Never throws: bytes that mean nothing become U+FFFD. */
export function decode(bytes: Uint8Array, contentType?: string | null): string {
  return decodeWithOrigin(bytes, contentType).text;
}

export function decodeWithOrigin(bytes: Uint8Array, contentType?: string | null): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = byteOrderMark(buffer);
  if (marked) return { text: iconv.decode(buffer, marked), charset: marked, from: 'bom' };

  const header = known(/charset\s{0,9}=[\s"']{0,9}([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1]);
  const declared = header ?? documentCharset(buffer);
  const from = header ? 'header' : declared ? 'document' : 'guess';

  if (declared?.startsWith('utf-16')) return { text: iconv.decode(buffer, declared), charset: declared, from };
  const utf8 = tryUtf8(buffer);
  if (utf8 !== null)
    return { text: utf8, charset: 'utf-8', from: declared && declared !== 'utf-8' ? 'utf8-bytes' : from };
  if (declared && declared !== 'utf-8') return { text: iconv.decode(buffer, declared), charset: declared, from };
  if (declared === 'utf-8' && mostlyUtf8(buffer)) return { text: buffer.toString('utf8'), charset: 'utf-8', from };
  const guessed = guess(buffer);
  return { text: iconv.decode(buffer, guessed), charset: guessed, from: 'guess' };
}

const DOUBLE =
  /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|\u00e2[\u20ac\u201a-\u2122][\u0080-\u00bf\u0152-\u2122]/g;
// These cannot be text: control characters nobody types, and the beginnings of curly quotes and dashes read as windows-1252.
const SURELY_DOUBLE = /[\u00c2-\u00ef][\u0080-\u009f]|\u00e2\u20ac[\u0153\u0161\u017e\u02dc\u2018-\u2122\u009d\u00a6]/;

/** Text that was encoded as UTF-8 twice ("Investorâ€™s") read right. Text without the sure signs of it is returned as it is. */
export function mendDoubleEncoding(text: string): string {
  // A plain search first: it is many times faster, and most texts have none of these letters.
  if (!text.includes('\u00e2') && !text.includes('\u00c3') && !text.includes('\u00c2')) return text;
  if (!SURELY_DOUBLE.test(text)) return text;
  return text.replace(DOUBLE, (found) => {
    const bytes = Buffer.from(
      [...found].map((c) => (c.charCodeAt(0) < 256 ? c.charCodeAt(0) : iconv.encode(c, 'windows-1252')[0]!)),
    );
    return tryUtf8(bytes) ?? found;
  });
}

function byteOrderMark(b: Buffer): string | null {
  if (b[0] === 0xef && b[1] === 0xbb && b[2] === 0xbf) return 'utf-8';
  if (b[0] === 0xff && b[1] === 0xfe) return b[2] === 0 && b[3] === 0 && b.length > 3 ? 'utf-32le' : 'utf-16le';
  if (b[0] === 0xfe && b[1] === 0xff) return 'utf-16be';
  return null;
}

function known(name: string | undefined): string | null {
  if (!name) return null;
  const lower = name.toLowerCase();
  if (lower === 'utf-8' || lower === 'utf8' || lower === 'unicode-1-1-utf-8') return 'utf-8';
  const wide = WIDER[lower] ?? lower;
  return iconv.encodingExists(wide) ? wide : null;
}

function documentCharset(buffer: Buffer): string | null {
  const head = buffer.toString('latin1', 0, HEAD_BYTES);
  const xml = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  const meta = /<meta\s[^<>]{0,500}?charset\s{0,9}=[\s"']{0,9}([\w.:-]{1,40})/i.exec(head)?.[1];
  const name = known(meta) ?? known(xml);
  // A document that could be read as bytes to find its meta tag is not UTF-16, whatever the tag says.
  return name?.startsWith('utf-16') ? 'utf-8' : name;
}

// One for all: it keeps nothing between two whole texts.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

function tryUtf8(buffer: Buffer): string | null {
  try {
    return strictUtf8.decode(buffer);
  } catch {
    // Not valid UTF-8: that is the answer, the caller goes on. A cut in the last character is forgiven by mostlyUtf8.
    return null;
  }
}

/** Declared UTF-8 with a few broken bytes (a cut, a pasted byte) is still UTF-8. */
function mostlyUtf8(buffer: Buffer): boolean {
  const text = buffer.toString('utf8', 0, Math.min(buffer.length, 200_000));
  let broken = 0;
  let sound = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) broken++;
    else if (code > 0x7f) sound++;
  }
  return sound >= broken * 3;
}

// Guessing among the legacy encodings that are still met: the one whose reading has the largest share of characters that a
// text of its language cannot do without, against the least share such a text has. Runs of two, so that the odd accent in a
// western text is not taken for another alphabet.
const CANDIDATES: [name: string, sense: RegExp, leastShare: number][] = [
  ['shift_jis', /[\u3041-\u3093\u30a1-\u30f6]/g, 0.35],
  ['euc-jp', /[\u3041-\u3093\u30a1-\u30f6]/g, 0.35],
  ['gb18030', /[的一是在不了有人我他这中来上大为和国，。]/g, 0.1],
  ['big5-hkscs', /[的一是在不了有人我他這中來上大為和國，。]/g, 0.1],
  ['cp949', /[\uac00-\ud7a3]{2,}/g, 0.6],
  ['windows-1251', /[\u0430-\u044f\u0456\u0457\u0454]{2,}/g, 0.7],
  ['koi8-r', /[\u0430-\u044f]{2,}/g, 0.7],
  ['windows-1253', /[\u03ac-\u03ce]{2,}/g, 0.7],
  ['windows-1255', /[\u05d0-\u05ea]{2,}/g, 0.7],
  ['windows-1256', /[\u0621-\u064a]{2,}/g, 0.7],
];

function guess(buffer: Buffer): string {
  const sample = buffer.subarray(0, 60_000);
  let high = 0;
  for (const byte of sample) if (byte > 0x7f) high++;
  let best = 'windows-1252';
  let bestShare = 1;
  for (const [name, sense, leastShare] of CANDIDATES) {
    const text = iconv.decode(sample, name);
    let strange = 0;
    let foreign = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) foreign++;
      if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) strange++;
    }
    if (foreign === 0 || strange * 20 > foreign || foreign < high / 6) continue;
    const share = (text.match(sense)?.join('').length ?? 0) / foreign / leastShare;
    if (share > bestShare) {
      best = name;
      bestShare = share;
    }
  }
  return best;
}

// Finds amounts in a text and decides what the dots, commas and spaces inside them mean.
// What a reader would get wrong: `140.000` is a hundred and forty thousand, `140.0000` is not, `1.299.00` ends in cents and `15.08.2017` is a
// date. Only three digits after a single separator are ever in doubt; there the currency or the caller may know better.

export interface AmountText {
  /** As written: digits with their separators. */
  written: string;
  start: number;
  end: number;
}

// Groups of three behind one kind of space or apostrophe, or digits with dots and commas; `.75` has nothing before its dot.
const GROUPED =
  /\d{1,3}(?:([ '’‘`´])\d{3})(?:\1\d{3}){0,6}(?!\d)(?:[.,]\d{1,2}(?!\d)|[.,]\d{4,20}|[.,]\d{3}(?![\d.,]))?/;
const PLAIN = /[.,]{0,3}\d+(?:[.,]{1,3}\d+)*/;
const AMOUNT = new RegExp(`${GROUPED.source}|${PLAIN.source}`, 'g');

/** Same length as the text, so that positions stay true: other digits and spaces become plain ones. */
export function plainDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (d) => String(d.charCodeAt(0) - 0x660))
    .replace(/[\u06f0-\u06f9]/g, (d) => String(d.charCodeAt(0) - 0x6f0))
    .replace(/[\uff10-\uff19]/g, (d) => String(d.charCodeAt(0) - 0xff10))
    .replace(/[\u066b\uff0e]/g, '.')
    .replace(/[\u066c\uff0c]/g, ',')
    .replace(/\s|[\u200b\u2060\ufeff]/g, ' ');
}

/** Every amount of a text made plain by plainDigits. Percentages, dates and numbers inside words are none. */
export function amountsIn(text: string): AmountText[] {
  const found: AmountText[] = [];
  for (const match of text.matchAll(AMOUNT)) {
    const start = match.index;
    const end = start + match[0].length;
    if (/^\s*[%٪％]/.test(text.slice(end, end + 9)) || isDate(match[0]) || isPartOfCode(text, start, end)) continue;
    found.push({ written: match[0], start, end });
  }
  return joinSplitCents(text, found);
}

/** `$119. 95`, `$24 99`: the page put the cents into an element of their own. */
function joinSplitCents(text: string, found: AmountText[]): AmountText[] {
  const out: AmountText[] = [];
  for (const amount of found) {
    const last = out.at(-1);
    const separator = last && /^\d{2}$/.test(amount.written) ? splitBy(text, last, amount, found.length) : null;
    if (last && separator !== null && !last.written.includes(separator))
      out[out.length - 1] = { written: last.written + separator + amount.written, start: last.start, end: amount.end };
    else out.push(amount);
  }
  return out;
}

/** Without a separator only where the text is these two numbers and a currency: words between or around may mean anything. */
function splitBy(text: string, whole: AmountText, cents: AmountText, amounts: number): string | null {
  const gap = text.slice(whole.end, cents.start);
  if (/^(?:[.,] +| +[.,] *)$/.test(gap)) return gap.includes(',') ? ',' : '.';
  return gap === ' ' && amounts === 2 && /^\d{1,4}$/.test(whole.written) && !/\p{L}{4}/u.test(text) ? '.' : null;
}

const isDate = (written: string): boolean =>
  /^\d{1,2}([.])\d{1,2}\1(?:19|20)?\d{2}$/.test(written) || /^(?:19|20)\d{2}([.])\d{2}\1\d{2}$/.test(written);

/** `25-09`: a number that goes on behind a dash with a zero is a code or a date, not a range. */
const isPartOfCode = (text: string, start: number, end: number): boolean =>
  /^-0\d/.test(text.slice(end)) || (/\d-$/.test(text.slice(0, start)) && /^0\d/.test(text.slice(start, end)));

export interface Reading {
  /** What the caller was told; a sign such as `€` may be it (`140€33`). */
  decimalSeparator?: string;
  /** Three decimals are usual (dinars), after one of these separators. */
  threeDecimalsAfter?: string;
}

/** The decimal string an amount means. */
export function readAmount(written: string, { decimalSeparator, threeDecimalsAfter = '' }: Reading = {}): string {
  const bare = written.replace(/[^\d.,]/g, '');
  const separator =
    decimalSeparator === '.' || decimalSeparator === ',' ? decimalSeparator : guess(bare, threeDecimalsAfter);
  const at = separator === null ? -1 : bare.lastIndexOf(separator);
  const whole = at < 0 ? bare : bare.slice(0, at);
  const fraction = at < 0 ? '' : bare.slice(at + 1).replace(/\D/g, '');
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

function guess(bare: string, threeDecimalsAfter: string): string | null {
  const inner = bare.replace(/^[.,]+(?=\d+[.,])/, '');
  const last = Math.max(inner.lastIndexOf('.'), inner.lastIndexOf(','));
  if (last < 0) return null;
  const separator = inner[last]!;
  const before = inner.slice(0, last);
  const after = inner.length - last - 1;
  if (after !== 3) return separator;
  if (threeDecimalsAfter.includes(separator)) return separator;
  const other = separator === '.' ? ',' : '.';
  // `1,234.567` has used its thousands mark already; `0.125` and `1234.567` have no thousands before the separator.
  if (before.includes(other)) return separator;
  return !before.includes(separator) && /^(?:0|\d{4,})?$/.test(before) ? separator : null;
}

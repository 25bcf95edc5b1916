// Finds amounts of money in running text: "$120k", "60 000 €", "CHF 95'000", "12 Lacs", "600万円". Whether an amount is pay is decided elsewhere.
// What a reader would get wrong: one mark before exactly three digits is a thousands mark ("25.000 kr"), and only an hourly wage undoes that.
import table from './currencies.json' with { type: 'json' };

export interface Amount {
  value: number;
  /** As written, without currency and scale; needed to reread "15.500" as a wage. */
  digits: string;
  /** 1, or what k, lakh, million stand for; null when the text gives none. */
  scale: number | null;
  /** ISO code, or a sign such as `$` that depends on the country. */
  sign: string | null;
  start: number;
  end: number;
}

const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  lac: 1e5,
  lacs: 1e5,
  lakh: 1e5,
  lakhs: 1e5,
  lpa: 1e5,
  cr: 1e7,
  crore: 1e7,
  crores: 1e7,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  mil: 1e6,
  million: 1e6,
  millions: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e3,
  tsd: 1e3,
  万: 1e4,
  만: 1e4,
};

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const longestFirst = (names: string[]) => names.sort((a, b) => b.length - a.length).map(literally);
const CODES = Object.keys(table.currencies).join('|');
const SIGNS = longestFirst([...Object.keys(table.signs), ...Object.keys(table.signsByCountry)]).join('|');
const NOT_IN_WORD = '(?<!\\p{Script=Latin})';
// A sign made of letters must not be the end of a word ("Hours 20" is not rupees); `$` may follow a code ("USD$23").
const BEFORE = `(?:${NOT_IN_WORD}(?<code>${CODES})\\s{0,2}:?\\s{0,2})?(?:(?:(?<!\\p{Script=Latin})|(?=[^\\p{L}]))(?<sign>${SIGNS})\\s{0,2})?`;
const NUMBER = `(?<digits>\\d{1,3}(?:[.,'’\\u2009\\u202f ]\\d{2,3}){0,4}(?:[.,]\\d{1,2})?(?![\\d])|\\d+(?:[.,]\\d{1,3})?)`;
/** "2.800,-", "92'000.–". */
const NO_CENTS = '(?:[,.][-–—]{1,2}(?!\\s?\\d))?';
/** "55-65 T€", "TEUR", "Tsd. €": thousands, in German. */
const LATIN_SCALE =
  't(?=\\s?(?:€|eur))|tsd\\.?(?=\\s?(?:€|eur))|k|lpa|lacs?|lakhs?|crores?|cr|mm|mn|millions?|mil|m|bn|billion|b|thousand';
const SCALE = `(?:[\\s-]?(?<scale>(?:${LATIN_SCALE})(?![\\p{L}\\d])|万|만))?`;
const AFTER = `(?:\\s{0,2}(?<signAfter>${SIGNS}|${CODES})(?![\\p{L}$]))?`;
const AMOUNT = new RegExp(
  `(?<![\\p{Script=Latin}\\d.,#])${BEFORE}(?<![\\d.,])${NUMBER}${NO_CENTS}${SCALE}${AFTER}(?!\\s?[%\\d])`,
  'giu',
);
const RETIREMENT = /^40[13]$/;

export function amountsIn(text: string): Amount[] {
  const found: Amount[] = [];
  for (const match of text.matchAll(AMOUNT)) {
    const { code, sign, digits, scale, signAfter } = match.groups as Record<string, string | undefined>;
    const value = digits === undefined ? null : readNumber(digits);
    if (digits === undefined || value === null) continue;
    const end = match.index + match[0].length;
    const factor = scale === undefined ? null : SCALES[scale.toLowerCase().replace('.', '')]!;
    // 401k, 401(k), 403b: retirement plans of the US.
    if (RETIREMENT.test(digits) && (factor !== null || /^\s?\(?[kb]\)?/i.test(text.slice(end)))) continue;
    found.push({
      value: value * (factor ?? 1),
      digits,
      scale: factor,
      sign: known(code) ?? known(signAfter, true) ?? sign ?? signAfter ?? signBeforeOrdinal(text.slice(end, end + 12)),
      start: match.index,
      end,
    });
  }
  return found;
}

/** "1.150 € 2. Jahr": the sign belongs to the amount before it, the number behind it counts years. */
const signBeforeOrdinal = (rest: string) => /^ ?(€|zł|kr) \d{1,2}\. \p{L}/u.exec(rest)?.[1] ?? null;

/** An ISO code says more than a sign: "$100,000 CAD" is Canadian. */
function known(sign: string | undefined, codesOnly = false): string | null {
  if (sign === undefined) return null;
  const upper = sign.toUpperCase();
  if (Object.hasOwn(table.currencies, upper)) return upper;
  return codesOnly ? null : sign;
}

/** Null for what is no number: "2026.11.15". */
export function readNumber(written: string): number | null {
  const text = written.replace(/[\s\u2009\u202f]/g, ' ').replace(/’/g, "'");
  const marks = [...text.matchAll(/[.,' ]/g)].map((m) => ({ mark: m[0], at: m.index }));
  const last = marks.at(-1);
  if (!last) return Number(text);
  const tail = text.length - last.at - 1;
  const distinct = new Set(marks.map((m) => m.mark));
  const isDecimal =
    last.mark !== ' ' &&
    last.mark !== "'" &&
    (tail < 3 || (tail === 3 && distinct.size > 1 && marks.length === 2 && marks[0]!.mark === last.mark));
  const whole = isDecimal ? text.slice(0, last.at) : text;
  const fraction = isDecimal ? text.slice(last.at + 1) : '';
  if (!/^\d{1,3}(?:[.,' ]\d{2,3})*[.,' ]\d{3}$|^\d+$/.test(whole)) return null;
  return Number(`${whole.replace(/[.,' ]/g, '')}.${fraction || '0'}`);
}

/** The same digits as a wage: "15.500" is fifteen and a half. Null when they cannot be read that way. */
export function readAsWage(amount: Amount): number | null {
  return amount.scale === null && /^\d{1,3}[.,]\d{3}$/.test(amount.digits)
    ? Number(amount.digits.replace(',', '.'))
    : null;
}

export function currencyOf(sign: string | null, country: string | null): string | null {
  if (sign === null) return null;
  if (Object.hasOwn(table.currencies, sign)) return sign;
  const byCountry = (table.signsByCountry as Record<string, Record<string, string>>)[sign];
  if (byCountry) return (country === null ? undefined : byCountry[country]) ?? byCountry.default!;
  const exact = (table.signs as Record<string, string>)[sign];
  if (exact) return exact;
  const loose = Object.keys(table.signs).find((known) => known.toLowerCase() === sign.toLowerCase());
  return loose === undefined ? null : (table.signs as Record<string, string>)[loose]!;
}

export interface CurrencyFacts {
  perUsd: number;
  hourBelow: number | null;
  monthFrom: number;
  yearFrom: number;
}

export function factsOf(currency: string): CurrencyFacts | null {
  return Object.hasOwn(table.currencies, currency)
    ? (table.currencies as Record<string, CurrencyFacts>)[currency]!
    : null;
}

export function currencyOfCountry(country: string | null): string | null {
  if (country === null) return null;
  const found = Object.entries(table.currencies).find(([, facts]) => facts.countries.includes(country));
  return found?.[0] ?? null;
}

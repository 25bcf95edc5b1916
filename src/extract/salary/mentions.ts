// Puts amounts together into mentions of pay: ranges, "up to", the interval beside them, and the words around that say whether it is pay at all.
// What a reader would get wrong: only the clause counts. "Sign-on bonus. $20 an hour" is a wage, "$5,000 sign-on bonus" is not.
import type { Interval } from '../../model/posting/posting.ts';
import { type Amount, amountsIn } from './amounts.ts';
import { isAboutPay, type Other, purposeOf } from './purpose.ts';
import words from './words.json' with { type: 'json' };

export interface Mention {
  low: Amount | null;
  high: Amount | null;
  isRange: boolean;
  /** `fortnight` is halved into a week later. */
  interval: Interval | 'fortnight' | null;
  sign: string | null;
  /** The clause is about pay; "gross" or "net" alone are of bonuses too, and need an interval beside them. */
  hasPayWord: boolean;
  /** The last amount before which pay is named is this one. */
  isOfPayWord: boolean;
  /** A clause shortly before is about pay; only known where the clause itself and an interval do not say. */
  hasPayNearby: boolean;
  /** What the nearest words say the amount is, if they say that it is no pay. */
  other: Other | null;
  isOte: boolean;
  isNet: boolean;
  label: string | null;
  start: number;
  end: number;
}

const list = (patterns: string[]) => `(?:${patterns.join('|')})`;
const word = (patterns: string[]) => `(?<![\\p{L}\\d])${list(patterns)}(?![\\p{L}])`;
const UP_TO = new RegExp(`${word(words.upTo)}[\\s:~≈]*$`, 'iu');
const AT_LEAST = new RegExp(`${word(words.atLeast)}[\\s:~≈]*$`, 'iu');
const BETWEEN = new RegExp(
  `${word(words.between)}\\s*(?:(?:brutto|bruto|gross|brut|de|los|les|the)(?!\\p{L}))?\\s*$`,
  'iu',
);
const INTERVALS = ['hour', 'day', 'fortnight', 'week', 'month', 'year'] as const;
const AFTER = INTERVALS.map((name) => ({
  name,
  pattern: new RegExp(`(?:(?<![\\p{L}])|(?=/))${list(words[name].after)}`, 'iu'),
}));
const BEFORE = INTERVALS.map((name) => ({
  name,
  pattern: new RegExp(`(?<![\\p{L}])${list(words[name].before)}(?![\\p{L}])`, 'giu'),
}));
const UNIT = `(?:\\s*(?:/|per|an?)?\\s*(?:year|yr|annum|hour|hr|month|mo|week|day)\\b\\.?)?`;
const DASH = new RegExp(
  `^${UNIT}\\s*(?:[-–—~〜～]|(?:to|bis|à|a|au|do|tot|tot en met|t/m|até|ate|hasta|through|until|up to|al|till|til)(?!\\p{L}))\\s*(?:up to\\s*)?$`,
  'iu',
);
const AND = new RegExp(`^${UNIT}\\s*(?:brutto\\s*)?(?:and|et|und|y|en|i|a|och|og|e|[-–—]|to)\\s*$`, 'iu');
const CLAUSE_END = /[.!?](?=\s+\p{Lu}|\s*$)|[;•●|\n\r\t]|\s{2,}| - (?=\p{Lu})/gu;
const CLAUSE_CHARS = 110;
const INTERVAL_CHARS = 34;
const HEADING_CHARS = 30;
const LEADS_ON = /(?::|\b(?:is|of|are|ist|est|es|è|é))\s{0,9}$/i;
/** "Up to £45k depending on experience": only pay depends on the person. */
const BY_PERSON =
  /^[\s,;(–-]{0,4}(?:depend(?:ing|ent) on|based on|doe\b|d\.o\.e|selon|en fonction d|je nach|abhängig von|según|in base a|a seconda|de acordo com|conforme|afhankelijk van|op basis van|w zależności od)[^.\n]{0,25}?(?:experience|skill|qualif|profil|expérience|erfahrung|experiencia|perfil|esperienza|experiência|ervaring|doświadcz|kwalif|doe|$)/iu;
const LEAST_BY_PERSON = 10_000;
/** "2. Ausbildungsjahr: 1.230 €": apprentices are paid by the month, and more each year. */
const APPRENTICE_YEAR = /(\d\. ?(?:Ausbildungs|Lehr)?jahr) ?[:(–-]? ?$/i;

/** Numbers without a currency below `minBare` are passed over unless they are thousands: in a description they are ages, days and counts. */
export function mentionsIn(text: string, minBare = 0): Mention[] {
  const amounts = amountsIn(text);
  const mentions: Mention[] = [];
  for (let i = 0; i < amounts.length; i++) {
    const low = amounts[i]!;
    const high = amounts[i + 1];
    const between = high ? text.slice(low.end, high.start) : '';
    const isRange =
      high !== undefined &&
      isRangeOf(low, high, between, text) &&
      !saysTwoIntervals(between, clauseAfter(text.slice(high.end, high.end + 80)));
    if (isRange) i++;
    if ([low, isRange ? high : null].every((one) => one == null || isTooSmall(one, minBare))) continue;
    mentions.push(
      mention(text, clauseBefore(text, low.start), low, isRange ? high : null, amounts[i + 1]?.start ?? text.length),
    );
  }
  return mentions;
}

const isTooSmall = (amount: Amount, minBare: number) =>
  amount.sign === null && amount.scale === null && amount.value < minBare;

/** "1 150 € to 1 250 €", "between 1 150 and 1 250", "32/36K€". */
function isRangeOf(low: Amount, high: Amount, between: string, text: string): boolean {
  if (between.length >= 24) return false;
  if (between === '/') return low.scale === null && high.scale !== null && low.sign === null;
  return DASH.test(between) || (AND.test(between) && BETWEEN.test(clauseBefore(text, low.start)));
}

/** "$38.5 per hour up to $80,080 annually" is one wage said twice, not a range. */
function saysTwoIntervals(between: string, after: string): boolean {
  const [low, high] = [intervalAfter('', between), intervalAfter('', after)];
  return low !== null && high !== null && low !== high;
}

function mention(text: string, before: string, low: Amount, high: Amount | null, nextAt: number): Mention {
  const end = high?.end ?? low.end;
  const raw = text.slice(end, Math.min(end + 80, nextAt));
  const after = clauseAfter(raw);
  const isUpTo = high === null && UP_TO.test(before);
  const isFloor =
    high === null &&
    !isUpTo &&
    (AT_LEAST.test(before) || /^(?:\+|\s?(?:and up|and above|or more|plus\b(?! \w)))/i.test(raw));
  const shared = high !== null && low.scale === null && high.scale !== null && low.value < high.value / high.scale;
  const first = shared ? { ...low, value: low.value * high.scale!, scale: high.scale } : low;
  const year = APPRENTICE_YEAR.exec(text.slice(Math.max(0, low.start - HEADING_CHARS), low.start));
  const interval =
    intervalAfter(high === null ? '' : text.slice(low.end, high.start), after) ??
    (year ? 'month' : intervalBefore(before));
  const purpose = purposeOf(before, after);
  const isByPerson =
    (high ?? first).value >= LEAST_BY_PERSON && BY_PERSON.test(raw.slice(after.length).split(/[.\n]/)[0]!);
  const isSaid = purpose.pay === 'named' || (purpose.pay === 'gross' && interval !== null) || isByPerson;
  const hasPayNearby =
    isSaid ||
    ((interval === null || year !== null) && isAboutPay(text.slice(Math.max(0, low.start - CLAUSE_CHARS), low.start)));
  return {
    low: isUpTo ? null : first,
    high: high ?? (isFloor ? null : first),
    isRange: high !== null,
    interval,
    sign: codeFirst(high?.sign ?? null, low.sign),
    hasPayWord: isSaid || (year !== null && hasPayNearby),
    hasPayNearby,
    isOfPayWord: purpose.isNextAmount,
    other: purpose.other,
    isOte:
      /\bOTE\b|on[- ]target earnings/i.test(before.slice(-50)) ||
      /^[\s,(]*(?:OTE\b|on[- ]target earnings)/i.test(after),
    isNet: /\bnet(?:to|os?|te)?\b/i.test(`${before.slice(-20)}|${after.slice(0, 20)}`),
    label: year?.[1] ?? labelOf(before),
    start: low.start,
    end,
  };
}

/** Of the two ends of a range the more specific currency sign: "$150,000 USD" beats "$". */
function codeFirst(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a.length >= b.length ? a : b;
}

function clauseBefore(text: string, at: number): string {
  const window = text.slice(Math.max(0, at - CLAUSE_CHARS), at);
  let from = 0;
  for (const end of window.matchAll(CLAUSE_END)) {
    const to = end.index + end[0].length;
    // A heading on its own line still belongs to the amount under it: "Salary range:", "Base pay".
    const isHeading = to === window.length && (LEADS_ON.test(window) || isAboutPay(window.slice(-HEADING_CHARS)));
    if (!isHeading) from = to;
  }
  return window.slice(from);
}

/** Up to the end of the clause; what is added to the pay ("plus bonus", "+ equity") is no longer about the amount. */
function clauseAfter(raw: string): string {
  const end =
    /[.!?](?=\s+\p{Lu}|\s*$)|[;•●|\n\r\t]|\s{2,}|\s*\+|,?\s*\b(?:plus|zzgl|and (?:a|an)|in addition|with|depending|based)\b/iu.exec(
      raw,
    );
  return end ? raw.slice(0, end.index) : raw;
}

function intervalAfter(inside: string, after: string): Mention['interval'] {
  if (inside === '' && after === '') return null;
  const near = after.slice(0, INTERVAL_CHARS);
  const hits = AFTER.flatMap(({ name, pattern }) => {
    const at = [inside, near].map((part) => pattern.exec(part)?.index ?? -1);
    return at[1]! >= 0 ? [{ name, at: at[1]! }] : at[0]! >= 0 ? [{ name, at: 1000 + at[0]! }] : [];
  });
  return hits.sort((a, b) => a.at - b.at)[0]?.name ?? null;
}

function intervalBefore(before: string): Mention['interval'] {
  if (before === '') return null;
  const hits = BEFORE.flatMap(({ name, pattern }) => {
    const last = [...before.matchAll(pattern)].at(-1);
    return last ? [{ name, at: last.index }] : [];
  });
  return hits.sort((a, b) => b.at - a.at)[0]?.name ?? null;
}

/** "New York: $121,700 - $152,100": what stands before the colon, when it is short. */
function labelOf(before: string): string | null {
  const found = /(?:^|[.;,)])\s{0,9}([\p{L}\d][^:;]{1,40}):\s{0,9}$/u.exec(before);
  return found?.[1]?.trim() ?? null;
}

// Reads pay out of a text: a label such as "$120k-150k" or a whole description. It answers null rather than guess from a bonus or a budget.
// What a reader would get wrong: the interval may be concluded from the size of the amount (flag `interval_inferred`); the numbers are always
// those of the text, except where a flag says otherwise. `strictness: 'label'` means the text is known to be about pay.
import { createMemo } from '../../model/memo.ts';
import { PER_YEAR, type Salary, type SalarySource } from '../../model/posting/posting.ts';
import { type Amount, currencyOf, factsOf, readAsWage } from './amounts.ts';
import { type InferredPay, inferPay } from './infer.ts';
import { type Mention, mentionsIn } from './mentions.ts';

export interface SalaryOptions {
  /** ISO code of the posting's country: whose dollar `$` is. */
  country?: string | null;
  strictness?: 'label' | 'text';
  source?: SalarySource;
}

interface Reading extends InferredPay {
  mention: Mention;
}

/** So many times the least monthly pay is a year's living of part-time work. */
const LIVING_MONTHS = 8;
const MAX_SPREAD = 20;
/** Zones of one job do not differ fivefold. */
const MAX_ZONE_SPREAD = 5;
const MIN_BARE_IN_TEXT = 1_000;
/** A zone further than this from the last one belongs to another paragraph, and likely to another job. */
const MAX_ZONE_GAP_CHARS = 260;
const MAX_TEXT_CHARS = 60_000;

/** Labels repeat from row to row: pay comes in bands. */
const labels = createMemo<Salary | null>(5_000);

/** The pay a text states; null when it states none. Annual amounts are not computed: `interval` says what `min` and `max` are for. */
export function parseSalary(raw: string, options: SalaryOptions = {}): Salary | null {
  const {
    country = null,
    strictness = 'label',
    source = strictness === 'label' ? 'employer' : 'description',
  } = options;
  const isLabel = strictness === 'label';
  if (!/\d/.test(raw)) return null;
  if (!isLabel) return readSalary(raw, country, source, false);
  const found = labels(`${country} ${source} ${raw}`, (key) =>
    readSalary(key.slice(key.length - raw.length), country, source, true),
  );
  return found && { ...found, zones: found.zones.map((zone) => ({ ...zone })), flags: [...found.flags] };
}

function readSalary(raw: string, country: string | null, source: SalarySource, isLabel: boolean): Salary | null {
  const mended = mendText(raw.slice(0, MAX_TEXT_CHARS));
  const text = country === 'ZA' ? mended.replace(RAND, 'ZAR ') : mended;
  const mentions = mentionsIn(text, isLabel ? 0 : MIN_BARE_IN_TEXT);
  const readings = mentions
    .filter((mention) => isPay(mention, isLabel, country))
    .map((mention) => read(mention, country, () => mayBeThousands(mention, mentions, isLabel)))
    .filter((reading) => reading !== null);
  const signed = readings.filter(({ mention }) => mention.sign !== null);
  const chosen = best(withoutSupplements(signed.length > 0 ? signed : readings), isLabel);
  return chosen ? merge(chosen, text, source, isLabel) : null;
}

/** "R25 000": a letter that only there is a currency. */
const RAND = /(?<![\p{L}\d])R ?(?=\d)/gu;
const MISREAD = /[Ââ\u00a0\u2007]/;

/** Encodings read wrongly, and the several kinds of space. */
function mendText(text: string): string {
  const mended = MISREAD.test(text)
    ? text
        .replace(/Â(?=[£¥€])/g, '')
        .replace(/â‚¬/g, '€')
        .replace(/â€[“”"]/g, '–')
        .replace(/[\u00a0\u2007]/g, ' ')
    : text;
  // "$126,000 [in our lowest market] to $196,000 [in our highest]".
  const bare = mended.includes('[') ? mended.replace(/\s?\[[^[\]\n]{1,160}\]/g, '') : mended;
  return bare.replace(/[ \t]{0,3}\n\s{0,3}([-–—])[ \t]{0,3}\n\s{0,3}/g, ' $1 ');
}

function isPay(mention: Mention, isLabel: boolean, country: string | null): boolean {
  const amount = mention.low ?? mention.high!;
  const isEnough = isLiving(mention, country);
  if (mention.other === 'benefit' && !(isEnough && mention.hasPayWord)) return false;
  if (mention.other === 'no pay' && !(mention.hasPayWord && mention.isOfPayWord && isEnough)) return false;
  if (mention.sign !== null) {
    if (isLabel || mention.hasPayWord) return true;
    // Nothing says that it is pay: an amount by the hour or the year has to be one that people live on.
    if (mention.interval !== null) return isEnough;
    return mention.isRange && (amount.value >= 10_000 || mention.hasPayNearby);
  }
  // Without a sign a number is anything: it needs the shape of pay as well.
  if (/^(?:19|20)\d\d$/.test(amount.digits) && amount.scale === null) return false;
  const hasShape = amount.scale !== null || mention.interval !== null || /\d[.,' ]\d{3}/.test(amount.digits);
  return hasShape && (isLabel || (mention.hasPayWord && amount.value >= 1_000));
}

/** "Pay + bonus: up to $25/hr" names a bonus too, but only pay is per hour and this high. */
function isLiving({ interval, sign, low, high }: Mention, country: string | null): boolean {
  if (interval === null || sign === null) return false;
  const times = interval === 'fortnight' ? PER_YEAR.week / 2 : PER_YEAR[interval];
  const currency = currencyOf(sign, country);
  const monthly = (currency === null ? null : factsOf(currency)?.monthFrom) ?? 1_500;
  return (high ?? low)!.value * times >= LIVING_MONTHS * monthly;
}

function read(mention: Mention, country: string | null, mayBeThousands: () => boolean): Reading | null {
  const { low, high, interval } = mention;
  const scale = (high ?? low)!.scale;
  const isLakh = scale === 1e5 || scale === 1e7;
  const [min, max] = [amountOf(low, interval), amountOf(high, interval)];
  if (min !== null && max !== null && Math.max(min, max) / Math.min(min, max) > MAX_SPREAD) return null;
  const sign = mention.sign ?? (isLakh ? 'INR' : null);
  const pay = inferPay({ min, max, sign, unit: interval, country, otherwise: 'US', mayBeThousands });
  return pay && { ...pay, mention };
}

/** "Salary: 45 to 60 a year", and nothing else in the text is by the year, has cents, or is an allowance. */
function mayBeThousands(mention: Mention, all: readonly Mention[], isLabel: boolean): boolean {
  const hasCents = [mention.low, mention.high].some((amount) => amount !== null && /[.,]\d{1,2}$/.test(amount.digits));
  const others = all.filter((other) => other !== mention && (other.interval === 'year' || other.other !== null));
  return !hasCents && mention.other === null && others.length === 0 && (isLabel || mention.hasPayWord);
}

function amountOf(amount: Amount | null, interval: Mention['interval']): number | null {
  if (amount === null) return null;
  const value = (interval === 'hour' && amount.value >= 1_000 ? readAsWage(amount) : null) ?? amount.value;
  return value === 999_999 ? null : Math.round(value * 100) / 100;
}

/** "$18.50 an hour, and $1.25 an hour more at night": what is a fraction of the pay is added to it. */
function withoutSupplements(readings: Reading[]): Reading[] {
  const yearly = ({ interval, min, max }: Reading) => (interval === null ? null : (max ?? min)! * PER_YEAR[interval]);
  const most = Math.max(...readings.map((one) => yearly(one) ?? 0));
  return readings.filter((one) => (yearly(one) ?? most) >= most / MAX_ZONE_SPREAD);
}

/** The most specific mention, and with it those for other places or levels. */
function best(readings: Reading[], isLabel: boolean): Reading[] | null {
  const weight = ({ mention, interval }: Reading) =>
    (mention.hasPayWord ? 4 : 0) +
    (mention.isRange ? 3 : 0) +
    (mention.interval !== null ? 2 : 0) +
    (interval !== null ? 1 : 0) -
    (mention.isOte ? 4 : 0);
  let top: Reading | null = null;
  for (const one of readings) if (top === null || weight(one) > weight(top)) top = one;
  if (top === null) return null;
  const isAlike = (one: Reading, like: Reading) =>
    one.currency === like.currency &&
    one.interval === like.interval &&
    one.mention.isRange === like.mention.isRange &&
    one.mention.isOte === like.mention.isOte;
  const zones = [top];
  const at = readings.indexOf(top);
  for (const step of [1, -1]) {
    let last = top;
    for (let i = at + step; i >= 0 && i < readings.length; i += step) {
      const one = readings[i]!;
      const gap = step > 0 ? one.mention.start - last.mention.end : last.mention.start - one.mention.end;
      if (gap > MAX_ZONE_GAP_CHARS) break;
      const isZone = top.mention.isRange || (one.mention.label !== null && top.mention.label !== null);
      if (isAlike(one, top) && isZone && isNear(one, top) && (isLabel || one.mention.other === null)) {
        zones.push(one);
        last = one;
      }
    }
  }
  return zones.sort((a, b) => a.mention.start - b.mention.start);
}

function isNear(a: Reading, b: Reading): boolean {
  const [x, y] = [a.max ?? a.min!, b.max ?? b.min!];
  return Math.max(x, y) / Math.min(x, y) < MAX_ZONE_SPREAD;
}

function merge(readings: Reading[], text: string, source: SalarySource, isLabel: boolean): Salary | null {
  const first = readings[0]!;
  const bounds = (pick: 'min' | 'max') => readings.map((one) => one[pick]).filter((amount) => amount !== null);
  const [mins, maxes] = [bounds('min'), bounds('max')];
  if (mins.length === 0 && maxes.length === 0) return null;
  const [from, to] = [first.mention.start, readings.at(-1)!.mention.end];
  const around = text.slice(Math.max(0, from - 30), to + 40);
  const payments = /\b(1[34])\s*(?:x\b|×|Monatsgeh|Gehält|payments|mensualit|pagas)|·\s?(1[2-8])薪/i.exec(around);
  return {
    min: mins.length > 0 ? Math.min(...mins) : null,
    max: maxes.length > 0 ? Math.max(...maxes) : null,
    currency: first.currency,
    interval: first.interval,
    source,
    raw: isLabel && text.length <= 200 ? text.trim() : text.slice(Math.max(0, from - 20), to + 30).trim(),
    is_ote: readings.some((one) => one.mention.isOte),
    is_net: readings.some((one) => one.mention.isNet),
    payments_per_year: first.interval === 'month' && payments ? Number(payments[1] ?? payments[2]) : null,
    zones: readings.length > 1 ? readings.map(({ min, max, mention }) => ({ label: mention.label, min, max })) : [],
    flags: [...new Set(readings.flatMap((one) => one.flags))],
  };
}

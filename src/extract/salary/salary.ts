// Reads pay out of a text: a label such as "$120k-150k" or a whole description. It answers null rather than guess from a bonus or a budget.
// What a reader would get wrong: the interval may be concluded from the size of the amount (flag `interval_inferred`); the numbers are always
// those of the text, except where a flag says otherwise. `strictness: 'label'` means the text is known to be about pay.
import { createMemo } from '../../model/memo.ts';
import { PER_YEAR, type Salary, type SalarySource } from '../../model/posting/posting.ts';
import { type Amount, readAsWage } from './amounts.ts';
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

const MIN_LIVING_YEARLY = 12_000;
const MAX_SPREAD = 20;
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
  const text = mendText(raw.slice(0, MAX_TEXT_CHARS));
  const readings = mentionsIn(text, isLabel ? 0 : MIN_BARE_IN_TEXT)
    .filter((mention) => isPay(mention, isLabel))
    .map((mention) => read(mention, country))
    .filter((reading) => reading !== null);
  const signed = readings.filter(({ mention }) => mention.sign !== null);
  const chosen = best(signed.length > 0 ? signed : readings, isLabel);
  return chosen ? merge(chosen, text, source, isLabel) : null;
}

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
  return mended.replace(/[ \t]{0,3}\n\s{0,3}([-–—])[ \t]{0,3}\n\s{0,3}/g, ' $1 ');
}

function isPay(mention: Mention, isLabel: boolean): boolean {
  const amount = mention.low ?? mention.high!;
  if (mention.isOther && !(mention.hasPayWord && isLiving(mention, amount))) return false;
  if (mention.sign !== null) {
    if (isLabel || mention.hasPayWord || mention.interval !== null) return true;
    return mention.isRange && (amount.value >= 10_000 || mention.hasPayNearby);
  }
  // Without a sign a number is anything: it needs the shape of pay as well.
  if (/^(?:19|20)\d\d$/.test(amount.digits) && amount.scale === null) return false;
  const hasShape = amount.scale !== null || mention.interval !== null || /\d[.,' ]\d{3}/.test(amount.digits);
  return hasShape && (isLabel || (mention.hasPayWord && amount.value >= 1_000));
}

/** "Pay + bonus: up to $25/hr" names a bonus too, but only pay is per hour and this high. */
function isLiving({ interval, sign }: Mention, amount: Amount): boolean {
  if (interval === null || sign === null) return false;
  const unit = interval === 'fortnight' ? 'week' : interval;
  return amount.value * PER_YEAR[unit] >= MIN_LIVING_YEARLY;
}

function read(mention: Mention, country: string | null): Reading | null {
  const { low, high, interval } = mention;
  const scale = (high ?? low)!.scale;
  const isLakh = scale === 1e5 || scale === 1e7;
  const [min, max] = [amountOf(low, interval), amountOf(high, interval)];
  if (min !== null && max !== null && Math.max(min, max) / Math.min(min, max) > MAX_SPREAD) return null;
  const sign = mention.sign ?? (isLakh ? 'INR' : null);
  const pay = inferPay({ min, max, sign, unit: interval, country, otherwise: 'US' });
  return pay && { ...pay, mention };
}

function amountOf(amount: Amount | null, interval: Mention['interval']): number | null {
  if (amount === null) return null;
  const value = (interval === 'hour' && amount.value >= 1_000 ? readAsWage(amount) : null) ?? amount.value;
  return value === 999_999 ? null : Math.round(value * 100) / 100;
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
      if (isAlike(one, top) && isZone && isNear(one, top) && (isLabel || !one.mention.isOther)) {
        zones.push(one);
        last = one;
      }
    }
  }
  return zones.sort((a, b) => a.mention.start - b.mention.start);
}

/** Zones of one job do not differ fivefold. */
function isNear(a: Reading, b: Reading): boolean {
  const [x, y] = [a.max ?? a.min!, b.max ?? b.min!];
  return Math.max(x, y) / Math.min(x, y) < 5;
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

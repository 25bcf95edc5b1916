// Pay that a source states in fields of its own. Placeholders (0, 1, -1, 999999) are absent values, numbers may come as text, and units under many names.
// What a reader would get wrong: a stated unit can be wrong. "24 to 28 a year" beside a text that says "$24 - $28 per hour" is an hourly wage.
import { type Interval, PER_YEAR, type Salary, type SalarySource } from '../../model/posting/posting.ts';
import { currencyOf, currencyOfCountry, factsOf, readNumber } from './amounts.ts';
import { parseSalary } from './salary.ts';

export interface StatedSalary {
  min?: number | string | null | undefined;
  max?: number | string | null | undefined;
  /** ISO code or sign. */
  currency?: string | null | undefined;
  /** HOUR, hourly, per-year-salary, ANNUAL, Annually, month: any name of an interval. */
  unit?: string | null | undefined;
  source?: SalarySource;
  country?: string | null;
  /** The posting's text: believed where the stated unit is impossible. */
  text?: string | null;
  isOte?: boolean;
  /** One entry a zone; the outer range is made of them. */
  zones?: { label: string | null; min: number | null; max: number | null }[];
}

const UNITS: [RegExp, Interval | 'fortnight'][] = [
  [/bi-?weekly|fortnight|every.?two.?weeks/i, 'fortnight'],
  [/hour|hr\b|stunde/i, 'hour'],
  [/dai?ly|day|diem/i, 'day'],
  [/week/i, 'week'],
  [/month|mensual|monat/i, 'month'],
  [/year|annual|annum|\byr\b|jahr/i, 'year'],
];
const PLACEHOLDERS = new Set([0, 1, -1, 999_999, 9_999_999]);
const HOURLY_TO = 400;

export function structuredSalary(stated: StatedSalary): Salary | null {
  const zones = stated.zones ?? [];
  const mins = [numberOf(stated.min), ...zones.map((zone) => zone.min)].filter((n) => n !== null);
  const maxes = [numberOf(stated.max), ...zones.map((zone) => zone.max)].filter((n) => n !== null);
  let min = mins.length > 0 ? Math.min(...mins) : null;
  let max = maxes.length > 0 ? Math.max(...maxes) : null;
  if (min === null && max === null) return null;
  if (min !== null && max !== null && min > max) [min, max] = [max, min];
  const flags: string[] = [];
  const currency = currencyFor(stated, flags);
  const facts = factsOf(currency ?? 'USD');
  const unit = stated.unit ? (UNITS.find(([pattern]) => pattern.test(stated.unit!))?.[1] ?? null) : null;
  if (unit === 'fortnight') [min, max] = [min && min / 2, max && max / 2];
  let interval: Interval | null = unit === 'fortnight' ? 'week' : unit;
  const size = max ?? min!;
  if (interval === null && facts) {
    interval =
      size >= facts.yearFrom
        ? 'year'
        : size >= facts.monthFrom
          ? 'month'
          : size < (facts.hourBelow ?? 0)
            ? 'hour'
            : null;
    if (interval) flags.push('interval_inferred');
  }
  const perUsd = facts?.perUsd ?? 1;
  if (
    interval !== null &&
    interval !== 'hour' &&
    size / perUsd < HOURLY_TO &&
    (size * PER_YEAR[interval]) / perUsd < 1_000
  ) {
    const told = stated.text ? parseSalary(stated.text, { country: stated.country ?? null, strictness: 'text' }) : null;
    if (told?.interval === 'hour' && (told.min === min || told.max === max)) {
      interval = 'hour';
      flags.push('interval_corrected');
    } else if (interval === 'year' && size >= 15) {
      [min, max] = [min && min * 1_000, max && max * 1_000];
      flags.push('assumed_thousands');
    } else return null;
  } else if (interval === 'hour' && size / perUsd > 5_000) {
    interval = 'year';
    flags.push('interval_corrected');
  }
  return {
    min,
    max,
    currency,
    interval,
    source: stated.source ?? 'employer',
    raw: null,
    is_ote: stated.isOte ?? false,
    is_net: false,
    payments_per_year: null,
    zones: zones.length > 1 ? zones : [],
    flags,
  };
}

function currencyFor(stated: StatedSalary, flags: string[]): string | null {
  const sign = stated.currency?.trim() || signIn(stated.min) || signIn(stated.max);
  const known = sign ? currencyOf(/^[a-z]{3}$/i.test(sign) ? sign.toUpperCase() : sign, stated.country ?? null) : null;
  if (known !== null) return known;
  // A code we have no facts about is still the source's word.
  if (sign && /^[A-Za-z]{3}$/.test(sign)) return sign.toUpperCase();
  const guess = currencyOfCountry(stated.country ?? null);
  if (guess !== null) flags.push('currency_inferred');
  return guess;
}

const signIn = (value: number | string | null | undefined) =>
  typeof value === 'string' ? /^[^\d\s]{1,4}/.exec(value.trim())?.[0] : undefined;

function numberOf(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined || value === '') return null;
  const read = typeof value === 'number' ? value : readNumber(value.replace(/[^\d.,' ]/g, '').trim());
  return read === null || !Number.isFinite(read) || read < 0 || PLACEHOLDERS.has(read)
    ? null
    : Math.round(read * 100) / 100;
}

/** schema.org `baseSalary` in the shapes pages really have: an object, a bare number or text, a value inside a value. */
export function jsonLdSalary(
  node: Record<string, unknown>,
  about: Pick<StatedSalary, 'country' | 'text'> = {},
): Salary | null {
  for (const [field, source] of [
    ['baseSalary', 'employer'],
    ['estimatedSalary', 'estimated'],
  ] as const) {
    const base = first(node[field]);
    if (base === null || base === undefined) continue;
    const outer: Record<string, unknown> =
      typeof base === 'object' ? (base as Record<string, unknown>) : { value: base };
    const inner = first(outer.value);
    const value: Record<string, unknown> =
      inner !== null && typeof inner === 'object' ? (inner as Record<string, unknown>) : { value: inner };
    const pick = (name: string) => scalar(value[name]) ?? scalar(outer[name]);
    const single = pick('value');
    const found = structuredSalary({
      ...about,
      min: pick('minValue') ?? single,
      max: pick('maxValue') ?? (pick('minValue') === null ? single : null),
      currency: asText(pick('currency') ?? scalar(node.salaryCurrency)),
      unit: asText(pick('unitText')),
      source,
    });
    if (found) return found;
  }
  return null;
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const scalar = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? value : null);
const asText = (value: string | number | null) => (value === null ? null : String(value));

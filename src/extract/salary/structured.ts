// Pay that a source states in fields of its own. Placeholders (0, 1, -1, 999999) are absent values, numbers may come as text, and units under many names.
// What they mean is decided in infer.ts, as for pay that is written in a text.
import type { Interval, Salary, SalarySource } from '../../model/posting/posting.ts';
import { readNumber } from './amounts.ts';
import { inferPay } from './infer.ts';
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

export function structuredSalary(stated: StatedSalary): Salary | null {
  const { country = null, zones = [] } = stated;
  const mins = [numberOf(stated.min), ...zones.map((zone) => zone.min)].filter((n) => n !== null);
  const maxes = [numberOf(stated.max), ...zones.map((zone) => zone.max)].filter((n) => n !== null);
  const sign = stated.currency?.trim() || signIn(stated.min) || signIn(stated.max) || null;
  const pay = inferPay({
    min: mins.length > 0 ? Math.min(...mins) : null,
    max: maxes.length > 0 ? Math.max(...maxes) : null,
    sign: sign !== null && /^[a-z]{3}$/i.test(sign) ? sign.toUpperCase() : sign,
    unit: stated.unit ? (UNITS.find(([pattern]) => pattern.test(stated.unit!))?.[1] ?? null) : null,
    country,
    mayBeThousands: () =>
      !hasCents(stated.min) && !hasCents(stated.max) && (stated.text ? yearlyIn(stated.text, country) === null : true),
    isHourlyElsewhere(min, max) {
      const told = stated.text ? parseSalary(stated.text, { country, strictness: 'text' }) : null;
      return told?.interval === 'hour' && (told.min === min || told.max === max);
    },
  });
  return (
    pay && {
      ...pay,
      source: stated.source ?? 'employer',
      raw: null,
      is_ote: stated.isOte ?? false,
      is_net: false,
      payments_per_year: null,
      zones: zones.length > 1 ? zones : [],
    }
  );
}

/** "75.00" is seventy-five, whatever it is paid for. */
const hasCents = (value: number | string | null | undefined) =>
  typeof value === 'string' && /[.,]\d{1,2}\D*$/.test(value);

function yearlyIn(text: string, country: string | null): Salary | null {
  const told = parseSalary(text, { country, strictness: 'text' });
  return told?.interval === 'year' ? told : null;
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

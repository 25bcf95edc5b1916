// What amounts mean as pay, whoever read them, fields or running text: in which currency, by which interval, and whether that can be pay at all.
// What a reader would get wrong: a stated interval can be wrong. "24 to 28 a year" is thousands, or an hourly wage where the posting says so elsewhere.
import { type Interval, PER_YEAR } from '../../model/posting/posting.ts';
import { type CurrencyFacts, currencyOf, currencyOfCountry, factsOf } from './amounts.ts';

export interface AmountsSaid {
  min: number | null;
  max: number | null;
  /** ISO code or sign; null where nothing is said. */
  sign: string | null;
  unit: Interval | 'fortnight' | null;
  /** ISO code of where it is paid: whose dollar `$` is. */
  country: string | null;
  /** Whose currency is meant where neither sign nor country say. */
  otherwise?: string;
  /** Whether "45 to 60 a year" may stand for thousands; asked only where the amounts cannot be what they are. */
  mayBeThousands?(): boolean;
  /** Whether the posting calls these amounts an hourly wage elsewhere; asked only where the stated interval cannot be. */
  isHourlyElsewhere?(min: number | null, max: number | null): boolean;
}

export interface InferredPay {
  min: number | null;
  max: number | null;
  currency: string | null;
  interval: Interval | null;
  /** What was concluded and not read. */
  flags: string[];
}

const MIN_YEARLY_USD = 1_000;
const MAX_YEARLY_USD = 5_000_000;
const MAX_HOURLY_USD = 5_000;
/** Without an interval less than this is no pay by any. */
const MIN_USD = 5;
const MIN_THOUSANDS = 15;

/** Null where the amounts cannot be pay. */
export function inferPay({
  min,
  max,
  sign,
  unit,
  country,
  otherwise,
  isHourlyElsewhere,
  mayBeThousands = () => true,
}: AmountsSaid): InferredPay | null {
  if (min === null && max === null) return null;
  const flags: string[] = [];
  let currency = currencyOf(sign, country) ?? codeOf(sign);
  if (currency === null) {
    currency = currencyOfCountry(country ?? otherwise ?? null);
    if (currency !== null) flags.push('currency_inferred');
  }
  const facts = factsOf(currency ?? 'USD');
  const times = unit === 'fortnight' ? 0.5 : 1;
  let [low, high] = min !== null && max !== null && min > max ? [max, min] : [min, max];
  const scale = (by: number) => {
    [low, high] = [low && low * by, high && high * by];
  };
  scale(times);
  const size = () => (high ?? low)!;
  const yearlyUsd = (by: Interval) => (size() * PER_YEAR[by]) / (facts?.perUsd ?? 1);
  let interval = unit === 'fortnight' ? 'week' : unit;
  if (interval === null && facts !== null) {
    interval = intervalOf((low ?? high)!, facts);
    if (interval !== null) flags.push('interval_inferred');
  }
  if (interval !== null && interval !== 'hour' && yearlyUsd(interval) < MIN_YEARLY_USD) {
    if (isHourlyElsewhere?.(low, high)) {
      interval = 'hour';
      flags.push('interval_corrected');
    } else if (interval === 'year' && size() >= MIN_THOUSANDS && areWhole(low, high) && mayBeThousands()) {
      scale(1_000);
      flags.push('assumed_thousands');
    }
  } else if (interval === 'hour' && size() / (facts?.perUsd ?? 1) > MAX_HOURLY_USD) {
    interval = 'year';
    flags.push('interval_corrected');
  }
  // Of a currency without facts nobody knows what is little and what is much.
  const isPossible =
    facts === null ||
    (yearlyUsd(interval ?? 'year') >= (interval === null ? MIN_USD : MIN_YEARLY_USD) &&
      yearlyUsd(interval ?? 'year') <= MAX_YEARLY_USD);
  return isPossible ? { min: low, max: high, currency, interval, flags } : null;
}

/** Nobody writes thousands with cents. */
const areWhole = (...amounts: (number | null)[]) =>
  amounts.every((amount) => amount === null || Number.isInteger(amount));

/** A code that the table does not have is still the source's word. */
function codeOf(sign: string | null): string | null {
  return sign !== null && /^[A-Za-z]{3}$/.test(sign) ? sign.toUpperCase() : null;
}

function intervalOf(amount: number, { hourBelow, monthFrom, yearFrom }: CurrencyFacts): Interval | null {
  if (amount >= yearFrom) return 'year';
  if (amount >= monthFrom) return 'month';
  return hourBelow !== null && amount < hourBelow ? 'hour' : null;
}

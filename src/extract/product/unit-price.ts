// Unit prices: read where the page states one (`22.1 ¢/fl oz`, `1 kg = 3,98 €`), computed where size and price leave no doubt.
// What a reader would get wrong: a stated unit price always wins, and a size that may be weight or volume gives none at all.
import type { Money } from '../../model/product/money.ts';
import type { Size, Unit, UnitPrice } from '../../model/product/product.ts';
import { totalOf } from '../../model/product/size.ts';
import { baseOf, ounceOf, UNIT_PATTERN, unitOf } from '../../model/product/units.ts';
import { moneyFrom } from '../money/money.ts';

const NUMBER = String.raw`(\d{1,9}(?:[.,]\d{1,9})?)`;
const PER = new RegExp(
  `(?:/|\\bper\\b|\\bpro\\b|\\bpar\\b|\\bje\\b|\\ba\\b)\\s{0,4}${NUMBER}?[\\s-]{0,4}(${UNIT_PATTERN})\\.?(?!\\p{L})`,
  'iu',
);
const EQUALS = new RegExp(`${NUMBER}\\s{0,4}(${UNIT_PATTERN})\\.?\\s{0,4}=(.+)$`, 'iu');
/** A unit price is a few words. */
const MAX_CHARS = 200;
/** Sizes below this are too unsure to compute with. */
const MIN_CONFIDENCE = 0.8;
const US_UNITS: Record<string, Unit> = { g: 'oz', ml: 'fl oz', ct: 'ct', m: 'ft' };

/** A unit price as stated; null when the text states none. */
export function parseUnitPrice(
  text: string | null | undefined,
  { usual, title = '' }: { usual?: string; title?: string } = {},
): UnitPrice | null {
  if (!text || text.length > MAX_CHARS) return null;
  const equals = EQUALS.exec(text);
  const per = equals ?? PER.exec(text);
  const unit = per && unitOf(per[2]!);
  if (!per || !unit) return null;
  const priceText = equals ? equals[3]! : text.slice(0, per.index);
  const money = moneyFrom(priceText, usual === undefined ? {} : { usual });
  if (!money) return null;
  const isFluid = unit.unit === 'oz' && ounceOf(title) === 'fl oz';
  return {
    amount_minor: exactMinor(priceText, money),
    currency: money.currency,
    per: { value: Number((per[1] ?? '1').replace(',', '.')) * unit.factor, unit: isFluid ? 'fl oz' : unit.unit },
    basis: 'stated',
    text: text.replace(/\s+/g, ' ').trim(),
  };
}

/** `22.1 ¢` is 22.1 minor units: unit prices keep the tenth that money rounds away. */
function exactMinor(text: string, money: Money): number {
  const tenths = /(\d{1,9}(?:\.\d{1,9})?)\s{0,4}¢/.exec(text)?.[1];
  if (tenths !== undefined) return Number(tenths);
  const fraction = /(?<!\d)\d{1,9}\.\d{3,9}(?!\d)/.exec(text);
  return fraction ? Math.round(Number(fraction[0]) * 100 * 1e4) / 1e4 : money.amount_minor;
}

/** Price by size: per oz, fl oz or piece for dollars, per 100 g, 100 ml or piece elsewhere. */
export function computeUnitPrice(price: Money | null, size: Size | null): UnitPrice | null {
  if (!price || !size || size.confidence < MIN_CONFIDENCE) return null;
  const total = totalOf(size);
  if (!total || total.amount <= 0) return null;
  const unit = price.currency === 'USD' ? US_UNITS[total.base]! : total.base;
  const value = price.currency === 'USD' || total.base === 'ct' || total.base === 'm' ? 1 : 100;
  const inUnit = total.amount / baseOf(unit).factor;
  return {
    amount_minor: Math.round((price.amount_minor / inUnit) * value * 1e4) / 1e4,
    currency: price.currency,
    per: { value, unit },
    basis: 'computed',
    text: null,
  };
}

/** Minor units for one gram, millilitre, piece or metre: what can be compared. */
export function perBase({ amount_minor, per }: UnitPrice): { base: string; amountMinor: number } {
  const { base, factor } = baseOf(per.unit);
  return { base, amountMinor: amount_minor / (per.value * factor) };
}

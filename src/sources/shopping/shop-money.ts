// Money from the decimal numbers of shop APIs. They say the amount exactly; only the currency has to be known.
import { moneyFrom, toMinor } from '../../extract/money/money.ts';
import { isCurrencyCode, type Money } from '../../model/product/money.ts';
import { decimalText } from './shop-json.ts';

/** From a number or a plain decimal text; what is no plain decimal is read as a page shows it. Zero is no price. */
export function shopMoney(value: unknown, currency: string, shownText?: string | null): Money | null {
  // What a shop answers is not always a code, and without one an amount says nothing.
  if (!isCurrencyCode(currency)) return null;
  const plain = decimalText(value);
  const minor = plain === null ? null : toMinor(plain, currency);
  const money =
    minor === null
      ? typeof value === 'string'
        ? moneyFrom(value, { usual: currency })
        : null
      : { amount_minor: minor, currency, text: shownText || format(minor, currency) };
  return money && money.amount_minor > 0 ? money : null;
}

function format(minor: number, currency: string): string {
  const formatter = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return formatter.format(minor / 10 ** (formatter.resolvedOptions().maximumFractionDigits ?? 2));
}

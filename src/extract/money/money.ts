// Prices: from the text of a price element to an amount and a currency, and from there to whole minor units.
// What a reader would get wrong: amounts stay decimal strings until the currency is known, since how many decimals a minor unit has is the
// currency's business (yen none, dinar three), and a binary fraction cannot hold ten cents.
import { type Money, minorDigits } from '../../model/product/money.ts';
import phrases from '../product/price-phrases.json' with { type: 'json' };
import { type AmountText, amountsIn, plainDigits, readAmount } from './amounts.ts';
import { type CurrencyText, chooseCurrency, currenciesIn } from './currency.ts';

export interface Price {
  /** Decimal string; null when the text holds no price. */
  amount: string | null;
  /** As written on the page. */
  currency: string | null;
}

export interface PriceOptions {
  decimalSeparator?: string | undefined;
}

export interface PriceReading extends Price {
  /** ISO 4217 codes the currency may mean, likeliest first. */
  codes: readonly string[];
}

/** A price element is short; whatever a page puts there instead must not cost time. */
const MAX_CHARS = 1_000;

/** The first price of a text; the hint is other text near it that may name the currency. */
export function parsePrice(
  text: string | null | undefined,
  currencyHint?: string | null,
  options: PriceOptions = {},
): PriceReading {
  const plain = plainDigits((text ?? '').slice(0, MAX_CHARS));
  const hint = plainDigits((currencyHint ?? '').slice(0, MAX_CHARS));
  const amounts = amountsIn(plain);
  const own = currenciesIn(plain, amounts);
  const chosen = chooseAmount(plain, amounts, own);
  const currency = chooseCurrency(own, currenciesIn(hint), chosen);
  return {
    amount: chosen === null ? freeOrNone(plain) : amountOf(plain, chosen, currency, options),
    currency: currency?.written ?? null,
    codes: currency?.codes ?? [],
  };
}

const FREE = new RegExp(`^\\P{L}*(?:${phrases.free.join('|')})(?!\\p{L})`, 'iu');
const NO_PRICE = new RegExp(phrases.noPrice.join('|'), 'iu');
const NOT_THE_PRICE = new RegExp(phrases.notThePrice.join('|'), 'iu');

function chooseAmount(
  text: string,
  amounts: readonly AmountText[],
  currencies: readonly CurrencyText[],
): AmountText | null {
  if (amounts.length === 0 || NOT_THE_PRICE.test(text)) return null;
  const beside = amounts.find((amount) => currencies.some((one) => one.beside.includes(amount)));
  if (beside) return beside;
  return NO_PRICE.test(text) ? null : amounts[0]!;
}

function freeOrNone(text: string): string | null {
  return FREE.test(text) && !NOT_THE_PRICE.test(text) ? '0' : null;
}

function amountOf(
  text: string,
  amount: AmountText,
  currency: CurrencyText | null,
  { decimalSeparator }: PriceOptions,
): string {
  const cents = centsBehindSign(text, amount, currency, decimalSeparator);
  if (cents !== null) return `${readAmount(amount.written, {})}.${cents}`;
  return readAmount(amount.written, {
    ...(decimalSeparator === undefined ? {} : { decimalSeparator }),
    threeDecimalsAfter: threeDecimalsAfter(currency),
  });
}

/** `140€33`: the sign stands where the decimal separator would. */
function centsBehindSign(
  text: string,
  amount: AmountText,
  currency: CurrencyText | null,
  decimalSeparator: string | undefined,
): string | null {
  if (currency === null || currency.start !== amount.end || !/^[\d ]+$/.test(amount.written)) return null;
  if (decimalSeparator !== undefined && decimalSeparator !== currency.written) return null;
  return /^(?:(\d{2})(?![\d.,])| (\d{2})\s*$)/.exec(text.slice(currency.end))?.slice(1).find(Boolean) ?? null;
}

function threeDecimalsAfter(currency: CurrencyText | null): string {
  if (currency === null || currency.codes.length === 0 || !currency.codes.every((code) => minorDigits(code) === 3))
    return '';
  return currency.codes.includes('TND') ? '.,' : '.';
}

/** A decimal string in whole minor units, rounded half up; null for what is no decimal string or too large to be exact. */
export function toMinor(amount: string | null, code: string): number | null {
  const match = /^(\d+)(?:\.(\d*))?$/.exec(amount ?? '');
  if (!match) return null;
  const digits = minorDigits(code);
  const fraction = (match[2] ?? '').padEnd(digits + 1, '0');
  const minor = Number(match[1]! + fraction.slice(0, digits)) + (fraction[digits]! >= '5' ? 1 : 0);
  return Number.isSafeInteger(minor) ? minor : null;
}

/** Signs of the hundredth of a currency. */
const HUNDREDTHS = new Set(['¢', '￠', 'cent', 'cents', 'c', 'ct', 'p']);

export interface MoneyOptions {
  /** Other text near the price that may name the currency. */
  hint?: string | null;
  /** ISO code of the place: what `$` means there, and what a bare number is taken for. */
  usual?: string;
  decimalSeparator?: string;
}

/** A price as money; null where the text has no price or nothing says in which currency. */
export function moneyFrom(
  text: string | null | undefined,
  { hint, usual, decimalSeparator }: MoneyOptions = {},
): Money | null {
  if (!text) return null;
  const price = parsePrice(text, hint, { decimalSeparator });
  const currency =
    usual !== undefined && (price.codes.length === 0 || price.codes.includes(usual)) ? usual : price.codes[0];
  if (price.amount === null || currency === undefined) return null;
  const isHundredth = HUNDREDTHS.has(price.currency ?? '') && minorDigits(currency) === 2;
  const amountMinor = isHundredth ? Math.round(Number(price.amount)) : toMinor(price.amount, currency);
  return amountMinor === null ? null : { amount_minor: amountMinor, currency, text: text.replace(/\s+/g, ' ').trim() };
}

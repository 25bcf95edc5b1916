// Money: whole minor units of a currency, with the text as shown.
import { z } from 'zod';

export const Money = z.object({
  amount_minor: z.number().int().nonnegative(),
  /** ISO 4217. */
  currency: z.string().length(3),
  text: z.string(),
});
export type Money = z.infer<typeof Money>;

/** In the form of a code of ISO 4217: anything else has no format. */
export const isCurrencyCode = (code: string): boolean => /^[A-Z]{3}$/.test(code);

const FORMATS = new Map<string, number>();
const MAX_FORMATS = 500;

/** How many decimals the minor unit of a currency has. Unknown codes are taken to have two. */
export function minorDigits(code: string): number {
  let digits = FORMATS.get(code);
  if (digits === undefined) {
    digits = isCurrencyCode(code)
      ? (new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ??
        2)
      : 2;
    // A memo of a pure function; made-up codes cannot fill the memory.
    if (FORMATS.size < MAX_FORMATS) FORMATS.set(code, digits);
  }
  return digits;
}

/** As a decimal number, for JSON at the edge. */
export function toDecimal(amountMinor: number, currency: string): number {
  const digits = minorDigits(currency);
  return Number((amountMinor / 10 ** digits).toFixed(Number.isInteger(amountMinor) ? digits : digits + 4));
}

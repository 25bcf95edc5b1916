// Amounts of money. Pure.

/** In the currency's own form; where none is known, the bare number. */
export function money(amount: number | null, currency: string | null): string | null {
  if (amount === null) return null;
  if (!currency || !/^[A-Z]{3}$/.test(currency)) return String(amount);
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
}

export interface UnitPriced {
  unit_price: number | null;
  unit: string | null;
  currency: string | null;
}

/** `$0.21 / fl oz`. */
export const unitPriceText = ({ unit_price, unit, currency }: UnitPriced): string | null =>
  unit_price === null ? null : `${money(unit_price, currency)} / ${unit ?? 'each'}`;

// Barcodes. A GTIN counts only with a right check digit: shops put internal numbers into the same fields.

/** The number in its shortest usual length (8, 13 or 14 digits, a UPC as 13); null for what is no valid GTIN. */
export function normaliseGtin(text: string | null | undefined): string | null {
  const digits = (text ?? '').replace(/[\s-]/g, '');
  if (!/^\d{8,14}$/.test(digits) || /^0+$/.test(digits) || !hasCheckDigit(digits)) return null;
  const bare = digits.replace(/^0+/, '');
  return bare.length <= 8 ? bare.padStart(8, '0') : bare.padStart(13, '0');
}

function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length - 1; i++) sum += Number(digits[digits.length - 2 - i]) * (i % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1));
}

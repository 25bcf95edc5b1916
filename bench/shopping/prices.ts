// Scores parsePrice on strings with known answers, the way eval/prices.mjs does: both right when the amount is equal and the currency can be the same.
import { readFileSync } from 'node:fs';
import { parsePrice } from '../../src/extract/money/money.ts';

interface Case {
  input: string | null;
  currencyHint?: string | null;
  decimalSeparator?: string | null;
  amount: string | null;
  currency: string | null;
}

export interface Score {
  cases: number;
  amount: number;
  both: number;
  perSecond: number;
}

export function scorePrices(file: string): Score {
  const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[];
  let amount = 0;
  let both = 0;
  const began = performance.now();
  for (const one of cases) {
    const found = read(one);
    const isAmount = plain(found.amount) === plain(one.amount);
    amount += Number(isAmount);
    both += Number(isAmount && isSameCurrency(found.currency, found.codes, one.currency));
  }
  const seconds = (performance.now() - began) / 1_000;
  return {
    cases: cases.length,
    amount: amount / cases.length,
    both: both / cases.length,
    perSecond: Math.round(cases.length / seconds),
  };
}

const read = ({ input, currencyHint, decimalSeparator }: Pick<Case, 'input' | 'currencyHint' | 'decimalSeparator'>) =>
  parsePrice(input, currencyHint, { decimalSeparator: decimalSeparator ?? undefined });

const plain = (value: string | null): string | undefined =>
  value
    ?.replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^0+(?=\d)/, '');

function isSameCurrency(found: string | null, codes: readonly string[], wanted: string | null): boolean {
  if (found === null || wanted === null) return found === wanted;
  // What the written form of the answer may mean, by the same table.
  return found === wanted || parsePrice(null, wanted).codes.some((code) => codes.includes(code));
}

// Which offers are the same product, whatever shop they are from. A wrong match is worse than none: two names are one product only where every word that
// says something, the size of a piece and the number of pieces are the same, and at least one word is a name and no common noun.
// What a reader would get wrong: nothing is compared with anything. Each offer has keys, equal keys are the same product, so the work grows with the offers
// alone and one doubtful pair can never chain two groups together.
import { keyOf } from '../ids.ts';
import { normaliseGtin } from './gtin.ts';
import type { Product } from './product.ts';
import words from './product-words.json' with { type: 'json' };
import { type StatedAmount, statedAmounts, totalOf } from './size.ts';

/** What the rule reads of an offer. */
export type ProductIdentity = Pick<Product, 'title'> &
  Partial<Pick<Product, 'brand' | 'size' | 'condition' | 'is_by_weight' | 'ids'>>;

export interface ProductKeys {
  /** A barcode with a right check digit. */
  gtin: string | null;
  /** Name, size and pack as they are compared; null where they do not say enough. */
  name: string | null;
}

const list = (text: string): Set<string> => new Set(text.split(' '));
/** Says nothing of what is inside. */
const NEUTRAL = list(words.neutral);
/** Common nouns and qualities: a name made of them alone is of many products. */
const COMMON = list(words.common);
const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries(words.same).flatMap(([word, written]) => written.split(' ').map((one) => [one, word])),
);

const JOINED = new RegExp(`(?<![\\p{L}\\d])(?:${words.joined.join('|')})(?![\\p{L}\\d])`, 'gu');

const MAX_CHARS = 300;
const MIN_WORDS = 2;
/** Sizes of one product differ by the rounding of units: 16 oz, 454 g, 1 lb. */
const SIZE_STEP = 0.012;

export function productKeys(product: ProductIdentity): ProductKeys {
  const gtin = normaliseGtin(product.ids?.gtin);
  return { gtin, name: nameKey(product) };
}

/** One id for offers that are compared without looking at others: by barcode where there is one, else by name. */
export function sameAs(product: ProductIdentity): string | null {
  const { gtin, name } = productKeys(product);
  if (gtin !== null) return keyOf(`gtin:${gtin}`);
  return name === null ? null : keyOf(`same:${name}`);
}

/** Two different barcodes are two products, whatever their names; one barcode is one. */
export function isSameProduct(a: ProductIdentity, b: ProductIdentity): boolean {
  const [x, y] = [productKeys(a), productKeys(b)];
  if (x.gtin !== null && y.gtin !== null) return x.gtin === y.gtin;
  return x.name !== null && x.name === y.name;
}

function nameKey({
  title,
  brand = null,
  size: stated = null,
  condition = null,
  is_by_weight: isByWeight = false,
}: ProductIdentity): string | null {
  if (isByWeight) return null;
  const { amounts, rest } = statedAmounts(title.slice(0, MAX_CHARS));
  const names = [...new Set(wordsOf(`${brand ?? ''} ${rest}`))].sort();
  if (names.length < MIN_WORDS || names.every((word) => COMMON.has(word) || /^[\d.%]+$/.test(word))) return null;
  const measured = amounts.length > 0 || stated === null ? amounts : amountsOf(stated);
  if (measured.length === 0 && !MODEL.test(rest)) return null;
  const used = condition === 'used' || condition === 'refurbished' ? condition : '';
  return [names.join(' '), [...new Set(measured.map(written))].filter(Boolean).sort().join(' '), used].join('|');
}

/** "WH-1000XM5": without a size only a model number tells one version from the next. */
const MODEL = /(?<![\p{L}\d-])(?=[\p{L}-]{0,20}\d)(?=[\d-]{0,20}\p{L})[\p{L}\d-]{5,40}(?![\p{L}\d-])/u;

function amountsOf(size: NonNullable<Product['size']>): StatedAmount[] {
  const one = totalOf({ ...size, count: 1 }) ?? { amount: size.value, base: 'oz' as const };
  return [one, { amount: size.count, base: 'ct' }];
}

/** A pack of one is not a pack; measures are the same within the rounding of units. */
function written({ amount, base }: StatedAmount): string {
  if (base === 'ct') return amount === 1 ? '' : `${Math.round(amount * 100) / 100}ct`;
  return `${Math.round(Math.log(amount) / SIZE_STEP)}${base}`;
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’®™©!]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[-\s]+/g, ' ')
    .replace(JOINED, (name) => name.replaceAll(' ', ''))
    .split(/[^\p{L}\d.%]+/u)
    .flatMap((word) => {
      const bare = word.replace(/^\.{1,3}|\.{1,3}$/g, '');
      const single = SAME.get(bare) ?? bare;
      const one = SAME.get(singular(single)) ?? singular(single);
      return one === '' || NEUTRAL.has(one) || NEUTRAL.has(single) ? [] : one.split(' ');
    });
}

const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !/\d/.test(word) ? word.slice(0, -1) : word;

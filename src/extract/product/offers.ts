// Offers of schema.org: one, several or an aggregate, with prices as numbers, texts or specifications. The cheapest that can be bought counts.
import { type Money, minorDigits } from '../../model/product/money.ts';
import type { Product, Unit, UnitPrice } from '../../model/product/product.ts';
import { unitOf } from '../../model/product/units.ts';
import { firstString, type JsonLdNode, typesOf } from '../html/structured.ts';
import { moneyFrom, toMinor } from '../money/money.ts';

export type OfferFields = Pick<Product, 'price' | 'old_price' | 'unit_price' | 'availability' | 'condition' | 'seller'>;

const MAX_OFFERS = 500;

export function readOffers(value: unknown, pageUrl: string): OfferFields {
  const offers = flatten(value)
    .slice(0, MAX_OFFERS)
    .map((node) => readOffer(node, pageUrl));
  const buyable = offers.filter((offer) => offer.price !== null && offer.availability !== 'out_of_stock');
  const priced = buyable.length > 0 ? buyable : offers.filter((offer) => offer.price !== null);
  const [cheapest] = priced.sort((a, b) => a.price!.amount_minor - b.price!.amount_minor);
  return (
    cheapest ??
    offers[0] ?? {
      price: null,
      old_price: null,
      unit_price: null,
      availability: 'unknown',
      condition: null,
      seller: sellerOf(undefined, pageUrl),
    }
  );
}

function flatten(value: unknown): JsonLdNode[] {
  if (Array.isArray(value)) return value.flatMap(flatten);
  if (value === null || typeof value !== 'object') return [];
  const node = value as JsonLdNode;
  const inner = typesOf(node).includes('AggregateOffer')
    ? flatten(node.offers).filter((offer) => offer.price !== undefined || offer.priceSpecification !== undefined)
    : [];
  return inner.length > 0 ? inner : [node];
}

function readOffer(node: JsonLdNode, pageUrl: string): OfferFields {
  const specifications = flatten(node.priceSpecification);
  const isOf = (kind: RegExp) => (spec: JsonLdNode) => kind.test(firstString(spec.priceType) ?? '');
  const unit = specifications.find((spec) => spec.referenceQuantity !== undefined);
  const list = specifications.find(isOf(/ListPrice|StrikethroughPrice|MSRP|SRP/i));
  const sale = specifications.find(
    (spec) => spec !== list && spec.price !== undefined && (spec !== unit || hasReference(spec)),
  );
  const currency = firstString(node.priceCurrency);
  const price =
    moneyOf(node.price ?? node.lowPrice, currency) ??
    (sale ? moneyOf(sale.price, firstString(sale.priceCurrency) ?? currency) : null);
  return {
    price,
    old_price: list ? moneyOf(list.price, firstString(list.priceCurrency) ?? currency) : null,
    unit_price: unit ? unitPriceOf(unit, currency) : null,
    availability: availabilityOf(firstString(node.availability)),
    condition: conditionIn(firstString(node.itemCondition)),
    seller: sellerOf(node.seller ?? node.offeredBy, pageUrl),
  };
}

/** JSON-LD prices are plain decimals by definition; whatever else stands there is read as a page's text. */
function moneyOf(value: unknown, currency: string | null): Money | null {
  const shown = firstString(value);
  if (shown === null) return null;
  const code = currency !== null && /^[A-Za-z]{3}$/.test(currency) ? currency.toUpperCase() : null;
  const plain = /^\d+(?:\.\d+)?$/.test(shown);
  const money =
    plain && code !== null
      ? fromDecimal(shown, code)
      : moneyFrom(shown, { hint: currency, ...(code === null ? {} : { usual: code }) });
  return money && money.amount_minor > 0 ? money : null;
}

function fromDecimal(amount: string, currency: string): Money | null {
  const minor = toMinor(amount, currency);
  return minor === null ? null : { amount_minor: minor, currency, text: `${amount} ${currency}` };
}

const hasReference = (spec: JsonLdNode): boolean =>
  (spec.referenceQuantity as JsonLdNode | undefined)?.valueReference !== undefined;

/** UN/CEFACT codes of the units shops use. */
const UNIT_CODES: Record<string, string> = {
  KGM: 'kg',
  GRM: 'g',
  LTR: 'l',
  MLT: 'ml',
  CLT: 'cl',
  ONZ: 'oz',
  LBR: 'lb',
  OZA: 'fl oz',
  GLL: 'gal',
  C62: 'ct',
  H87: 'ct',
  EA: 'ct',
  MTR: 'm',
  FOT: 'ft',
};

/** With a reference the price is for `value` and is shown per reference; without one it is already per `value`. */
function unitPriceOf(spec: JsonLdNode, currency: string | null): UnitPrice | null {
  const money = moneyOf(spec.price, firstString(spec.priceCurrency) ?? currency);
  const measure = quantityOf(spec.referenceQuantity);
  if (!money || !measure) return null;
  const reference = quantityOf((spec.referenceQuantity as JsonLdNode).valueReference);
  const isSame = reference !== null && reference.unit === measure.unit;
  const amount = isSame ? (money.amount_minor / measure.value) * reference.value : money.amount_minor;
  const digits = 10 ** minorDigits(money.currency);
  return {
    amount_minor: Math.round(amount * 1e4) / 1e4,
    currency: money.currency,
    per: isSame ? reference : measure,
    basis: 'stated',
    text: `${amount / digits} ${money.currency}`,
  };
}

function quantityOf(value: unknown): { value: number; unit: Unit } | null {
  const node = value as JsonLdNode | undefined;
  const code = firstString(node?.unitCode) ?? firstString(node?.unitText);
  const amount = Number(firstString(node?.value) ?? 1);
  const unit = code === null ? undefined : unitOf(UNIT_CODES[code.toUpperCase()] ?? code);
  return unit && amount > 0 ? { value: amount * unit.factor, unit: unit.unit } : null;
}

/** `https://schema.org/InStock`, `InStock`, `in stock`. */
export function availabilityOf(value: string | null): Product['availability'] {
  const word = (value ?? '')
    .replace(/^.*[/#]/, '')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();
  if (
    /^(?:instock|limitedavailability|onlineonly|instoreonly|available|availablefororder|presale|preorder)$/.test(word)
  )
    return 'in_stock';
  return /^(?:outofstock|soldout|discontinued|backorder|oos|unavailable|notavailable)$/.test(word)
    ? 'out_of_stock'
    : 'unknown';
}

/** `https://schema.org/UsedCondition`, `refurbished`. */
export function conditionIn(value: string | null): Product['condition'] {
  if (value === null) return null;
  return /refurb/i.test(value)
    ? 'refurbished'
    : /used|damaged|pre-?owned/i.test(value)
      ? 'used'
      : /new/i.test(value)
        ? 'new'
        : null;
}

function sellerOf(value: unknown, pageUrl: string): Product['seller'] {
  return { name: firstString(value), id: null, domain: new URL(pageUrl).hostname };
}

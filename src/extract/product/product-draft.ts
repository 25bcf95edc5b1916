// From whatever fields a source found to a whole product: defaults, size and unit price from the name, links made absolute and bare.
// What a reader would get wrong: nothing is invented here. A field nobody stated stays null, and a computed unit price says that it is computed.

import type { Fulfilment, Product } from '../../model/product/product.ts';
import { parseSize } from '../../model/product/size.ts';
import { withOrigins } from '../../model/provenance/origins.ts';
import { canonicalUrl } from '../../model/url.ts';
import { cleanText } from '../html/html.ts';
import { bounded } from '../limits.ts';
import { moneyFrom } from '../money/money.ts';
import { productOrigins } from './product-origins.ts';
import { computeUnitPrice } from './unit-price.ts';

export type ProductDraft = Partial<Omit<Product, 'title' | 'position' | 'source' | 'scraped_at' | 'locality'>> & {
  title: string;
  /** Text that states the size, where it stands apart from the name. */
  sizeText?: string | null;
  /** Where its fields came from; one object for all that were read in the same way. */
  origins?: DraftOrigins;
};

/** By field of the draft. */
export type DraftOrigins = Readonly<Partial<Record<keyof Omit<ProductDraft, 'origins' | 'parse'>, string>>>;

export interface DraftContext {
  source: string;
  position: number;
  scrapedAt: string;
  locality: Product['locality'];
}

const MAX_TITLE_CHARS = 500;
const MAX_LINE_CHARS = 300;

export function completeProduct(draft: ProductDraft, { source, position, scrapedAt, locality }: DraftContext): Product {
  const { sizeText: saidSize, origins, ...found } = draft;
  const title = cleanText(bounded(found.title, 'title')).slice(0, MAX_TITLE_CHARS);
  const sizeText = bounded(saidSize, 'name');
  const size = found.size ?? (sizeText ? parseSize(sizeText, title) : null) ?? parseSize(title);
  const price = found.price ?? null;
  const oldPrice = found.old_price ?? null;
  const isByWeight = found.is_by_weight ?? false;
  const product: Product = {
    seller: { name: null, id: null, domain: null },
    condition: null,
    availability: 'unknown',
    fulfilment: [],
    review_count_is_rounded: false,
    ids: {},
    product_link: null,
    merchant_link: null,
    sponsored: false,
    parse: { rule: 'fields', confidence: 1 },
    ...found,
    ...opinion(found),
    title,
    brand: bounded(found.brand ?? null, 'name'),
    image: bounded(found.image ?? null, 'url') || null,
    price,
    // "Was" a price that is not higher is no reduction.
    old_price: oldPrice && price && oldPrice.amount_minor <= price.amount_minor ? null : oldPrice,
    size,
    is_by_weight: isByWeight,
    unit_price: found.unit_price ?? (isByWeight ? null : computeUnitPrice(price, size)),
    position,
    source,
    scraped_at: scrapedAt,
    locality,
  };
  const isSized = found.size != null || (size !== null && Boolean(sizeText));
  return withOrigins(product, origins && productOrigins(origins, { isSized, hasUnitPrice: found.unit_price != null }));
}

/** Ratings out of five, counts whole; whatever else a page claims there is not known. */
function opinion({ rating, review_count: count }: ProductDraft): Pick<Product, 'rating' | 'review_count'> {
  return {
    rating: rating != null && rating >= 0 && rating <= 5 ? rating : null,
    review_count: count != null && count >= 0 && Number.isSafeInteger(Math.round(count)) ? Math.round(count) : null,
  };
}

/** An address on a page: absolute, http only, without what says where a reader came from. Null for the rest (data URIs, scripts). */
export function linkOf(address: string | null | undefined, base: string): string | null {
  if (!address || !URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return /^https?:$/.test(url.protocol) ? canonicalUrl(url.href) : null;
}

const PICKUP = /\b(?:pick ?up|curbside|click (?:and|&) collect)\b/i;
const IN_STORE = /\bin[- ]store\b|\bnearby\b|\bavailable at\b/i;
const DELIVERY =
  /\b(?:deliver(?:y|ed)|get it by|get it between|arrives|by (?:mon|tue|wed|thu|fri|sat|sun|tomorrow))\b/i;
const SHIPPING = /\bship(?:ping|s|ped)?\b|free of charge/i;

/** How it gets to the buyer, from a line such as "In store, Tampa" or "Get it by Wed (Free)"; null when the line is about something else. */
export function fulfilmentFrom(line: string, usual?: string): Fulfilment | null {
  const text = cleanText(line.slice(0, MAX_LINE_CHARS));
  const type = PICKUP.test(text)
    ? 'pickup'
    : IN_STORE.test(text)
      ? 'in_store'
      : DELIVERY.test(text)
        ? 'delivery'
        : SHIPPING.test(text)
          ? 'shipping'
          : null;
  if (type === null) return null;
  const place =
    /\b(?:in[- ]store|pick ?up|nearby)\b[^,·]{0,20}[,·]\s*([^,·()\d][^,·()]{1,60})/i.exec(text)?.[1]?.trim() ?? null;
  const isFree = /\bfree\b/i.test(text) && !/\bfree\b.{0,200}\b(?:over|on orders|with)\b/i.test(text);
  return { type, text, place, cost_minor: isFree ? 0 : costIn(text, usual) };
}

function costIn(text: string, usual?: string): number | null {
  if (!/[$€£₹¥]|\d[.,]\d{2}/.test(text) || /\b(?:over|orders?|spend)\b/i.test(text)) return null;
  return moneyFrom(text, usual === undefined ? {} : { usual })?.amount_minor ?? null;
}

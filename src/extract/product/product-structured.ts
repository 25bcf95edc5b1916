// The product a page is about, from what it states for machines: JSON-LD first, then microdata, then OpenGraph.
// What a reader would get wrong: a product page names several products (related, seen before, variants). The one meant is the one whose address
// or name is the page's own. A price of 0 is how shops say "ask us", so it is no price.

import { normaliseGtin } from '../../model/product/gtin.ts';
import type { Product } from '../../model/product/product.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { attr, cleanText, type Document, one, text } from '../html/html.ts';
import {
  firstString,
  type JsonLdNode,
  jsonLd,
  type MicrodataItem,
  metaTags,
  microdata,
  ofType,
  typesOf,
} from '../html/structured.ts';
import { conditionIn, readOffers } from './offers.ts';
import { type DraftOrigins, linkOf, type ProductDraft } from './product-draft.ts';
import { outOfFive } from './rating.ts';

const PRODUCT_TYPES = [
  'Product',
  'ProductGroup',
  'IndividualProduct',
  'ProductModel',
  'SomeProducts',
  'Vehicle',
  'Car',
  'Book',
];

const PROPERTIES = {
  title: 'name | title',
  brand: 'brand | manufacturer',
  seller: 'offers.seller | =computed',
  price: 'offers.price | offers.lowPrice | offers.priceSpecification',
  old_price: 'offers.priceSpecification',
  unit_price: 'offers.priceSpecification',
  condition: 'offers.itemCondition | itemCondition',
  availability: 'offers.availability',
  ids: 'gtin | sku | mpn | productID',
  image: 'image',
  product_link: 'url | =request:url',
  merchant_link: '=request:url',
  rating: 'aggregateRating.ratingValue',
  review_count: 'aggregateRating.reviewCount | aggregateRating.ratingCount',
};
const JSON_LD: DraftOrigins = prefixed('json-ld', PROPERTIES);
const MICRODATA: DraftOrigins = prefixed('microdata', PROPERTIES);
const OPEN_GRAPH: DraftOrigins = prefixed('meta', {
  title: 'og:title | twitter:title',
  brand: 'product:brand | og:brand',
  seller: 'og:site_name | =request:url',
  price: 'product:sale_price:amount | product:price:amount | og:price:amount',
  condition: 'product:condition',
  availability: 'product:availability | og:availability',
  ids: 'product:gtin | product:ean | product:upc | product:retailer_item_id',
  image: 'og:image',
  product_link: 'og:url',
  merchant_link: '=request:url',
});

/** The product of a page, or null when the page states none. */
export function productIn(doc: Document, pageUrl: string): ProductDraft | null {
  const meta = metaTags(doc);
  const page = {
    url: pageUrl,
    names: namesOf(doc, meta),
    canonical: linkOf(attr(one(doc, 'link[rel="canonical" i]'), 'href') ?? meta.get('og:url'), pageUrl),
  };
  const stated = ofType(jsonLd(doc), ...PRODUCT_TYPES).filter((node) => nameOf(node) !== null);
  const nested = microdata(doc)
    .flatMap((item) => itemsOf(item))
    .map(asNode);
  const items = nested.filter(
    (node) => typesOf(node).some((type) => PRODUCT_TYPES.includes(type)) && nameOf(node) !== null,
  );
  const graph = openGraph(meta, page.url);
  const first = draftOf(meant(stated, page), page.url, 'json-ld') ?? draftOf(meant(items, page), page.url, 'microdata');
  return merge(first, graph);
}

interface PageFacts {
  url: string;
  names: string[];
  canonical: string | null;
}

function namesOf(doc: Document, meta: Map<string, string>): string[] {
  return [text(one(doc, 'h1')), meta.get('og:title') ?? '', text(one(doc, 'title'))].map(fold).filter(Boolean);
}

const fold = (name: string): string =>
  cleanText(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const nameOf = (node: JsonLdNode): string | null => firstString(node.name) ?? firstString(node.title);

/** The node the page is about: same address, then same name, then the first that has an offer. */
function meant(nodes: JsonLdNode[], page: PageFacts): JsonLdNode | null {
  const score = (node: JsonLdNode): number => {
    const links = [node.url, node['@id'], node.mainEntityOfPage].map((value) => linkOf(firstString(value), page.url));
    const isHere = links.some(
      (link) => link !== null && (link === page.canonical || link === linkOf(page.url, page.url)),
    );
    const name = fold(nameOf(node)!);
    const isNamed = page.names.some((other) => other === name)
      ? 2
      : page.names.some((other) => name.length > 5 && other.startsWith(name))
        ? 1
        : 0;
    return (isHere ? 8 : 0) + isNamed * 2 + (node.offers === undefined && node.hasVariant === undefined ? 0 : 1);
  };
  let best: JsonLdNode | null = null;
  for (const node of nodes) if (best === null || score(node) > score(best)) best = node;
  return best;
}

function draftOf(node: JsonLdNode | null, pageUrl: string, rule: string): ProductDraft | null {
  if (node === null) return null;
  const variants = Array.isArray(node.hasVariant) ? (node.hasVariant as JsonLdNode[]) : [];
  const offers = readOffers(node.offers ?? variants.map((variant) => variant?.offers), pageUrl);
  const rating = ratingOf(node.aggregateRating);
  return {
    title: nameOf(node)!,
    brand: firstString(node.brand) ?? firstString(node.manufacturer),
    ...offers,
    ids: idsOf(node),
    image: linkOf(imageOf(node.image), pageUrl),
    product_link: linkOf(firstString(node.url), pageUrl) ?? linkOf(pageUrl, pageUrl),
    merchant_link: linkOf(pageUrl, pageUrl),
    ...rating,
    ...(offers.condition ? {} : { condition: conditionIn(firstString(node.itemCondition)) }),
    origins: rule === 'json-ld' ? JSON_LD : MICRODATA,
    parse: { rule, confidence: rule === 'json-ld' ? 0.95 : 0.9 },
  };
}

function ratingOf(value: unknown): Pick<Product, 'rating' | 'review_count' | 'review_count_is_rounded'> {
  const node = (Array.isArray(value) ? value[0] : value) as JsonLdNode | undefined;
  const number = (field: unknown) => Number(firstString(field)?.replace(',', '.') ?? Number.NaN);
  const rating = number(node?.ratingValue);
  const best = number(node?.bestRating);
  const count = number(firstString(node?.reviewCount) ?? node?.ratingCount);
  const isRated = Number.isFinite(rating) && rating > 0;
  return {
    rating: isRated ? outOfFive({ value: rating, best: Number.isFinite(best) && best > 0 ? best : null }) : null,
    review_count: Number.isSafeInteger(count) && count >= 0 ? count : null,
    review_count_is_rounded: false,
  };
}

const GTIN_FIELDS = ['gtin', 'gtin13', 'gtin12', 'gtin14', 'gtin8', 'isbn', 'productID'];

function idsOf(node: JsonLdNode): Record<string, string> {
  const ids: Record<string, string> = {};
  const gtins = GTIN_FIELDS.map((field) => normaliseGtin(firstString(node[field])?.replace(/^\w+:/, '')));
  const gtin = gtins.find((one) => one !== null);
  if (gtin) ids.gtin = gtin;
  for (const field of ['sku', 'mpn'] as const) {
    const value = firstString(node[field]);
    // A path or an address is no article number, and neither is a row of zeros.
    if (value !== null && value.length <= 80 && !/[/\s]/.test(value) && !/^0*$/.test(value)) ids[field] = value;
  }
  return ids;
}

function imageOf(value: unknown): string | null {
  for (let v = value, i = 0; i < 4; i++) {
    if (typeof v === 'string') return v.trim() || null;
    if (Array.isArray(v)) v = v[0];
    else if (v !== null && typeof v === 'object')
      v = (v as JsonLdNode).contentUrl ?? (v as JsonLdNode).url ?? (v as JsonLdNode)['@id'];
    else return null;
  }
  return null;
}

/** Items inside items too: a product often sits in an ItemPage. */
function itemsOf(item: MicrodataItem): MicrodataItem[] {
  const inner = Object.values(item.properties)
    .flat()
    .filter((value) => typeof value !== 'string');
  return [item, ...inner.flatMap(itemsOf)];
}

/** A microdata item in the shape of a JSON-LD node, so that one reader serves both. */
function asNode(item: MicrodataItem): JsonLdNode {
  const node: JsonLdNode = { '@type': item.type };
  for (const [name, values] of Object.entries(item.properties)) {
    const plain = values.map((value) => (typeof value === 'string' ? value : asNode(value)));
    node[name] = plain.length === 1 ? plain[0] : plain;
  }
  return node;
}

function openGraph(meta: Map<string, string>, pageUrl: string): ProductDraft | null {
  const title = meta.get('og:title') ?? meta.get('twitter:title');
  const amount =
    meta.get('product:sale_price:amount') ?? meta.get('product:price:amount') ?? meta.get('og:price:amount');
  const isProduct = /^(?:og:)?product/.test(meta.get('og:type') ?? '') || amount !== undefined;
  if (!isProduct || !title) return null;
  const currency =
    meta.get('product:sale_price:currency') ?? meta.get('product:price:currency') ?? meta.get('og:price:currency');
  const offers = readOffers(
    {
      price: amount,
      priceCurrency: currency,
      availability: meta.get('product:availability') ?? meta.get('og:availability'),
      itemCondition: meta.get('product:condition'),
    },
    pageUrl,
  );
  const sku = meta.get('product:retailer_item_id');
  const gtin = normaliseGtin(meta.get('product:gtin') ?? meta.get('product:ean') ?? meta.get('product:upc'));
  return {
    title,
    brand: meta.get('product:brand') ?? meta.get('og:brand') ?? null,
    ...offers,
    seller: { name: meta.get('og:site_name') ?? null, id: null, domain: new URL(pageUrl).hostname },
    ids: { ...(gtin ? { gtin } : {}), ...(sku ? { sku } : {}) },
    image: linkOf(meta.get('og:image'), pageUrl),
    product_link: linkOf(meta.get('og:url'), pageUrl),
    merchant_link: linkOf(pageUrl, pageUrl),
    origins: OPEN_GRAPH,
    parse: { rule: 'opengraph', confidence: 0.7 },
  };
}

/** What the first did not say is taken from the second. */
function merge(first: ProductDraft | null, second: ProductDraft | null): ProductDraft | null {
  if (!first || !second) return first ?? second;
  const own = dropEmpty(first);
  const merged: ProductDraft = { ...second, ...own };
  return { ...merged, ids: { ...second.ids, ...first.ids }, origins: mergedOrigins(own, first, second) };
}

/** Each value keeps its own. */
function mergedOrigins(own: ProductDraft, first: ProductDraft, second: ProductDraft): DraftOrigins {
  const kept = Object.entries(first.origins ?? {}).filter(([field]) => field in own);
  const ids = [first, second].flatMap(({ ids, origins }) =>
    Object.keys(ids ?? {}).length > 0 ? (origins?.ids ?? []) : [],
  );
  return { ...second.origins, ...Object.fromEntries(kept), ...(ids.length > 0 && { ids: ids.join(' | ') }) };
}

function dropEmpty(draft: ProductDraft): ProductDraft {
  const isEmpty = (key: string, value: unknown) =>
    value === null ||
    value === undefined ||
    (key === 'availability' && value === 'unknown') ||
    (key === 'seller' && (value as Product['seller']).name === null);
  return Object.fromEntries(Object.entries(draft).filter(([key, value]) => !isEmpty(key, value))) as ProductDraft;
}

// Reads the products of a Google Shopping page by every known layout, counts what each one matched, and keeps the one that read most. Pure.
// What a reader would get wrong: everything is read inside its card. Pairing lists of titles, prices and sellers by index shifts every row
// behind the first card that lacks one.

import { all, attr, cleanText, type Document, type Element, one, parse, text } from '../../../extract/html/html.ts';
import { moneyFrom } from '../../../extract/money/money.ts';
import { type DraftOrigins, fulfilmentFrom, type ProductDraft } from '../../../extract/product/product-draft.ts';
import { outOfFive, parseRating, parseReviewCount } from '../../../extract/product/rating.ts';
import { parseUnitPrice } from '../../../extract/product/unit-price.ts';
import { prefixed } from '../../../model/provenance/origins.ts';
import { absoluteUrl } from '../../../model/url.ts';
import { deferredImages, withInjected } from './google-embedded.ts';
import { type LabelFacts, readLabel } from './google-label.ts';
import table from './google-layouts.json' with { type: 'json' };
import { readLeaves } from './google-leaves.ts';
import { panelLink, unwrapLink } from './google-links.ts';

interface Layout {
  id: string;
  reads: string;
  card: string[];
  label?: string[];
  title?: string[];
  price?: string[];
  oldPrice?: string[];
  seller?: string[];
  delivery?: string[];
  rating?: string[];
  reviews?: string[];
  image?: string[];
  link?: string[];
  productLink?: string[];
  pageTitle?: string[];
  pageRating?: string[];
  pageReviews?: string[];
  pageImage?: string[];
  sponsored?: string[];
  ids?: Record<string, string>;
  sellerId?: string;
}

const LAYOUTS = table.layouts as unknown as readonly Layout[];
export const LAYOUTS_VERSION = table.version;
/** Any card of any layout, to wait for in a browser. */
export const CARD_SELECTOR = LAYOUTS.filter(({ id }) => !id.startsWith('offers'))
  .flatMap(({ card }) => card)
  .join(', ');

/** A page shows about forty; more than this is no page of results. */
const MAX_CARDS = 300;

export interface RuleCount {
  rule: string;
  /** Cards its selectors found. */
  matched: number;
  /** Of those, the ones with a title and a price; null when another rule had read as many before. */
  read: number | null;
}

export interface PageReading {
  products: ProductDraft[];
  /** The rule the products come from; null when none read any. */
  rule: string | null;
  counts: RuleCount[];
  document: Document;
}

export interface ReadingOptions {
  url: string;
  query: string;
  /** What `$` means there. */
  usual?: string;
}

interface Scope extends ReadingOptions {
  document: Document;
  images: Map<string, string>;
}

export function readShoppingPage(page: string, options: ReadingOptions): PageReading {
  const html = withInjected(page);
  const document = parse(html);
  const scope: Scope = { ...options, document, images: deferredImages(page) };
  const counts: RuleCount[] = [];
  let best: { rule: string | null; products: ProductDraft[] } = { rule: null, products: [] };
  for (const layout of LAYOUTS) {
    for (const selector of layout.card) {
      const cards = mayMatch(html, selector) ? outermost(all(document, selector)).slice(0, MAX_CARDS) : [];
      // The same cards under another name, or fewer: they cannot read more.
      const isWorthReading = cards.length > best.products.length;
      const products = isWorthReading ? readCards(layout, cards, scope) : null;
      counts.push({ rule: `${layout.id} ${selector}`, matched: cards.length, read: products?.length ?? null });
      if (products && products.length > best.products.length)
        best = { rule: layout.id, products: mergeTiles(layout, products, scope) };
    }
  }
  return { ...best, counts, document };
}

/** Most rules are for layouts a page does not have: looking for their names in the text is far cheaper than in the tree. */
function mayMatch(html: string, selector: string): boolean {
  return (selector.match(/[\w-]{4,}/g) ?? []).every((name) => html.includes(name));
}

function readCards(layout: Layout, cards: Element[], scope: Scope): ProductDraft[] {
  return withoutTwins(cards.map((card) => readCard(layout, card, scope)).filter((draft) => draft !== null));
}

/** Tiles of one layout come under several names on one page; a grid of another name would be the same cards again. */
function mergeTiles(layout: Layout, products: ProductDraft[], scope: Scope): ProductDraft[] {
  if (layout.reads !== 'leaves') return products;
  return readCards(layout, outermost(all(scope.document, layout.card.join(', '))).slice(0, MAX_CARDS), scope);
}

function outermost(elements: Element[]): Element[] {
  const found = new Set<unknown>(elements);
  return elements.filter((element) => {
    for (let up = element.parent; up; up = up.parent) if (found.has(up)) return false;
    return true;
  });
}

const FIELDS = {
  title: 'title',
  seller: 'seller',
  price: 'price',
  old_price: 'oldPrice',
  unit_price: 'label',
  condition: 'label',
  fulfilment: 'delivery',
  rating: 'rating',
  review_count: 'reviews',
  image: 'image',
  ids: 'ids',
  product_link: 'productLink',
  merchant_link: 'link',
  sponsored: 'sponsored',
};

/** By the selectors of a layout, under the names they have in google-layouts.json. */
const byLayout = new Map<string, DraftOrigins>(
  LAYOUTS.map(({ id }) => {
    const places = Object.entries(FIELDS).map(([field, name]) => [field, `${id}/${name}`]);
    return [id, prefixed('selector', Object.fromEntries(places))];
  }),
);
/** Those that speak a card out for screen readers say most of it there. */
const byLabel = new Map<string, DraftOrigins>(
  [...byLayout].map(([id, origins]) => {
    const label = prefixed('selector', { label: `${id}/label@aria-label` }).label;
    const said = [
      'title',
      'price',
      'old_price',
      'unit_price',
      'condition',
      'fulfilment',
      'rating',
      'review_count',
      'seller',
    ];
    return [
      id,
      { ...origins, ...Object.fromEntries(said.map((field) => [field, `${label} | ${origins[field as 'title']}`])) },
    ];
  }),
);

function readCard(layout: Layout, card: Element, scope: Scope): ProductDraft | null {
  if (layout.reads === 'leaves')
    return readLeaves(card, { ...scope, rule: layout.id, isSponsored: isSponsored(layout, card) });
  const label = labelOf(layout, card);
  const money = (shown: string | null | undefined) =>
    moneyFrom(shown, scope.usual === undefined ? {} : { usual: scope.usual });
  const price = money(label?.price) ?? money(priceShown(card, layout.price));
  const title = label?.title ?? (shown(card, layout.title) || shown(scope.document, layout.pageTitle));
  if (!title || !price) return null;
  const ids = idsOf(layout, card);
  const lines = label?.lines.length ? label.lines : texts(card, layout.delivery);
  const link = element(card, layout.link);
  const productLink = attr(element(card, layout.productLink), 'href');
  return {
    title,
    seller: sellerOf(layout, card, label),
    price,
    old_price: money(label?.oldPrice) ?? money(priceShown(card, layout.oldPrice)),
    unit_price: parseUnitPrice(label?.price ?? '', {
      title,
      ...(scope.usual === undefined ? {} : { usual: scope.usual }),
    }),
    condition: label?.condition ?? null,
    fulfilment: lines.map((line) => fulfilmentFrom(line, price.currency)).filter((found) => found !== null),
    ...opinions(layout, card, scope, label),
    image: imageOf(layout, card, scope),
    ids,
    product_link: absoluteUrl(productLink, scope.url) ?? panelLink(ids, scope.query),
    merchant_link: unwrapLink(attr(link, 'data-target-url') ?? attr(link, 'href'), scope.url),
    sponsored: isSponsored(layout, card),
    origins: (label ? byLabel : byLayout).get(layout.id)!,
    parse: {
      rule: `${layout.id}${label ? ' label' : ''}`,
      confidence: label ? 0.95 : Object.keys(ids).length > 0 ? 0.85 : 0.7,
    },
  };
}

function opinions(
  layout: Layout,
  card: Element,
  { document }: Scope,
  label: LabelFacts | null,
): Pick<ProductDraft, 'rating' | 'review_count' | 'review_count_is_rounded'> {
  const own = parseRating(shown(card, layout.rating)) ?? parseRating(shown(document, layout.pageRating));
  const reviews =
    label?.reviews ?? parseReviewCount(shown(card, layout.reviews) || shown(document, layout.pageReviews));
  return {
    rating: label?.rating ?? (own ? outOfFive(own) : null),
    review_count: reviews?.count ?? null,
    review_count_is_rounded: reviews?.isRounded ?? false,
  };
}

function labelOf(layout: Layout, card: Element): LabelFacts | null {
  for (const selector of layout.label ?? []) {
    // The raw attribute: two spaces in it are what ends the title.
    const facts = readLabel(one(card, selector)?.attribs['aria-label'] ?? '');
    if (facts) return facts;
  }
  return null;
}

function sellerOf(layout: Layout, card: Element, label: LabelFacts | null): ProductDraft['seller'] & object {
  const found = element(card, layout.seller);
  const named = attr(found, 'data-merchant-name') ?? ownText(found);
  const id = layout.sellerId === undefined ? null : attr(one(card, `[${layout.sellerId}]`) ?? card, layout.sellerId);
  return { name: label?.seller ?? (named || null), id, domain: null };
}

/** Without the parts meant for screen readers only ("Opens in a new window"). */
function ownText(found: Element | null): string {
  if (!found) return '';
  const direct = found.children
    .filter((child) => child.type === 'text')
    .map((child) => ('data' in child ? child.data : ''));
  return cleanText(direct.join(' ')) || text(found);
}

function idsOf(layout: Layout, card: Element): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const [name, attribute] of Object.entries(layout.ids ?? {})) {
    const value = attr(card, attribute) ?? attr(one(card, `[${attribute}]`), attribute);
    if (value) ids[name] = value;
  }
  return ids;
}

function imageOf(layout: Layout, card: Element, { images, document }: Scope): string | null {
  const candidates = (layout.image ?? []).flatMap((selector) => all(card, selector));
  const page = element(document, layout.pageImage);
  const sources = [
    ...candidates.flatMap((img) => [images.get(attr(img, 'id') ?? ''), attr(img, 'data-src'), attr(img, 'src')]),
    attr(page, 'data-src'),
  ];
  return sources.find((source) => source !== undefined && source !== null && /^https?:/.test(source)) ?? null;
}

function isSponsored(layout: Layout, card: Element): boolean {
  return (layout.sponsored ?? []).some((selector) => one([card], selector) !== null);
}

function element(scope: Document | Element, selectors: readonly string[] | undefined): Element | null {
  for (const selector of selectors ?? []) {
    const found = one(scope, selector);
    if (found) return found;
  }
  return null;
}

/** A price is kept as it is shown; its label ("Current price: …") only stands in for it. */
function priceShown(card: Element, selectors: readonly string[] | undefined): string {
  const found = element(card, selectors);
  return text(found) || shown(card, selectors);
}

/** The label of the first element that says something, else its text. */
function shown(scope: Document | Element, selectors: readonly string[] | undefined): string {
  for (const selector of selectors ?? [])
    for (const found of all(scope, selector).slice(0, 5)) {
      const said = attr(found, 'aria-label') || text(found);
      if (said) return cleanText(said);
    }
  return '';
}

function texts(card: Element, selectors: readonly string[] | undefined): string[] {
  const lines = (selectors ?? []).flatMap((selector) =>
    all(card, selector).map((found) => text(found).replace(/^·\s*/, '')),
  );
  return [...new Set(lines.filter(Boolean))].slice(0, 8);
}

/** Each offer is drawn twice on some pages (grid and list): the same id, or the same title, seller and price, is the same offer. */
function withoutTwins(drafts: ProductDraft[]): ProductDraft[] {
  const seen = new Set<string>();
  return drafts.filter((draft) => {
    const key =
      draft.ids?.google_oid ?? `${draft.title}|${draft.seller?.name ?? ''}|${draft.price?.amount_minor ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

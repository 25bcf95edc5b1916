// Shopify shops: every name under myshopify.com is one. `closed` is behind a password, `busy` answers 430.
import { hash32 } from '../random.ts';
import type { Replica, SandboxRequest } from '../replica.ts';
import { type Offer, offersOf } from './catalogue.ts';
import { html, json, numberOf } from './replies.ts';

const ITEMS = ['milk', 'bread', 'rice', 'soap', 'coffee', 'eggs', 'honey', 'olive oil', 'pasta', 'tea'];

export const shopify: Replica = {
  name: 'shopify',
  title: 'Shopify shops: catalogue, search suggestions, currency',
  hosts: ['*.myshopify.com'],
  examples: [
    { url: 'https://corner-basket.myshopify.com/products.json?limit=5', note: 'catalogue' },
    { url: 'https://corner-basket.myshopify.com/search/suggest.json?q=milk&resources[limit]=3', note: 'search' },
  ],
  handle(request) {
    const { path, host, query } = request;
    if (path === '/robots.txt') return undefined;
    if (host.startsWith('closed.'))
      return path === '/password'
        ? html('<title>Opening soon</title>')
        : { ...html(''), status: 302, headers: { location: '/password' } };
    if (host.startsWith('busy.')) return json({ errors: 'Too many requests' }, 430);
    if (path === '/meta.json')
      return json({ id: hash32(host), name: nameOf(host), currency: currencyOf(host), country: 'US' });
    if (path === '/search/suggest.json') {
      const limit = numberOf(query.get('resources[limit]'), 10, 1_000);
      if (limit < 1 || limit > 10) return json({ status: 422, message: 'limit has to be 1 to 10' }, 422);
      const offers = shopOffers(query.get('q') ?? '', request).slice(0, limit);
      return json({ resources: { results: { products: offers.map((offer) => suggestion(offer)) } } });
    }
    if (/^(?:\/collections\/[\w-]+)?\/products\.json$/.test(path)) {
      const limit = numberOf(query.get('limit'), 30, 250);
      const page = Math.max(1, numberOf(query.get('page'), 1, 10_000));
      return json({
        products: wholeCatalogue(request)
          .slice((page - 1) * limit, page * limit)
          .map(product),
      });
    }
    return undefined;
  },
};

export const nameOf = (host: string): string => host.split('.')[0]!.replaceAll('-', ' ');
export const currencyOf = (host: string): string =>
  host.startsWith('tokyo') ? 'JPY' : host.startsWith('lyon') ? 'EUR' : 'USD';

/** What a shop has for an item. */
export function shopOffers(
  item: string,
  { host, seed, nowMs }: Pick<SandboxRequest, 'host' | 'seed' | 'nowMs'>,
): Offer[] {
  return offersOf(item, { seed: seed ^ hash32(host), nowMs, zip: null });
}

/** All a shop has. */
export const wholeCatalogue = (request: Pick<SandboxRequest, 'host' | 'seed' | 'nowMs'>): Offer[] =>
  ITEMS.flatMap((item) => shopOffers(item, request));

const decimal = (minor: number): string => (minor / 100).toFixed(2);
const handleOf = (offer: Offer): string => `${offer.title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${offer.id}`;
const image = (offer: Offer): string => `https://cdn.shopify.com/s/files/${offer.id}.png`;

function suggestion(offer: Offer) {
  return {
    id: Number(offer.id.slice(0, 12)),
    title: offer.title,
    handle: handleOf(offer),
    url: `/products/${handleOf(offer)}?_pos=1&_psq=x&_ss=e`,
    price: decimal(offer.priceMinor),
    compare_at_price_max: decimal(offer.oldMinor ?? 0),
    available: !offer.isUsed,
    image: image(offer),
    vendor: offer.brand,
    type: 'Grocery',
    tags: [],
  };
}

function product(offer: Offer) {
  const id = Number(offer.id.slice(0, 12));
  const variants = [
    {
      id: id + 1,
      title: 'Default Title',
      option1: 'Default Title',
      sku: `sku-${offer.id}`,
      available: !offer.isUsed,
      price: decimal(offer.priceMinor),
      grams: 22,
      compare_at_price: offer.oldMinor === null ? null : decimal(offer.oldMinor),
      position: 1,
    },
  ];
  return {
    id,
    title: offer.title,
    handle: handleOf(offer),
    body_html: '<p></p>',
    vendor: offer.brand,
    product_type: 'Grocery',
    tags: [],
    variants,
    images: [{ id: 1, src: image(offer) }],
    options: [],
  };
}

// Open Food Facts and Open Prices: groceries by barcode and name, and prices people saw.
import type { Replica, SandboxRequest } from '../replica.ts';
import { type Offer, offersOf } from './catalogue.ts';
import { json, numberOf } from './replies.ts';

/** Barcodes are looked up among the offers of these items. */
const ITEMS = ['milk', 'bread', 'rice', 'honey'];

type World = Pick<SandboxRequest, 'seed' | 'nowMs'>;

export const openFoodFacts: Replica = {
  name: 'open-food-facts',
  title: 'Open Food Facts: products by barcode or name',
  hosts: ['world.openfoodfacts.org'],
  examples: [
    { url: 'https://world.openfoodfacts.org/cgi/search.pl?search_terms=milk&json=1&page_size=3', note: 'search' },
  ],
  handle(request) {
    const { path, query } = request;
    const code = /^\/api\/v2\/product\/(\d+)\.json$/.exec(path)?.[1];
    if (code !== undefined) {
      const offer = offerWith(code, request);
      return offer
        ? json({ code, status: 1, product: food(offer) })
        : json({ code, status: 0, status_verbose: 'product not found' }, 404);
    }
    if (path !== '/cgi/search.pl') return undefined;
    const offers = offersOf(query.get('search_terms') ?? '', { ...request, zip: null });
    const shown = offers.slice(0, numberOf(query.get('page_size'), 24, 100)).map(food);
    // Some entries have no name yet.
    return json({ count: offers.length, page: 1, products: [...shown, { code: '2000000000008' }] });
  },
};

export const openPrices: Replica = {
  name: 'open-prices',
  title: 'Open Prices: observations of prices',
  hosts: ['prices.openfoodfacts.org'],
  examples: [
    { url: 'https://prices.openfoodfacts.org/api/v1/prices?category_tag=en:milk&size=3', note: 'by category' },
  ],
  handle(request) {
    const { path, query } = request;
    if (path !== '/api/v1/prices') return undefined;
    const code = query.get('product_code');
    const category = query.get('category_tag')?.replace(/^en:/, '').replaceAll('-', ' ') ?? '';
    const known = code === null ? undefined : offerWith(code, request);
    const offers = code === null ? offersOf(category, { ...request, zip: null }) : known ? [known] : [];
    const size = numberOf(query.get('size'), 10, 100);
    return json({
      items: offers.slice(0, size).map((offer) => observed(offer, code === null ? category : null)),
      page: 1,
      pages: 1,
      size,
      total: offers.length,
    });
  },
};

export function offerWith(code: string, world: World): Offer | undefined {
  return ITEMS.flatMap((item) => offersOf(item, { ...world, zip: null })).find((offer) => offer.gtin === code);
}

const food = (offer: Offer) => ({
  code: offer.gtin,
  product_name: offer.title.replace(`, ${offer.size}`, ''),
  brands: `${offer.brand},Other`,
  quantity: offer.size,
  image_front_url: `https://images.openfoodfacts.org/${offer.gtin}.jpg`,
});

/** By category the price is for a kilogram, as for raw food. */
const observed = (offer: Offer, category: string | null) => ({
  id: Number(offer.id.slice(0, 9)),
  product_code: category === null ? offer.gtin : null,
  category_tag: category === null ? null : `en:${category.replaceAll(' ', '-')}`,
  price: offer.priceMinor / 100,
  price_is_discounted: offer.oldMinor !== null,
  price_without_discount: offer.oldMinor === null ? null : offer.oldMinor / 100,
  price_per: category === null ? null : 'KILOGRAM',
  currency: 'EUR',
  date: '2026-11-01',
  product:
    category === null
      ? {
          product_name: offer.title,
          brands: offer.brand,
          product_quantity: 500,
          product_quantity_unit: 'ml',
          image_url: null,
        }
      : null,
  location: { osm_name: offer.seller, osm_address_postcode: '38000', osm_address_city: 'Grenoble' },
});

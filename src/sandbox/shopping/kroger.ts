// Kroger's API: a token for any key but "wrong", stores near ZIP codes (none near 00000-09999), products with prices only for a store.
import type { Replica, SandboxRequest } from '../replica.ts';
import { cityOf, type Offer, offersOf } from './catalogue.ts';
import { json, numberOf } from './replies.ts';

const TOKEN = 'sandbox-token';

export const kroger: Replica = {
  name: 'kroger',
  title: 'Kroger: token, stores near a ZIP code, products of a store',
  hosts: ['api.kroger.com'],
  examples: [{ url: 'https://api.kroger.com/v1/locations?filter.zipCode.near=45202', note: 'needs a token' }],
  async handle(request) {
    const { path, method, headers } = request;
    if (path === '/v1/connect/oauth2/token' && method === 'POST') {
      const key = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
      const isRight =
        (await request.readBody()).includes('grant_type=client_credentials') &&
        key.includes(':') &&
        !key.startsWith('wrong');
      return isRight
        ? json({ access_token: TOKEN, token_type: 'bearer', expires_in: 1_800 })
        : json({ error: 'invalid_client' }, 401);
    }
    if (!path.startsWith('/v1/')) return undefined;
    if (headers.authorization !== `Bearer ${TOKEN}`) return json({ error: 'invalid_token' }, 401);
    if (path === '/v1/locations') return json({ data: stores(request.query.get('filter.zipCode.near') ?? '') });
    return path === '/v1/products' ? products(request) : undefined;
  },
};

/** The store is named after its ZIP, so that the products of a store are those near the ZIP. */
function stores(zip: string) {
  return /^[1-9]\d{4}$/.test(zip)
    ? [{ locationId: `014${zip}`, name: `Kroger ${cityOf(zip, 0)}`, address: { city: cityOf(zip, 0), zipCode: zip } }]
    : [];
}

function products({ query, seed, nowMs }: SandboxRequest) {
  const store = query.get('filter.locationId');
  const limit = numberOf(query.get('filter.limit'), 10, 50);
  const offers = offersOf(query.get('filter.term') ?? '', { seed, nowMs, zip: store === null ? null : store.slice(3) });
  return json({
    data: offers.slice(0, limit).map((offer) => product(offer, store !== null)),
    meta: { pagination: { start: 0, limit, total: offers.length } },
  });
}

function product(offer: Offer, hasStore: boolean) {
  const priced = hasStore
    ? {
        price: {
          regular: (offer.oldMinor ?? offer.priceMinor) / 100,
          promo: offer.oldMinor === null ? 0 : offer.priceMinor / 100,
        },
        inventory: { stockLevel: 'HIGH' },
      }
    : {};
  return {
    productId: offer.gtin,
    upc: `0${offer.gtin.slice(0, 12)}`,
    brand: offer.brand,
    description: offer.title.replace(`, ${offer.size}`, ''),
    images: [
      {
        perspective: 'front',
        sizes: [{ size: 'medium', url: `https://www.kroger.com/product/images/medium/front/${offer.gtin}` }],
      },
    ],
    items: [
      {
        itemId: offer.gtin,
        size: offer.size,
        soldBy: 'UNIT',
        fulfillment: { curbside: true, delivery: false, inStore: true, shipToHome: false },
        ...priced,
      },
    ],
  };
}

// Magento shops: GraphQL with variants, in pages. Hosts that begin with "closed-" want a login, as some shops do.
import type { Replica } from '../replica.ts';
import type { Offer } from './catalogue.ts';
import { json } from './replies.ts';
import { shopOffers, wholeCatalogue } from './shopify.ts';

interface Asked {
  query?: string;
  variables?: { search?: string; size?: number; page?: number };
}

export const magento: Replica = {
  name: 'magento',
  title: 'Magento shops: GraphQL',
  hosts: ['*.magento.example'],
  examples: [{ url: 'https://pantry.magento.example/graphql', note: 'POST: { products(search: "milk") }' }],
  async handle(request) {
    if (request.path !== '/graphql' || request.method !== 'POST') return undefined;
    if (request.host.startsWith('closed-')) return json({ errors: [{ message: 'Login required' }] }, 401);
    const { query = '', variables = {} } = JSON.parse(await request.readBody()) as Asked;
    if (!query.includes('products(')) return json({ errors: [{ message: 'Cannot query this field' }] });
    const all = variables.search === undefined ? wholeCatalogue(request) : shopOffers(variables.search, request);
    const size = Math.max(1, Math.min(variables.size ?? 20, 300));
    const page = Math.max(1, variables.page ?? 1);
    return json({
      data: {
        storeConfig: {
          store_name: 'Magento Pantry',
          default_display_currency_code: 'EUR',
          product_url_suffix: '.html',
        },
        products: {
          page_info: { current_page: page, total_pages: Math.ceil(all.length / size) },
          items: all.slice((page - 1) * size, page * size).map(item),
        },
      },
    });
  },
};

/** Every fifth comes in two sizes. */
function item(offer: Offer, at: number) {
  const one = (suffix: string, times: number) => ({
    uid: Buffer.from(`${offer.id}${suffix}`).toString('base64'),
    sku: `m-${offer.id}${suffix}`,
    name: `${offer.title}${suffix && `, ${suffix}`}`,
    stock_status: offer.isUsed ? 'OUT_OF_STOCK' : 'IN_STOCK',
    price_range: {
      minimum_price: {
        regular_price: { value: ((offer.oldMinor ?? offer.priceMinor) * times) / 100, currency: 'EUR' },
        final_price: { value: (offer.priceMinor * times) / 100, currency: 'EUR' },
      },
    },
  });
  const variants = at % 5 === 4 ? [one('2 pack', 2), one('3 pack', 3)].map((product) => ({ product })) : undefined;
  return {
    __typename: variants ? 'ConfigurableProduct' : 'SimpleProduct',
    ...one('', 1),
    url_key: offer.id,
    small_image: { url: `https://cdn.magento.example/${offer.id}.jpg` },
    ...(variants && { variants }),
  };
}

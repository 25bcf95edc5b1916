// WooCommerce shops: every name under woo.example is one. Those that begin with "old-" only have the older address.
import type { Replica } from '../replica.ts';
import { escapeHtml, type Offer } from './catalogue.ts';
import { json, numberOf } from './replies.ts';
import { shopOffers, wholeCatalogue } from './shopify.ts';

export const woocommerce: Replica = {
  name: 'woocommerce',
  title: 'WooCommerce shops: the Store API',
  hosts: ['*.woo.example'],
  examples: [{ url: 'https://pantry.woo.example/wp-json/wc/store/v1/products?search=milk&per_page=3', note: 'search' }],
  handle(request) {
    const { path, host, query } = request;
    const isOld = host.startsWith('old-');
    if (path !== (isOld ? '/wp-json/wc/store/products' : '/wp-json/wc/store/v1/products')) return undefined;
    const search = query.get('search');
    const all = search === null ? wholeCatalogue(request) : shopOffers(search, request);
    const perPage = Math.max(1, numberOf(query.get('per_page'), 10, 100));
    const page = Math.max(1, numberOf(query.get('page'), 1, 10_000));
    const shown = all.slice((page - 1) * perPage, page * perPage);
    return json(
      shown.map((offer) => product(offer, host)),
      200,
      { 'x-wp-total': String(all.length), 'x-wp-totalpages': String(Math.ceil(all.length / perPage)) },
    );
  },
};

function product(offer: Offer, host: string) {
  return {
    id: Number(offer.id.slice(0, 9)),
    name: escapeHtml(offer.title).replaceAll("'", '&#8217;'),
    slug: offer.id,
    type: 'simple',
    variation: '',
    permalink: `https://${host}/product/${offer.id}/`,
    sku: `w-${offer.id}`,
    on_sale: offer.oldMinor !== null,
    prices: {
      price: String(offer.priceMinor * 10),
      regular_price: String((offer.oldMinor ?? offer.priceMinor) * 10),
      sale_price: String(offer.priceMinor * 10),
      price_range: null,
      currency_code: 'EUR',
      currency_symbol: '€',
      // Three digits of a shop's own choosing, although a euro has two.
      currency_minor_unit: 3,
      currency_decimal_separator: ',',
      currency_thousand_separator: '.',
      currency_prefix: '',
      currency_suffix: ' &euro;',
    },
    average_rating: String(offer.rating),
    review_count: offer.reviews,
    images: [{ id: 1, src: `https://${host}/wp-content/${offer.id}.png` }],
    brands: [{ id: 1, name: escapeHtml(offer.brand) }],
    is_in_stock: !offer.isUsed,
  };
}

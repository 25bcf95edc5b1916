// Target: a search page with a key, and the API that takes no other. "captcha" in the search meets the wall.
import type { Replica } from '../replica.ts';
import { dollars, type Offer, offersOf } from './catalogue.ts';
import { html, json, numberOf } from './replies.ts';

const KEY = '9f36aeafbe60771e321a7cc95a78140772ab3e96';
const STORE = '1234';

export const target: Replica = {
  name: 'target',
  title: 'Target: search pages with a key, and the API of the pages',
  hosts: ['www.target.com', 'redsky.target.com'],
  examples: [{ url: 'https://www.target.com/s?searchTerm=milk', note: 'gives the key' }],
  handle({ host, path, query, seed, nowMs }) {
    if (host === 'www.target.com') {
      if (path !== '/s') return undefined;
      if ((query.get('searchTerm') ?? '').includes('captcha'))
        return html('<title>Robot or human?</title><div id="px-captcha">Press &amp; Hold</div>');
      const state = JSON.stringify(
        JSON.stringify({ services: { redsky: { apiKey: KEY } }, visitor_id: '0199A0DE00007000800000000000000A' }),
      );
      return html(
        `<!doctype html><title>Target</title><div id="__next"></div><script>window.__CONFIG__ = JSON.parse(${state})</script>`,
      );
    }
    if (path !== '/redsky_aggregations/v1/web/plp_search_v2') return undefined;
    if (query.get('key') !== KEY) return json({ message: 'Forbidden' }, 403);
    const zip = query.get('store_id') === STORE ? (query.get('zip') ?? null) : null;
    const offers = offersOf(query.get('keyword') ?? '', { seed, nowMs, zip });
    const count = numberOf(query.get('count'), 24, 28);
    const offset = numberOf(query.get('offset'), 0, 1_200);
    return json({ data: { search: { products: offers.slice(offset, offset + count).map(product) } } });
  },
};

function product(offer: Offer) {
  return {
    tcin: offer.id,
    item: {
      product_description: { title: offer.title.replaceAll('&', '&amp;') },
      primary_brand: { name: offer.brand },
      enrichment: {
        buy_url: `https://www.target.com/p/x/-/A-${offer.id}`,
        images: { primary_image_url: `https://target.scene7.com/${offer.id}.jpg` },
      },
    },
    price: {
      current_retail: offer.priceMinor / 100,
      reg_retail: (offer.oldMinor ?? offer.priceMinor) / 100,
      formatted_current_price: dollars(offer.priceMinor),
    },
    ratings_and_reviews: { statistics: { rating: { average: offer.rating, count: offer.reviews } } },
    fulfillment: {
      shipping_options: { availability_status: offer.isUsed ? 'OUT_OF_STOCK' : 'IN_STOCK' },
      is_out_of_stock_in_all_store_locations: offer.isUsed,
    },
  };
}

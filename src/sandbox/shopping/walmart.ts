// Walmart's search page with its state in a script, advertisements' placeholders between the products. "captcha" in the query meets the wall.
import type { Replica } from '../replica.ts';
import { dollars, escapeHtml, type Offer, offersOf } from './catalogue.ts';
import { html, numberOf } from './replies.ts';

const PER_PAGE = 40;

export const walmart: Replica = {
  name: 'walmart',
  title: 'Walmart: search pages with __NEXT_DATA__',
  hosts: ['www.walmart.com'],
  examples: [{ url: 'https://www.walmart.com/search?q=milk', note: 'search' }],
  handle({ path, query, seed, nowMs }) {
    if (path !== '/search') return undefined;
    const q = query.get('q') ?? '';
    if (q.includes('captcha')) return html('<title>Robot or human?</title><div id="px-captcha">Press &amp; Hold</div>');
    const page = Math.max(1, numberOf(query.get('page'), 1, 25));
    const offers = offersOf(q, { seed, nowMs, zip: null });
    const items = offers.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(item);
    const withAds = items.length === 0 ? [] : [items[0], { __typename: 'AdPlaceholder' }, ...items.slice(1)];
    const state = {
      props: {
        pageProps: { initialData: { searchResult: { itemStacks: [{ items: withAds }], count: offers.length } } },
      },
    };
    return html(`<!doctype html><html><head><title>${escapeHtml(q)} - Walmart.com</title></head><body><div id="root"></div>
<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state).replaceAll('<', '\\u003c')}</script></body></html>`);
  },
};

function item(offer: Offer) {
  return {
    __typename: 'Product',
    usItemId: offer.id,
    name: offer.title,
    canonicalUrl: `/ip/x/${offer.id}?classType=REGULAR`,
    brand: offer.brand,
    sellerName: offer.seller,
    availabilityStatusV2: { value: offer.isUsed ? 'OUT_OF_STOCK' : 'IN_STOCK' },
    averageRating: offer.rating,
    numberOfReviews: offer.reviews,
    imageInfo: { thumbnailUrl: `https://i5.walmartimages.com/${offer.id}.jpg` },
    isSponsoredFlag: offer.isSponsored,
    salesUnitType: 'EACH',
    fulfillmentBadgeGroups: [
      { text: 'Pickup', slaText: 'today' },
      { text: 'Delivery', slaText: 'as soon as 2pm' },
    ],
    priceInfo: {
      linePrice: dollars(offer.priceMinor),
      linePriceDisplay: dollars(offer.priceMinor),
      wasPrice: offer.oldMinor === null ? '' : dollars(offer.oldMinor),
      unitPrice: '22.1 ¢/oz',
    },
  };
}

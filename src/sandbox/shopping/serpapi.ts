// A vendor's answer to a search of Google Shopping. The key "wrong" is refused.
import type { Replica } from '../replica.ts';
import { dollars, type Offer, offersOf } from './catalogue.ts';
import { json } from './replies.ts';

export const serpapi: Replica = {
  name: 'serpapi',
  title: 'SerpApi: Google Shopping as JSON',
  hosts: ['serpapi.com'],
  examples: [
    {
      url: 'https://serpapi.com/search.json?engine=google_shopping&q=milk+near,+10001+nearby&location=10001,+United+States&api_key=x',
      note: 'search',
    },
  ],
  handle({ path, query, seed, nowMs }) {
    if (path !== '/search.json') return undefined;
    const key = query.get('api_key');
    if (!key || key === 'wrong') return json({ error: 'Invalid API key. Your API key should be here.' }, 401);
    const item = (query.get('q') ?? '').replace(/ near, \d{5} nearby$/, '');
    const zip = /^(\d{5})/.exec(query.get('location') ?? '')?.[1] ?? null;
    const offers = offersOf(item, { seed, nowMs, zip });
    const metadata = {
      search_metadata: { id: 'x', status: 'Success' },
      search_parameters: { engine: 'google_shopping' },
    };
    if (offers.length === 0) return json({ ...metadata, error: "Google hasn't returned any results for this query." });
    return json({ ...metadata, shopping_results: offers.map(row) });
  },
};

const row = (offer: Offer, index: number) => ({
  position: index + 1,
  title: offer.title,
  product_id: offer.id,
  product_link: `https://www.google.com/search?ibp=oshop&q=x&prds=${offer.id}`,
  source: offer.seller,
  price: dollars(offer.priceMinor),
  extracted_price: offer.priceMinor / 100,
  ...(offer.oldMinor === null ? {} : { old_price: dollars(offer.oldMinor), extracted_old_price: offer.oldMinor / 100 }),
  ...(offer.isUsed ? { second_hand_condition: 'used' } : {}),
  rating: offer.rating,
  reviews: offer.reviews,
  thumbnail: `https://encrypted-tbn0.gstatic.com/shopping?q=${offer.id}`,
  ...(offer.city === null ? { delivery: offer.delivery } : { extensions: [`In store, ${offer.city}`] }),
});

// SAP Commerce shops: the OCC search of the site "pantry", in pages from 0, with prices with and without taxes.
import type { Replica } from '../replica.ts';
import type { Offer } from './catalogue.ts';
import { json, numberOf } from './replies.ts';
import { shopOffers, wholeCatalogue } from './shopify.ts';

const TAX = 1.19;

export const sapCommerce: Replica = {
  name: 'sap-commerce',
  title: 'SAP Commerce shops: OCC search',
  hosts: ['*.occ.example'],
  examples: [{ url: 'https://shop.occ.example/rest/v2/pantry/products/search?query=milk:relevance', note: 'search' }],
  handle(request) {
    const { path, query } = request;
    const site = /^\/rest\/v2\/([^/]+)\/products\/search$/.exec(path)?.[1];
    if (site === undefined) return undefined;
    if (site !== 'pantry')
      return json({ errors: [{ type: 'UnknownIdentifierError', message: 'Base site not found' }] }, 400);
    const words = (query.get('query') ?? '').split(':')[0]!;
    const all = words === '' ? wholeCatalogue(request) : shopOffers(words, request);
    const size = Math.max(1, numberOf(query.get('pageSize'), 20, 100));
    const page = numberOf(query.get('currentPage'), 0, 10_000);
    return json({
      type: 'productCategorySearchPageWsDTO',
      freeTextSearch: words,
      pagination: {
        currentPage: page,
        pageSize: size,
        totalPages: Math.ceil(all.length / size),
        totalResults: all.length,
      },
      products: all.slice(page * size, (page + 1) * size).map(product),
    });
  },
};

function product(offer: Offer) {
  const price = (value: number) => ({
    currencyIso: 'EUR',
    value,
    formattedValue: `EUR ${value.toFixed(2)}`,
    priceType: 'BUY',
  });
  return {
    code: offer.id,
    name: offer.title,
    ean: offer.gtin,
    manufacturer: offer.brand,
    url: `/p/${offer.id}`,
    price: price(Math.round(offer.priceMinor / TAX) / 100),
    priceWithTax: { ...price(offer.priceMinor / 100), value: offer.priceMinor / 100 + 0.004 },
    stock: { stockLevelStatus: offer.isUsed ? 'outOfStock' : 'inStock', isValueRounded: false },
    averageRating: offer.rating,
    numberOfReviews: offer.reviews,
    images: [{ format: 'product', url: `/medias/${offer.id}.jpg` }],
  };
}

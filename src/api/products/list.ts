// List products of all carts, with filters, sorting and search: each offer near a place as it was last seen.
import { z } from 'zod';
import type { ProvenanceStore } from '../../store/items/origins.ts';
import type { NameStore } from '../../store/names/name-store.ts';
import { type ListedProduct, PRODUCT_ORDERS, type ProductFilter } from '../../store/products/product-list.ts';
import type { ProductStore } from '../../store/products/product-store.ts';
import { PRODUCT_EXAMPLE, ProductShown } from '../carts/product-example.ts';
import type { Needs } from '../deps.ts';
import type { Route } from '../http/route.ts';
import {
  AmountFilter,
  CurrencyFilter,
  given,
  NameFilter,
  namesOf,
  SourcesFilter,
  TextFilter,
  TimeFilter,
  timeFilter,
} from '../lists/filters.ts';
import { itemRoutes, withMarks } from '../lists/item-list.ts';
import { nameItem } from '../validation/named.ts';

const FILTERS = {
  source: SourcesFilter,
  seller: NameFilter.meta({ description: 'Words in the seller name.' }),
  zipcode: z
    .string()
    .regex(/^\d{5}$/)
    .optional(),
  currency: CurrencyFilter,
  min_price: AmountFilter.meta({
    description: 'In the currency of the product. Products without a price are left out.',
  }),
  max_price: AmountFilter,
  scraped_after: TimeFilter.meta({ description: 'Seen after this day or time.' }),
  scraped_before: TimeFilter,
  group: z
    .string()
    .regex(/^grp_[0-9a-f]{32}$/)
    .optional()
    .meta({ description: 'Only the offers of one product, of all shops.' }),
  q: TextFilter.meta({ description: 'Full text search in title and seller: words, "a phrase", or, -excluded.' }),
};

const COLUMNS = [
  'title',
  'price',
  'currency',
  'price_text',
  'old_price',
  'unit_price',
  'unit',
  'seller',
  'link',
  'image',
  'rating',
  'reviews',
  'delivery',
  'product_id',
  'zipcode',
  'scraped_at',
  'product',
  'source',
  'first_seen_at',
  'group_id',
] as const;

/** What a product calls the fields that are shown flat. */
const NAMED = {
  currency: 'price',
  price_text: 'price',
  unit: 'unit_price',
  link: 'merchant_link',
  reviews: 'review_count',
  delivery: 'fulfilment',
  product_id: 'ids',
  zipcode: 'locality',
  // Reckoned from the name, the size and the barcode.
  same_as: 'parse',
};
const TYPES = {
  price: 'number',
  old_price: 'number',
  unit_price: 'number',
  rating: 'number',
  reviews: 'number',
  scraped_at: 'time',
  first_seen_at: 'time',
} as const;

const Listed = withMarks(
  z.looseObject({
    title: z.string(),
    price: z.number().nullable(),
    product: z.string(),
    source: z.string(),
    first_seen_at: z.string(),
    group: z.object({
      id: z.string().nullable(),
      offers: z.array(
        z.object({
          source: z.string(),
          seller: z.string().nullable(),
          zipcode: z.string().nullable(),
          price: z.number().nullable(),
          currency: z.string().nullable(),
          link: z.string().nullable(),
        }),
      ),
    }),
  }),
);
nameItem('ListedProduct', Listed, z.looseObject({ ...ProductShown.shape, ...Listed.shape }));

export const productList = ({
  store,
}: Needs<
  Pick<ProductStore, 'listProducts' | 'productFacets' | 'streamProducts'> & NameStore & ProvenanceStore
>): Route[] =>
  itemRoutes({
    name: 'products',
    operationId: 'listProducts',
    summary: 'List products of all carts, with filters, sorting and search',
    description:
      'Each offer near a ZIP code, as last seen. Listed a few seconds after it was scraped. Use `product` in `/analytics/prices`. `group` has the offers of the same product in all shops, the cheapest first; its id is null for a few seconds, and of offers that say too little to be compared.',
    filters: FILTERS,
    orders: PRODUCT_ORDERS,
    first: 'scraped_at',
    schema: Listed,
    example: {
      ...PRODUCT_EXAMPLE,
      product: 'google_cid:1234567890',
      source: 'google-shopping',
      first_seen_at: '2024-01-01T00:00:00.000Z',
      group: {
        id: 'grp_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
        offers: [
          {
            source: 'google-shopping',
            seller: 'Corner Grocery',
            zipcode: '10001',
            price: 3.49,
            currency: 'USD',
            link: 'https://example.com/milk',
          },
        ],
      },
    },
    fuzzy: { field: 'seller', find: (asked) => store.similarNames('seller', asked) },
    facets: { source: 'google-shopping', seller: 'Corner Grocery', zipcode: '10001', currency: 'USD' },
    filterOf,
    read: (filter, listQuery) => store.listProducts({ ...filter, ...listQuery }),
    count: store.productFacets,
    provenance: { read: store.provenanceOf, kind: 'product', fieldsOf: ({ view: shown }) => shown, named: NAMED },
    stream: store.streamProducts,
    types: TYPES,
    view,
    columns: COLUMNS,
    row: (shown) => COLUMNS.map((column) => (column === 'group_id' ? shown.group.id : shown[column])),
  });

function filterOf(query: z.output<z.ZodObject<typeof FILTERS>>, names?: string[]): ProductFilter {
  const { source, seller, zipcode, currency, min_price, max_price, q } = query;
  return given<ProductFilter>({
    sources: namesOf(source),
    seller: names ? undefined : seller,
    sellers: names,
    zipcode,
    currency,
    minPrice: min_price,
    maxPrice: max_price,
    scrapedAfter: timeFilter('scraped_after', query.scraped_after),
    scrapedBefore: timeFilter('scraped_before', query.scraped_before),
    groupId: query.group?.slice(4),
    q,
  });
}

const view = ({ view: product, product: name, source, firstSeenAt, group }: ListedProduct) => ({
  ...product,
  product: name,
  source,
  first_seen_at: firstSeenAt.toISOString(),
  group: { id: group.id && `grp_${group.id.replaceAll('-', '')}`, offers: group.offers },
});

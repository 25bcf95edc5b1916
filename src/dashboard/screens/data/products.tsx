// Products of all carts, and what they cost over time.
import type { Schemas } from '../../../client/routes.generated.ts';
import { Facts } from '../../parts/facts.tsx';
import { TextFilter } from '../../parts/form/filters.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { Marked } from '../../parts/text/marked.tsx';
import { money, unitPriceText } from '../../parts/text/money.ts';
import { Time } from '../../parts/text/time.tsx';
import { count, shorten } from '../../parts/text/words.ts';
import { BucketChart } from './charts.tsx';
import type { DataKind } from './kind.ts';
import { Offers } from './offers.tsx';
import { Origins } from './origins.tsx';

type Row = Schemas['ListedProduct'];

const priceOf = (row: Row): string => row.price_text ?? money(row.price, row.currency) ?? '–';
const PRICE_LINES = [
  { field: 'p50', label: 'Median', tone: 'accent' },
  { field: 'min', label: 'Lowest', tone: 'good' },
  { field: 'max', label: 'Highest', tone: 'quiet' },
] as const;
const amount = (value: number): string => value.toFixed(2);

function Detail({ row }: { row: Row }) {
  return (
    <>
      <Facts
        facts={[
          ['Price', <b key="price">{priceOf(row)}</b>],
          ['Was', money(row.old_price, row.currency)],
          ['Unit price', unitPriceText(row)],
          ['Seller', row.seller],
          ['Delivery', row.delivery],
          ['Rating', row.rating === null ? null : `${row.rating} of 5 (${count(row.reviews ?? 0)})`],
          [
            'The same elsewhere',
            (row.group?.offers ?? [])
              .filter(({ seller }) => seller !== row.seller)
              .slice(0, 8)
              .map((one) => `${one.seller ?? one.source} ${money(one.price, one.currency) ?? ''}`)
              .join(' · '),
          ],
          ['Near', row.zipcode],
          ['From', row.source],
          ['Seen', <Time key="seen" at={row.scraped_at} />],
          ['First seen', <Time key="first" at={row.first_seen_at} />],
          ['Page', row.link && <WebLink href={row.link}>{shorten(row.link, 60)}</WebLink>],
        ]}
      />
      <Offers row={row} />
      <BucketChart
        title="Price over time"
        route="GET /analytics/prices"
        query={{ product: row.product, bucket: 'day', ...(row.zipcode ? { zipcode: row.zipcode } : {}) }}
        lines={PRICE_LINES}
        format={amount}
      />
      <Origins provenance={row.provenance as never} />
    </>
  );
}

const ANALYTIC = ['source', 'seller', 'zipcode', 'currency', 'q'];

function Charts({ query }: { query: Record<string, string> }) {
  const asked = Object.fromEntries(Object.entries(query).filter(([name]) => ANALYTIC.includes(name)));
  return (
    <div class="charts">
      <BucketChart
        title="Prices a day"
        route="GET /analytics/prices"
        query={{ ...asked, bucket: 'day' }}
        lines={PRICE_LINES}
        format={amount}
      />
      <BucketChart
        title="Prices seen a day"
        route="GET /analytics/prices"
        query={{ ...asked, bucket: 'day' }}
        lines={[{ field: 'prices', label: 'Prices', tone: 'active' }]}
        isBars
      />
    </div>
  );
}

function Filters() {
  return (
    <>
      <TextFilter param="zipcode" label="ZIP code" type="text" placeholder="10001" />
      <TextFilter param="min_price" label="Price from" type="number" />
      <TextFilter param="max_price" label="Price to" type="number" />
    </>
  );
}

export const PRODUCTS: DataKind<Row> = {
  id: 'products',
  title: 'Products',
  icon: 'cart',
  list: 'GET /products',
  facets: 'GET /products/facets',
  rowsOf: (reply) => (reply as { products: Row[] }).products,
  keyOf: ({ product, source, zipcode }) => `${source} ${zipcode ?? ''} ${product}`,
  facetNames: ['source', 'seller', 'currency'],
  filterNames: ['zipcode', 'min_price', 'max_price'],
  Filters,
  sorts: [
    ['-scraped_at', 'Newest first'],
    ['price', 'Cheapest first'],
    ['-price', 'Dearest first'],
  ],
  placeholder: 'oat milk -vanilla',
  titleOf: ({ title }) => title,
  columns: [
    {
      key: 'title',
      title: 'Product',
      isWide: true,
      cell: ({ title, highlights }) => (
        <span class="cut">{highlights?.title ? <Marked text={highlights.title} /> : shorten(title, 160)}</span>
      ),
    },
    { key: 'price', title: 'Price', isNumber: true, cell: (row) => <b>{priceOf(row)}</b> },
    { key: 'unit', title: 'Unit price', isNumber: true, cell: (row) => unitPriceText(row) ?? null },
    { key: 'seller', title: 'Seller', cell: ({ seller }) => (seller ? shorten(seller, 32) : null) },
    { key: 'zipcode', title: 'Near', cell: ({ zipcode }) => zipcode ?? null },
    { key: 'source', title: 'From', isExtra: true, cell: ({ source }) => source },
    { key: 'rating', title: 'Rating', isNumber: true, isExtra: true, cell: ({ rating }) => rating ?? null },
    { key: 'seen', title: 'Seen', isNumber: true, cell: ({ scraped_at }) => <Time at={scraped_at} /> },
  ],
  Detail,
  Charts,
  empty: {
    text: 'A cart brings products: fill one on the page Cart, or from a terminal:',
    commands: [
      `curl ${location.origin}/cart -H 'content-type: application/json' \\\n  -d '{"items":["milk","eggs"],"zipcode":"10001"}'`,
    ],
  },
};

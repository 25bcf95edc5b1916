import { expect, test } from 'vitest';
import { parse } from '../html/html.ts';
import { productIn } from './product-structured.ts';

const URL_OF_PAGE = 'https://shop.example/p/oat-drink?utm_source=mail';
const page = (head: string, body = '') => parse(`<html><head>${head}</head><body>${body}</body></html>`);
const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

test('the product that is the page’s own is meant, not a related one', () => {
  const doc = page(
    `<link rel="canonical" href="/p/oat-drink">${jsonLd({ '@type': 'Product', name: 'Related Rice', offers: { price: 1, priceCurrency: 'USD' } })}
     ${jsonLd({
       '@graph': [
         {
           '@type': ['Product'],
           name: 'Oat Drink 1 l',
           url: 'https://shop.example/p/oat-drink',
           brand: { name: 'Meadow' },
           sku: 'a/b',
           gtin13: '4006381333931',
           image: [['https://img.example/1.jpg']],
           aggregateRating: { ratingValue: '9', bestRating: 10, reviewCount: '12' },
           offers: {
             '@type': 'Offer',
             price: '2.49',
             priceCurrency: 'EUR',
             availability: 'http://schema.org/InStock',
             itemCondition: 'NewCondition',
             seller: { name: 'Shop' },
           },
         },
       ],
     })}`,
    '<h1>Oat Drink 1 l</h1>',
  );
  expect(productIn(doc, URL_OF_PAGE)).toMatchObject({
    title: 'Oat Drink 1 l',
    brand: 'Meadow',
    price: { amount_minor: 249, currency: 'EUR', text: '2.49 EUR' },
    availability: 'in_stock',
    condition: 'new',
    seller: { name: 'Shop', domain: 'shop.example' },
    rating: 4.5,
    review_count: 12,
    ids: { gtin: '4006381333931' },
    image: 'https://img.example/1.jpg',
    merchant_link: 'https://shop.example/p/oat-drink',
    parse: { rule: 'json-ld' },
  });
});

test('a price of nothing is no price, and sold out is said', () => {
  const draft = productIn(
    page(
      jsonLd({
        '@type': 'Product',
        name: 'Tank',
        offers: { price: 0, priceCurrency: 'SAR', availability: 'OutOfStock' },
      }),
    ),
    URL_OF_PAGE,
  );
  expect(draft).toMatchObject({ title: 'Tank', price: null, availability: 'out_of_stock' });
});

test('of several offers the cheapest that can be bought counts', () => {
  const offers = [
    { price: 3, priceCurrency: 'USD', availability: 'SoldOut' },
    { price: 5, priceCurrency: 'USD', availability: 'InStock' },
    { price: 4, priceCurrency: 'USD', availability: 'InStock' },
  ];
  expect(productIn(page(jsonLd({ '@type': 'Product', name: 'Tea', offers })), URL_OF_PAGE)?.price?.amount_minor).toBe(
    400,
  );
  expect(
    productIn(
      page(
        jsonLd({
          '@type': 'Product',
          name: 'Tea',
          offers: { '@type': 'AggregateOffer', lowPrice: '2.50', highPrice: 9, priceCurrency: 'USD' },
        }),
      ),
      URL_OF_PAGE,
    )?.price?.amount_minor,
  ).toBe(250);
  expect(
    productIn(
      page(
        jsonLd({
          '@type': 'ProductGroup',
          name: 'Tea',
          hasVariant: [{ '@type': 'Product', offers: { price: 7, priceCurrency: 'USD' } }],
        }),
      ),
      URL_OF_PAGE,
    )?.price?.amount_minor,
  ).toBe(700);
});

test('price specifications give list price and stated unit price', () => {
  const offers = {
    '@type': 'Offer',
    priceCurrency: 'EUR',
    priceSpecification: [
      {
        '@type': 'UnitPriceSpecification',
        price: '9.00',
        priceCurrency: 'EUR',
        referenceQuantity: { value: '4.5', unitCode: 'LTR', valueReference: { value: '1', unitCode: 'LTR' } },
      },
      { price: '12.00', priceCurrency: 'EUR', priceType: 'https://schema.org/ListPrice' },
    ],
  };
  expect(productIn(page(jsonLd({ '@type': 'Product', name: 'Paint', offers })), URL_OF_PAGE)).toMatchObject({
    price: { amount_minor: 900 },
    old_price: { amount_minor: 1200 },
    unit_price: { amount_minor: 200, per: { value: 1, unit: 'l' }, basis: 'stated' },
  });
});

test('microdata says the same in the page itself', () => {
  const doc = page(
    '',
    `<div itemscope itemtype="http://schema.org/Product"><span itemprop="name">Anvil</span><span itemprop="brand">Forge & Co</span>
    <span itemprop="aggregateRating" itemscope itemtype="http://schema.org/AggregateRating"><b itemprop="ratingValue">4.4</b> of <b itemprop="reviewCount">89</b></span>
    <span itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="priceCurrency" content="USD">$<span itemprop="price">119.99</span><link itemprop="availability" href="http://schema.org/InStock"></span></div>`,
  );
  expect(productIn(doc, URL_OF_PAGE)).toMatchObject({
    title: 'Anvil',
    brand: 'Forge & Co',
    price: { amount_minor: 11999, currency: 'USD' },
    rating: 4.4,
    review_count: 89,
    parse: { rule: 'microdata' },
  });
});

test('OpenGraph fills in what is not stated elsewhere, and is enough alone', () => {
  const meta =
    '<meta property="og:type" content="product.item"><meta property="og:title" content="Disc"><meta property="product:price:amount" content="1.299,50"><meta property="product:price:currency" content="EUR"><meta property="product:availability" content="in stock"><meta property="og:image" content="/d.jpg">';
  expect(productIn(page(meta), URL_OF_PAGE)).toMatchObject({
    title: 'Disc',
    price: { amount_minor: 129_950, currency: 'EUR' },
    availability: 'in_stock',
    image: 'https://shop.example/d.jpg',
    parse: { rule: 'opengraph' },
  });
  expect(productIn(page(meta + jsonLd({ '@type': 'Product', name: 'Disc (2026)' })), URL_OF_PAGE)).toMatchObject({
    title: 'Disc (2026)',
    price: { amount_minor: 129_950 },
  });
});

test('an article is no product', () => {
  expect(
    productIn(
      page('<meta property="og:type" content="article"><meta property="og:title" content="News">'),
      URL_OF_PAGE,
    ),
  ).toBeNull();
});

// Any Magento (Adobe Commerce) shop, by its public GraphQL, without a key.
// What a reader would get wrong: the price of a configurable product is that of its cheapest variant, so the variants are given instead; a grouped or bundled
// product has no price of its own, and its range is only its cheapest member.
import { z } from 'zod';
import { parse, text } from '../../extract/html/html.ts';
import { completeProduct, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import { shopParams } from './cart-params.ts';
import { readJson } from './shop-json.ts';
import { shopMoney } from './shop-money.ts';
import { readRows } from './shop-rows.ts';

const PAGE_SIZE = 50;
const PRICES = 'price_range { minimum_price { regular_price { value currency } final_price { value currency } } }';
const QUERY = `query ($search: String, $filter: ProductAttributeFilterInput, $size: Int!, $page: Int!) {
  storeConfig { store_name default_display_currency_code product_url_suffix }
  products(search: $search, filter: $filter, pageSize: $size, currentPage: $page) {
    page_info { current_page total_pages }
    items {
      __typename uid sku name url_key stock_status small_image { url } ${PRICES}
      ... on ConfigurableProduct { variants { product { uid sku name stock_status ${PRICES} } } }
    }
  }
}`;

const Amount = z.object({ value: z.number().nullish(), currency: z.string().nullish() }).nullish();
const Range = z.object({ minimum_price: z.object({ regular_price: Amount, final_price: Amount }).nullish() }).nullish();
const Variant = z.object({
  uid: z.string().nullish(),
  sku: z.string().min(1),
  name: z.string().min(1),
  stock_status: z.string().nullish(),
  price_range: Range,
});
export const MagentoProduct = Variant.extend({
  __typename: z.string().nullish(),
  url_key: z.string().nullish(),
  small_image: z.object({ url: z.string().nullish() }).nullish(),
  variants: z.array(z.object({ product: z.unknown() })).nullish(),
});
type MagentoProduct = z.infer<typeof MagentoProduct>;
const Answer = z.object({
  errors: z.array(z.object({ message: z.string() })).nullish(),
  data: z
    .object({
      storeConfig: z
        .object({
          store_name: z.string().nullish(),
          default_display_currency_code: z.string().nullish(),
          product_url_suffix: z.string().nullish(),
        })
        .nullish(),
      products: z
        .object({
          page_info: z.object({ total_pages: z.number().nullish() }).nullish(),
          items: z.array(z.unknown()),
        })
        .nullish(),
    })
    .nullish(),
});

export interface MagentoShop {
  host: string;
  name: string;
  /** Of prices that do not say theirs. */
  currency: string | null;
  urlSuffix: string;
}

export const magento = defineSource({
  name: 'magento',
  title: 'A Magento shop: search or whole catalogue',
  kind: 'product',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 500 },
  params: z.object(shopParams),
  async *scrape({ shop: host, item, zipcode, max_products: max }, web, notes) {
    const scrapedAt = new Date().toISOString();
    const locality = { requested: zipcode ?? null, evidence: null };
    let position = 0;
    for (let page = 1; ; page++) {
      const asked = item === undefined ? { filter: {} } : { search: item };
      const answer = await web.get(`https://${host}/graphql`, {
        method: 'POST',
        accept: [401, 403, 404, 405],
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ query: QUERY, variables: { ...asked, size: Math.min(PAGE_SIZE, max), page } }),
      });
      if (answer.status === 404 || answer.status === 405)
        throw new AppError('not_found', 'magento: the shop has no GraphQL');
      if (answer.status >= 400)
        throw new AppError('blocked', `magento: unavailable (${answer.status})`, {
          details: { outcome: 'unavailable' },
        });
      const { data, errors } = readJson(answer.text, Answer, 'magento');
      const products = data?.products;
      if (!products)
        throw new AppError(
          'layout_changed',
          `magento: ${errors?.[0]?.message.slice(0, 200) ?? 'an answer without products'}`,
        );
      const shop: MagentoShop = {
        host,
        name: data?.storeConfig?.store_name || host,
        currency: data?.storeConfig?.default_display_currency_code ?? null,
        urlSuffix: data?.storeConfig?.product_url_suffix ?? '.html',
      };
      for (const product of readRows(products.items, MagentoProduct, { about: 'magento', notes }))
        for (const draft of magentoDrafts(product, shop)) {
          position++;
          yield completeProduct(draft, { source: 'magento', position, scrapedAt, locality });
          if (position >= max) return;
        }
      if (products.items.length === 0 || page >= (products.page_info?.total_pages ?? 1)) return;
    }
  },
});

const ORIGINS = prefixed('api', {
  title: 'data.products.items[].name',
  seller: 'data.storeConfig.store_name | =request:shop',
  price: 'data.products.items[].price_range.minimum_price.final_price',
  old_price: 'data.products.items[].price_range.minimum_price.regular_price',
  availability: 'data.products.items[].stock_status',
  image: 'data.products.items[].small_image.url',
  ids: 'data.products.items[].sku',
  product_link: 'data.products.items[].url_key',
  merchant_link: 'data.products.items[].url_key',
});
/** What they cost depends on what is chosen. */
const WITHOUT_PRICE = new Set(['GroupedProduct', 'BundleProduct']);

/** The variants of a product, or the product where it has none. */
export function magentoDrafts(product: MagentoProduct, shop: MagentoShop): ProductDraft[] {
  const variants = (product.variants ?? []).flatMap((one) => Variant.safeParse(one.product).data ?? []);
  return (variants.length > 0 ? variants : [product]).map((one) => toDraft(one, product, shop));
}

function toDraft(one: z.infer<typeof Variant>, product: MagentoProduct, shop: MagentoShop): ProductDraft {
  const range = WITHOUT_PRICE.has(product.__typename ?? '') ? null : one.price_range?.minimum_price;
  const money = (amount: z.infer<typeof Amount>) => {
    const currency = amount?.currency ?? shop.currency;
    return amount?.value == null || !currency ? null : shopMoney(amount.value, currency);
  };
  const [price, regular] = [money(range?.final_price), money(range?.regular_price)];
  const link = product.url_key ? linkOf(`/${product.url_key}${shop.urlSuffix}`, `https://${shop.host}/`) : null;
  return {
    title: text(parse(one.name)),
    seller: { name: shop.name, id: null, domain: shop.host },
    price: price ?? regular,
    old_price: price !== null && regular !== null && regular.amount_minor > price.amount_minor ? regular : null,
    availability:
      one.stock_status === 'IN_STOCK' ? 'in_stock' : one.stock_status === 'OUT_OF_STOCK' ? 'out_of_stock' : 'unknown',
    image: linkOf(product.small_image?.url, `https://${shop.host}/`),
    ids: { sku: one.sku },
    product_link: link,
    merchant_link: link,
    origins: ORIGINS,
    parse: { rule: 'graphql', confidence: 0.95 },
  };
}

// Open Food Facts: what a product is (name, brand, size, barcode), for no money and with permission (ODbL: name the source). It knows no prices.
// What a reader would get wrong: it counts requests by the minute (15 products, 10 searches) and answers 503 beyond, hence the slow pace.
import { z } from 'zod';
import { completeProduct, linkOf, type ProductDraft } from '../../extract/product/product-draft.ts';
import { AppError } from '../../model/errors.ts';
import { normaliseGtin } from '../../model/product/gtin.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import { hasOneKey, lookupParams } from './cart-params.ts';
import { readRows } from './shop-rows.ts';

const SITE = 'https://world.openfoodfacts.org';
const FIELDS = 'code,product_name,brands,quantity,product_quantity,product_quantity_unit,image_front_url';

export const Food = z.object({
  code: z.union([z.string(), z.number()]).nullish(),
  product_name: z.string().nullish(),
  brands: z.string().nullish(),
  quantity: z.string().nullish(),
  image_front_url: z.string().nullish(),
  image_url: z.string().nullish(),
});
type Food = z.infer<typeof Food>;
const OneFood = z.object({ status: z.number().optional(), product: Food.nullish() });
const Found = z.object({ products: z.array(z.unknown()) });

export const openFoodFacts = defineSource({
  name: 'open-food-facts',
  title: 'Open Food Facts: groceries by barcode or name',
  kind: 'product',
  lane: 'http',
  hosts: ['world.openfoodfacts.org'],
  pace: { concurrency: 1, delayMs: 6_000 },
  params: z.object(lookupParams).refine(...hasOneKey),
  async *scrape({ item, barcode, zipcode, max_products: max }, web, notes) {
    const context = {
      source: 'open-food-facts',
      scrapedAt: new Date().toISOString(),
      locality: { requested: zipcode ?? null, evidence: null },
    };
    if (barcode !== undefined) {
      const { product } = await web.json(`${SITE}/api/v2/product/${barcode}.json?fields=${FIELDS}`, OneFood, {
        accept: [404],
      });
      const draft = product && foodDraft(product);
      if (!draft) throw new AppError('not_found', 'Open Food Facts has no product with this barcode');
      yield completeProduct(draft, { ...context, position: 1 });
      return;
    }
    const query = new URLSearchParams({ search_terms: item!, json: '1', page_size: String(max), fields: FIELDS });
    const { products } = await web.json(`${SITE}/cgi/search.pl?${query}`, Found);
    let position = 0;
    for (const draft of readRows(products, Food, { about: 'open-food-facts', notes })
      .map(foodDraft)
      .filter((draft) => draft !== null)
      .slice(0, max)) {
      position++;
      yield completeProduct(draft, { ...context, position });
    }
  },
});

const ORIGINS = prefixed('api', {
  title: 'products[].product_name',
  brand: 'products[].brands',
  sizeText: 'products[].quantity',
  image: 'products[].image_front_url | products[].image_url',
  ids: 'products[].code',
  product_link: '=computed',
});

/** Null for entries nobody has named yet. */
export function foodDraft(food: Food): ProductDraft | null {
  if (!food.product_name) return null;
  const code = food.code == null ? null : String(food.code);
  const gtin = normaliseGtin(code);
  return {
    title: food.product_name,
    brand: food.brands?.split(',')[0]?.trim() || null,
    sizeText: food.quantity ?? null,
    image: linkOf(food.image_front_url ?? food.image_url, SITE),
    ids: { ...(code === null ? {} : { code }), ...(gtin ? { gtin } : {}) },
    product_link: code === null ? null : `${SITE}/product/${code}`,
    origins: ORIGINS,
    parse: { rule: 'api', confidence: 1 },
  };
}

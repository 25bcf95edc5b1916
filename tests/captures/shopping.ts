// A saved shopping page or answer, by the reader that is meant for it: what kind of page it is, how many products, and the first of them.
import { parse } from '../../src/extract/html/html.ts';
import { completeProduct, type ProductDraft } from '../../src/extract/product/product-draft.ts';
import { productIn } from '../../src/extract/product/product-structured.ts';
import type { Product } from '../../src/model/product/product.ts';
import { readShoppingPage } from '../../src/sources/shopping/google/google-cards.ts';
import { classifyGooglePage } from '../../src/sources/shopping/google/google-page.ts';
import { KrogerProduct, KrogerProducts, krogerDraft } from '../../src/sources/shopping/kroger.ts';
import { MagentoProduct, magentoDrafts } from '../../src/sources/shopping/magento.ts';
import { Food, foodDraft } from '../../src/sources/shopping/open-food-facts.ts';
import { Observed, ObservedPage, observedDraft } from '../../src/sources/shopping/open-prices.ts';
import { OccPage, OccProduct, occDraft } from '../../src/sources/shopping/sap-commerce.ts';
import { VendorRow, vendorDraft } from '../../src/sources/shopping/serpapi.ts';
import { Catalogue, CatalogueProduct, variantsOf } from '../../src/sources/shopping/shopify.ts';
import { TargetPage, TargetProduct, targetDraft } from '../../src/sources/shopping/target.ts';
import { walmartPage } from '../../src/sources/shopping/walmart.ts';
import { WooProduct, wooDraft } from '../../src/sources/shopping/woocommerce.ts';

interface Row {
  /** Class of the page, or of the answer. */
  page: string;
  products: number;
  first: string;
}

type Reader = (text: string, file: string) => { page: string; drafts: (ProductDraft | null)[] };

const PAGE_URL = 'https://shop.example/p/1';

/** By folder; a folder without a reader is told as such. */
const READERS: Record<string, Reader> = {
  google(text) {
    const url = 'https://www.google.com/search?q=x';
    const reading = readShoppingPage(text, { url, query: 'x' });
    return { page: classifyGooglePage({ url, status: 200, text }, reading, 'us').class, drafts: reading.products };
  },
  shopify: (text) => {
    const shop = { host: 'shop.example', name: 'shop', currency: 'USD' };
    return {
      page: 'shopify_catalog',
      drafts: Catalogue.parse(JSON.parse(text)).products.flatMap((product) =>
        variantsOf(CatalogueProduct.parse(product), shop),
      ),
    };
  },
  woocommerce(text) {
    const value: unknown = JSON.parse(text);
    return {
      page: 'store_api',
      drafts: (Array.isArray(value) ? value : [value]).map((one) => wooDraft(WooProduct.parse(one), 'shop.example')),
    };
  },
  walmart: (text) => ({
    page: 'next_data',
    drafts: walmartPage(
      { url: 'https://www.walmart.com/search', status: 200, headers: {}, text },
      { diagnose: () => 'layout_changed' },
    ).drafts,
  }),
  kroger: (text) => ({
    page: 'products',
    drafts: KrogerProducts.parse(JSON.parse(text)).data.map((product) =>
      krogerDraft(KrogerProduct.parse(product), null),
    ),
  }),
  openprices(text) {
    const value = JSON.parse(text) as { items?: unknown[] };
    const page = ObservedPage.safeParse(value).data?.items ?? [];
    if (Observed.safeParse(page[0]).success)
      return { page: 'prices', drafts: page.map((row) => observedDraft(Observed.parse(row))) };
    return { page: 'foods', drafts: (value.items ?? [value]).map((one) => foodDraft(Food.parse(one))) };
  },
  'serp-vendors': (text) => ({ page: 'vendor', drafts: rowsOf(JSON.parse(text)).map(vendorDraft) }),
  target: (text) => ({
    page: 'redsky',
    drafts: TargetPage.parse(JSON.parse(text)).data.search.products.map((one) => targetDraft(TargetProduct.parse(one))),
  }),
  magento(text) {
    const value = JSON.parse(text);
    const { items } = value.products_page1_trimmed ?? value.data.products;
    const shop = { host: 'shop.example', name: 'shop', currency: 'SAR', urlSuffix: '.html' };
    return {
      page: 'graphql',
      drafts: (items as unknown[]).flatMap((one) => magentoDrafts(MagentoProduct.parse(one), shop)),
    };
  },
  hybris: (text) => ({
    page: 'occ',
    drafts: OccPage.parse(JSON.parse(text)).products.map((one) => occDraft(OccProduct.parse(one), 'shop.example')),
  }),
  jsonld: structured,
  'structured-data': structured,
};

function structured(text: string, file: string): ReturnType<Reader> {
  const html = file.endsWith('.json') ? asPage(JSON.parse(text)) : text;
  const draft = productIn(parse(html), PAGE_URL);
  return { page: draft ? `product (${draft.parse?.rule})` : 'no product', drafts: draft ? [draft] : [] };
}

/** Captured nodes and blocks are put back into a page. */
function asPage(value: unknown): string {
  const blocks: string[] = [];
  const visit = (one: unknown): void => {
    if (typeof one === 'string' && one.includes('"@type"')) blocks.push(one);
    else if (Array.isArray(one)) one.forEach(visit);
    else if (one !== null && typeof one === 'object') {
      if ('@type' in one) blocks.push(JSON.stringify(one));
      else Object.values(one).forEach(visit);
    }
  };
  visit(value);
  return blocks.map((block) => `<script type="application/ld+json">${block}</script>`).join('');
}

function rowsOf(value: unknown): VendorRow[] {
  if (Array.isArray(value)) return value.flatMap((one) => VendorRow.safeParse(one).data ?? []);
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(rowsOf) : [];
}

/** Expected answers and lists of strings that lie among the captures. */
const NO_CAPTURE = /uule_vectors|price-strings|extruct_.+\.json|rating_snippets/;

export const isShoppingCapture = (file: string): boolean => /\/.+\.(?:html|json)$/.test(file) && !NO_CAPTURE.test(file);

export function readShopping(text: string, file: string): Row {
  const reader = READERS[file.split('/')[0]!];
  if (!reader) return { page: 'no source for this', products: 0, first: '' };
  const { page, drafts } = reader(text, file);
  const products = drafts.filter((draft) => draft !== null).map(complete);
  return { page, products: products.length, first: products[0] ? describe(products[0]) : '' };
}

const complete = (draft: ProductDraft, index: number): Product =>
  completeProduct(draft, {
    source: 'capture',
    position: index + 1,
    scrapedAt: '2026-11-15T00:00:00.000Z',
    locality: { requested: null, evidence: null },
  });

const describe = ({ title, price, seller }: Product): string =>
  [title.slice(0, 48), price?.text ?? 'no price', seller.name ?? ''].join(' | ');

// Items of any kind on stdout: columns for a table of a program, lines for a person.
import type { Article } from '../../../model/item/article.ts';
import type { Item, Kind } from '../../../model/item/item.ts';
import type { Posting } from '../../../model/posting/posting.ts';
import { POSTING_COLUMNS } from '../../../model/posting/posting-columns.ts';
import type { Product } from '../../../model/product/product.ts';
import { type ProductView, productView } from '../../../model/product/product-view.ts';
import { postingRows } from '../../terminal/posting-table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { ARTICLE_COLUMNS, readableArticle } from './scrape-format.ts';

interface ItemOutput {
  columns: readonly string[];
  /** One cell a column. */
  cells(item: Item): unknown[];
  show(items: readonly Item[], terminal: Terminal): void;
}

const PRODUCT_COLUMNS = [
  'title',
  'price',
  'currency',
  'unit_price',
  'unit',
  'seller',
  'rating',
  'reviews',
  'link',
] as const;

export const ITEM_OUTPUT: Record<Kind, ItemOutput> = {
  posting: {
    columns: POSTING_COLUMNS,
    cells: (item) => POSTING_COLUMNS.map((column) => (item as Posting)[column]),
    show: (items, terminal) => terminal.table(postingRows(items as Posting[])),
  },
  product: {
    columns: PRODUCT_COLUMNS,
    cells: (item) => productCells(productView(item as Product)),
    show: (items, terminal) =>
      terminal.table([
        ['PRICE', 'SELLER', 'TITLE', 'LINK'],
        ...items.map((item) => {
          const { price_text, seller, title, link } = productView(item as Product);
          return [price_text ?? '', seller ?? '', title, link ?? ''];
        }),
      ]),
  },
  article: {
    columns: ARTICLE_COLUMNS,
    cells: (item) => ARTICLE_COLUMNS.map((column) => (item as Article)[column]),
    show: (items, terminal) => {
      for (const item of items) terminal.out(readableArticle(item as Article));
    },
  },
};

const productCells = (view: ProductView): unknown[] => PRODUCT_COLUMNS.map((column) => view[column]);

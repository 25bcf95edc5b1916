// The kinds of items, and their names in messages.

import type { Posting } from '../posting/posting.ts';
import type { Product } from '../product/product.ts';
import type { Article } from './article.ts';

export interface ItemOf {
  article: Article;
  posting: Posting;
  product: Product;
}
export type Kind = keyof ItemOf;
export type Item = ItemOf[Kind];

/** What the message contract calls the list of each kind of item in a result. */
export const ITEMS_FIELD = {
  article: 'articles_data',
  posting: 'jobs_data',
  product: 'products_data',
} as const satisfies Record<Kind, string>;

export const KINDS = Object.keys(ITEMS_FIELD) as Kind[];

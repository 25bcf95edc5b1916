// How good the items of a source are: which of the fields that people look for are filled. A source whose share of a field drops has usually met a page
// that changed.

import type { Posting } from '../posting/posting.ts';
import type { Product } from '../product/product.ts';
import type { Article } from './article.ts';
import type { ItemOf, Kind } from './item.ts';

/** The fields that are looked at, by kind; each asks whether an item has it. */
type Checks<T> = Record<string, (item: T) => unknown>;

const POSTING: Checks<Posting> = {
  company: (posting) => posting.company,
  location: (posting) => posting.location,
  country: (posting) => posting.locations[0]?.country,
  remote_type: (posting) => posting.remote_type !== 'unknown',
  job_types: (posting) => posting.job_types.length > 0,
  seniority: (posting) => posting.seniority !== 'unknown',
  salary: (posting) => posting.salary_min ?? posting.salary_max,
  posted_at: (posting) => posting.posted_at,
  description: (posting) => posting.description,
  apply_url: (posting) => posting.apply_url,
};
const PRODUCT: Checks<Product> = {
  price: (product) => product.price,
  unit_price: (product) => product.unit_price,
  seller: (product) => product.seller.name,
  link: (product) => product.merchant_link ?? product.product_link,
  image: (product) => product.image,
  rating: (product) => product.rating,
  delivery: (product) => product.fulfilment.length > 0,
  product_id: (product) => Object.keys(product.ids).length > 0,
};
const ARTICLE: Checks<Article> = {
  title: (article) => article.title,
  content: (article) => article.content.trim(),
  author: (article) => article.author,
  published_at: (article) => article.published_at,
  language: (article) => article.language,
  image: (article) => article.image,
};
const CHECKS: { [K in Kind]: Checks<ItemOf[K]> } = { posting: POSTING, product: PRODUCT, article: ARTICLE };

export const qualityFields = (kind: Kind): string[] => Object.keys(CHECKS[kind]);

/** Adds one to each field that an item has. 0 is an answer, an empty text is none. */
export function countFilled<K extends Kind>(kind: K, item: ItemOf[K], filled: Record<string, number>): void {
  for (const [field, check] of Object.entries(CHECKS[kind])) {
    const value = check(item);
    if (value !== null && value !== undefined && value !== false && value !== '')
      filled[field] = (filled[field] ?? 0) + 1;
  }
}

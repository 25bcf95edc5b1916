// What is measured of the items of a task while they pass: sums only, so that two measures can be added and nothing has to be read again.
import { z } from 'zod';
import type { Article } from '../item/article.ts';
import type { ItemOf, Kind } from '../item/item.ts';
import { countFilled } from '../item/item-quality.ts';
import type { Posting } from '../posting/posting.ts';
import type { Product } from '../product/product.ts';
import { productName } from '../product/product-name.ts';
import { addYields, Yields } from './yields.ts';

const count = z.int().nonnegative();

export const Measure = z.object({
  items: count,
  /** Items that came more than once. */
  duplicates: count,
  /** Rows that were there and could not be read. */
  refused: count,
  /** Items that had the field, by field. */
  filled: z.record(z.string(), count),
  /** Characters of all titles and of all long texts (description, content) together. */
  title_chars: count,
  text_chars: count,
  /** Of selectors and mappings that settings declare. */
  yields: Yields.optional(),
});
export type Measure = z.infer<typeof Measure>;

export const newMeasure = (): Measure => ({
  items: 0,
  duplicates: 0,
  refused: 0,
  filled: {},
  title_chars: 0,
  text_chars: 0,
});

interface Texts<T> {
  /** What makes it the same item within one answer. */
  id(item: T): string;
  title(item: T): string | null;
  text(item: T): string | null;
}

const TEXTS: { [K in Kind]: Texts<ItemOf[K]> } = {
  posting: {
    id: (posting: Posting) => posting.job_hash,
    title: (posting: Posting) => posting.title,
    text: (posting: Posting) => posting.description,
  },
  product: {
    id: (product: Product) => `${productName(product)} ${product.seller.name ?? ''}`,
    title: (product: Product) => product.title,
    text: () => null,
  },
  article: {
    id: (article: Article) => article.url,
    title: (article: Article) => article.title,
    text: (article: Article) => article.content,
  },
};

/** Past this many items of one attempt duplicates are no longer looked for. */
const IDS_MAX = 50_000;

/** `ids`: of the items that this measure has seen. */
export function measureItem<K extends Kind>(measure: Measure, kind: K, item: ItemOf[K], ids: Set<string>): void {
  const texts = TEXTS[kind];
  measure.items += 1;
  countFilled(kind, item, measure.filled);
  measure.title_chars += texts.title(item)?.length ?? 0;
  measure.text_chars += texts.text(item)?.length ?? 0;
  const id = texts.id(item);
  if (ids.has(id)) measure.duplicates += 1;
  else if (ids.size < IDS_MAX) ids.add(id);
}

export function measureItems<K extends Kind>(kind: K, items: readonly ItemOf[K][]): Measure {
  const measure = newMeasure();
  const ids = new Set<string>();
  for (const item of items) measureItem(measure, kind, item, ids);
  return measure;
}

/** Both together. */
export function addMeasure(measure: Measure, more: Measure): void {
  for (const field of ['items', 'duplicates', 'refused', 'title_chars', 'text_chars'] as const)
    measure[field] += more[field];
  for (const [field, filled] of Object.entries(more.filled))
    measure.filled[field] = (measure.filled[field] ?? 0) + filled;
  if (more.yields) {
    measure.yields ??= {};
    addYields(measure.yields, more.yields);
  }
}

// A product as one shop or search page offers it: the fields of the cart contract, and beside them what they were read from.
// What a reader would get wrong: `price` and its like are money in whole minor units with the text as shown; the contract's decimal numbers
// are made from them at the edge (product-view.ts), so nothing in between adds up binary fractions.
import { z } from 'zod';
import { Money } from './money.ts';

/** Units of sizes and unit prices. */
export const UNITS = ['g', 'kg', 'ml', 'l', 'oz', 'lb', 'fl oz', 'ct', 'm', 'ft'] as const;
export const Unit = z.enum(UNITS);
export type Unit = z.infer<typeof Unit>;

export const Size = z.object({
  /** Of one piece, in `unit`. */
  value: z.number().positive(),
  unit: Unit,
  /** Pieces in the pack. */
  count: z.number().int().positive(),
  /** `oz` of something that may be liquid: weight and volume must not be mixed up, so it is not compared. */
  is_ambiguous: z.boolean(),
  /** 0 to 1, by how it was read. */
  confidence: z.number(),
  text: z.string(),
});
export type Size = z.infer<typeof Size>;

export const UnitPrice = z.object({
  /** In minor units, with fractions: `22.1 ¢/fl oz` is 22.1. */
  amount_minor: z.number().nonnegative(),
  currency: z.string().length(3),
  per: z.object({ value: z.number().positive(), unit: Unit }),
  basis: z.enum(['stated', 'computed']),
  text: z.string().nullable(),
});
export type UnitPrice = z.infer<typeof UnitPrice>;

export const Fulfilment = z.object({
  type: z.enum(['in_store', 'pickup', 'delivery', 'shipping']),
  text: z.string(),
  place: z.string().nullable(),
  cost_minor: z.number().int().nonnegative().nullable(),
});
export type Fulfilment = z.infer<typeof Fulfilment>;

export const Product = z.object({
  /** From 1, in the order of the page. */
  position: z.number().int().positive(),
  title: z.string().min(1),
  brand: z.string().nullable(),
  seller: z.object({ name: z.string().nullable(), id: z.string().nullable(), domain: z.string().nullable() }),
  price: Money.nullable(),
  old_price: Money.nullable(),
  unit_price: UnitPrice.nullable(),
  size: Size.nullable(),
  /** Sold by weight: the price of one piece is an estimate and is not compared. */
  is_by_weight: z.boolean(),
  condition: z.enum(['new', 'used', 'refurbished']).nullable(),
  availability: z.enum(['in_stock', 'out_of_stock', 'unknown']),
  fulfilment: z.array(Fulfilment),
  rating: z.number().min(0).max(5).nullable(),
  review_count: z.number().int().nonnegative().nullable(),
  /** The page said "1.8K": the count is a round figure. */
  review_count_is_rounded: z.boolean(),
  image: z.string().nullable(),
  /** Under the name the place gives them: `google_cid`, `gtin`, `sku`, … */
  ids: z.record(z.string(), z.string()),
  /** Where the source shows it; the shop's own page is `merchant_link`. */
  product_link: z.string().nullable(),
  merchant_link: z.string().nullable(),
  sponsored: z.boolean(),
  source: z.string(),
  scraped_at: z.string(),
  locality: z.object({
    requested: z.string().nullable(),
    /** Text of the page that shows the place was understood; null means that nothing says so. */
    evidence: z.string().nullable(),
  }),
  parse: z.object({ rule: z.string(), confidence: z.number() }),
});
export type Product = z.infer<typeof Product>;

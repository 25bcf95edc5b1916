// What every source of the cart takes, so that a cart can be sent to any of them.
import { z } from 'zod';
import { ZipCode } from '../../model/product/zip.ts';

export const cartParams = {
  item: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .transform((item) => item.replace(/\s+/g, ' ')),
  zipcode: ZipCode,
  max_products: z.number().int().min(1).max(50).default(20),
};

/** A place that looks things up by barcode, or by words. */
export const lookupParams = {
  item: cartParams.item.optional(),
  barcode: z
    .string()
    .regex(/^\d{8,14}$/)
    .optional(),
  zipcode: ZipCode.optional(),
  max_products: cartParams.max_products,
};

/** For `refine`: one of the two, not both. */
export const hasOneKey = [
  ({ item, barcode }: { item?: string | undefined; barcode?: string | undefined }) =>
    (item === undefined) !== (barcode === undefined),
  'needs an item or a barcode',
] as const;

/** A shop's own host, with or without a scheme. */
const shopHost = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => text.replace(/^https?:\/\//, '').split('/')[0]!)
  .pipe(z.string().regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'has to be the host of a shop, such as shop.example.com'));

/** A single shop: its search for an item, or without one its whole catalogue. */
export const shopParams = {
  shop: shopHost,
  item: cartParams.item.optional(),
  zipcode: ZipCode.optional(),
  max_products: z.number().int().min(1).max(25_000).default(20),
};

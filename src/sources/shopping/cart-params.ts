// What every source of the cart takes, so that a cart can be sent to any of them.
import { z } from 'zod';
import { ZipCode } from '../../model/zip.ts';

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

/** A shop's own host, with or without a scheme. */
export const shopHost = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => text.replace(/^https?:\/\//, '').replace(/\/.*$/, ''))
  .pipe(
    z.string().regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'It has to be the host of a shop, such as shop.example.com.'),
  );

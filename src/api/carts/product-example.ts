// A product as the contract shows it, for the documentation.
import { z } from 'zod';
import type { ProductView } from '../../model/product/product-view.ts';

const Text = z.string().nullable();
const Amount = z.number().nullable();
export const ProductShown: z.ZodObject<{ [field in keyof ProductView]: z.ZodType }> = z.looseObject({
  title: z.string(),
  price: Amount,
  currency: Text,
  price_text: Text,
  old_price: Amount,
  unit_price: Amount,
  unit: Text.meta({ description: 'What the unit price is for: `fl oz`, `100 g`.' }),
  seller: Text,
  link: Text,
  image: Text,
  rating: Amount,
  reviews: z.number().int().nullable(),
  delivery: Text,
  product_id: Text,
  same_as: Text.meta({ description: 'The same for offers of the same product in several shops.' }),
  zipcode: Text,
  scraped_at: z.string(),
});

export const PRODUCT_EXAMPLE: ProductView = {
  title: 'Whole Milk, 1 gal',
  price: 4.29,
  currency: 'USD',
  price_text: '$4.29',
  old_price: null,
  unit_price: 3.35,
  unit: 'fl oz',
  seller: 'Corner Grocery',
  link: 'https://shop.example/milk',
  image: null,
  rating: 4.6,
  reviews: 210,
  delivery: 'In store today',
  product_id: '1234567890',
  same_as: '5f0c2a4e-8f5b-5b1a-9a1d-2f6f6f0a7c11',
  zipcode: '10001',
  scraped_at: '2024-01-01T00:00:00.000Z',
};

// A product as the cart contract shows it: flat, decimal numbers, one line for delivery.
import { toDecimal } from './money.ts';
import type { Product } from './product.ts';
import { mainId } from './product-name.ts';
import { sameAs } from './same-product.ts';

export interface ProductView {
  title: string;
  price: number | null;
  currency: string | null;
  price_text: string | null;
  old_price: number | null;
  unit_price: number | null;
  /** What the unit price is for: `fl oz`, `100 g`. */
  unit: string | null;
  seller: string | null;
  link: string | null;
  image: string | null;
  rating: number | null;
  reviews: number | null;
  delivery: string | null;
  product_id: string | null;
  /** The same for offers of the same product, whatever shop they are from; null where the offer says too little to be compared. */
  same_as: string | null;
  zipcode: string | null;
  scraped_at: string;
}

export function productView(product: Product): ProductView {
  const { price, old_price: oldPrice, unit_price: unitPrice, ids } = product;
  return {
    title: product.title,
    price: price && toDecimal(price.amount_minor, price.currency),
    currency: price?.currency ?? null,
    price_text: price?.text ?? null,
    old_price: oldPrice && toDecimal(oldPrice.amount_minor, oldPrice.currency),
    unit_price: unitPrice && toDecimal(unitPrice.amount_minor, unitPrice.currency),
    unit:
      unitPrice && (unitPrice.per.value === 1 ? unitPrice.per.unit : `${unitPrice.per.value} ${unitPrice.per.unit}`),
    seller: product.seller.name,
    link: product.merchant_link ?? product.product_link,
    image: product.image,
    rating: product.rating,
    reviews: product.review_count,
    delivery: product.fulfilment.map(({ text }) => text).join('; ') || null,
    product_id: mainId(ids)?.id ?? null,
    same_as: sameAs(product),
    zipcode: product.locality.requested,
    scraped_at: product.scraped_at,
  };
}

// A product as the library hands it out: flat, with decimal prices, as the cart API shows it, and what a program asks for beside that.
import type { Product as ProductModel, Unit } from '../../model/product/product.ts';
import { productView } from '../../model/product/product-view.ts';

/** One product as one shop or search page offers it. Unknown values are null. */
export interface Product {
  /** The source it was found with, such as `google-shopping`. */
  site: string;
  /** What was searched for: the item or the barcode; null for a page or a whole shop. */
  item: string | null;
  /** Place on the page, from 1. */
  position: number;
  /** Name of the product. */
  title: string;
  /** Brand of the product. */
  brand: string | null;
  /** Price in `currency`. */
  price: number | null;
  /** ISO 4217 code of the price, such as USD. */
  currency: string | null;
  /** The price as the page shows it. */
  priceText: string | null;
  /** Price before a reduction. */
  oldPrice: number | null;
  /** Price of one `unit`. */
  unitPrice: number | null;
  /** What the unit price is for, such as `fl oz` or `100 g`. */
  unit: string | null;
  /** What is in the pack: pieces, and the size of one of them. */
  size: { value: number; unit: Unit; count: number } | null;
  /** Sold by weight: the price of one piece is an estimate. */
  isByWeight: boolean;
  /** Name of the seller. */
  seller: string | null;
  /** Page of the product, at the shop where it is known. */
  link: string | null;
  /** Address of a picture. */
  image: string | null;
  /** Rating from 0 to 5. */
  rating: number | null;
  /** How many reviews the rating comes from. */
  reviews: number | null;
  /** Ways to get it, as the page says them. */
  delivery: string | null;
  /** Whether it can be bought now. */
  availability: 'in_stock' | 'out_of_stock' | 'unknown';
  /** New, used or refurbished. */
  condition: 'new' | 'used' | 'refurbished' | null;
  /** The id that says most; all of them are in `ids`. */
  productId: string | null;
  /** Ids under the name the site gives them: `gtin`, `sku`, `google_cid`. */
  ids: Record<string, string>;
  /** The seller paid for its place on the page. */
  isSponsored: boolean;
  /** The ZIP code that was asked for. */
  zipcode: string | null;
  /** When it was scraped, ISO 8601. */
  scrapedAt: string;
}

export function toProduct(product: ProductModel, item: string | null): Product {
  const view = productView(product);
  const { size } = product;
  return {
    site: product.source,
    item,
    position: product.position,
    title: product.title,
    brand: product.brand,
    price: view.price,
    currency: view.currency,
    priceText: view.price_text,
    oldPrice: view.old_price,
    unitPrice: view.unit_price,
    unit: view.unit,
    size: size && { value: size.value, unit: size.unit, count: size.count },
    isByWeight: product.is_by_weight,
    seller: view.seller,
    link: view.link,
    image: view.image,
    rating: view.rating,
    reviews: view.reviews,
    delivery: view.delivery,
    availability: product.availability,
    condition: product.condition,
    productId: view.product_id,
    ids: product.ids,
    isSponsored: product.sponsored,
    zipcode: view.zipcode,
    scrapedAt: view.scraped_at,
  };
}

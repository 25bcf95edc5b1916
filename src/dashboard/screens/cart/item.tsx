// The products for one item, cheapest by unit first. What matters on a phone (price, unit price, seller) is in the first line of each.
import { useSignal } from '@preact/signals';
import { WebLink } from '../../parts/text/link.tsx';
import { money, unitPriceText } from '../../parts/text/money.ts';
import { count, shorten } from '../../parts/text/words.ts';
import { byUnitPrice, elsewhere, type Product } from './basket.ts';

const FIRST = 8;

export function Item({ item, products }: { item: string; products: readonly Product[] }) {
  const isWhole = useSignal(false);
  const sorted = products.toSorted(byUnitPrice);
  const shown = isWhole.value ? sorted : sorted.slice(0, FIRST);
  return (
    <section class="panel" aria-label={item}>
      <h2>{item}</h2>
      {products.length === 0 && <p class="quiet">No offers found near this ZIP code.</p>}
      <ul class="products">
        {shown.map((product, at) => (
          <ProductLine
            key={`${product.product_id ?? product.link ?? product.title} ${at}`}
            product={product}
            others={elsewhere(product, products)}
          />
        ))}
      </ul>
      {sorted.length > shown.length && (
        <button
          type="button"
          class="button"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          Show all {count(sorted.length)}
        </button>
      )}
    </section>
  );
}

const OTHERS_SHOWN = 3;

function ProductLine({ product, others }: { product: Product; others: readonly Product[] }) {
  const { title, link, price, price_text, currency, old_price, seller, delivery, rating, reviews } = product;
  const unit = unitPriceText(product);
  return (
    <li>
      <span class="product-title">
        <WebLink href={link}>{shorten(title, 160)}</WebLink>
      </span>
      <span class="product-price">
        <b>{price_text ?? money(price, currency) ?? 'no price'}</b>
        {old_price !== null && (
          <s class="quiet">
            <span class="for-readers">was </span>
            {money(old_price, currency)}
          </s>
        )}
      </span>
      <span class="product-unit">{unit ?? <span class="quiet">no unit price</span>}</span>
      <span class="product-seller">{shorten(seller ?? 'seller not named', 40)}</span>
      <span class="product-more quiet small">
        {[
          delivery && shorten(delivery, 60),
          others.length > 0 &&
            `same at ${others
              .slice(0, OTHERS_SHOWN)
              .map((one) => `${shorten(one.seller ?? '', 30)} ${one.price_text ?? money(one.price, one.currency)}`)
              .join(', ')}`,
          rating !== null && `${rating} of 5${reviews ? ` (${count(reviews)})` : ''}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </li>
  );
}

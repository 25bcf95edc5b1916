// What the whole basket costs at each store.
import { money } from '../../parts/text/money.ts';
import { shorten } from '../../parts/text/words.ts';
import { baskets, type Found } from './basket.ts';

const SHOWN = 6;

export function Baskets({ found }: { found: Found }) {
  const items = Object.keys(found).length;
  const stores = baskets(found).slice(0, SHOWN);
  if (items < 2 || stores.length === 0) return null;
  return (
    <section class="panel">
      <h2>The whole basket</h2>
      <ol class="baskets">
        {stores.map(({ seller, currency, total, picks, missing }, at) => (
          <li key={`${currency} ${seller}`} class={at === 0 ? 'best' : ''}>
            <b>{shorten(seller, 60)}</b>
            <span class="basket-total">{money(total, currency)}</span>
            <span class="quiet small">
              {missing.length === 0
                ? `all ${picks.size} items`
                : `${picks.size} of ${items}: without ${shorten(missing.join(', '), 80)}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

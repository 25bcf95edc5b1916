// Products of a cart, item by item, the cheapest by unit first; the page of the cart itself is for shoppers.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAnswer } from '../../live/answers.ts';
import { Empty } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { unitPriceText } from '../../parts/text/money.ts';
import { count, shorten } from '../../parts/text/words.ts';
import { byUnitPrice } from '../cart/basket.ts';
import type { RunDetail } from './screen.tsx';

const SHOWN = 10;

export function CartResults({ run }: { run: RunDetail }) {
  // The cart says itself when it is complete, a moment after its run has ended.
  const isComplete = useSignal(false);
  const cart = useAnswer(
    'GET /results/{job_id}',
    { path: { job_id: run.run_id }, query: {} },
    { every: isComplete.value ? 0 : 3 },
  );
  const status = cart.data?.status;
  useEffect(() => {
    isComplete.value = status !== undefined && status !== 'queued' && status !== 'processing';
  }, [status, isComplete]);
  if (cart.isFirst) return <Skeleton />;
  if (cart.problem?.status === 404)
    return (
      <Empty icon="clock" title="The results of this cart have expired">
        Its products are kept: <a href="/ui/data/products">see Products</a>.
      </Empty>
    );
  if (cart.problem) return <ProblemNote problem={cart.problem} onRetry={cart.reload} />;
  const { results = {}, errors = {} } = cart.data!;
  return (
    <>
      {[...new Set([...Object.keys(results), ...Object.keys(errors)])].map((item) => (
        <section key={item} class="item">
          <h2>
            {item} <span class="count">{count(results[item]?.length ?? 0)}</span>
          </h2>
          {errors[item] && <p class="text-bad">{errors[item]}</p>}
          <ul class="cards">
            {(results[item] ?? [])
              .toSorted(byUnitPrice)
              .slice(0, SHOWN)
              .map((product, at) => (
                <li key={product.product_id ?? at} class="card">
                  <WebLink href={product.link}>{shorten(product.title, 160)}</WebLink>
                  <p class="small quiet">
                    {[product.price_text ?? product.price, unitPriceText(product), product.seller]
                      .filter((part) => part !== null)
                      .join(' · ')}
                  </p>
                </li>
              ))}
          </ul>
          {(results[item]?.length ?? 0) > SHOWN && (
            <p class="small quiet">
              The {SHOWN} cheapest are shown.{' '}
              <a href={`/cart/${encodeURIComponent(run.run_id)}`}>See all in the cart</a>
            </p>
          )}
        </section>
      ))}
      {Object.keys(results).length === 0 && Object.keys(errors).length === 0 && (
        <Empty icon="cart" title="No results yet">
          They appear here item by item.
        </Empty>
      )}
    </>
  );
}

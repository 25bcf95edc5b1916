// Products of a cart, item by item; the page of the cart itself is for shoppers.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAnswer } from '../../live/answers.ts';
import { Empty } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { count, shorten } from '../../parts/text/words.ts';
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
            {(results[item] ?? []).slice(0, SHOWN).map((product, at) => (
              <li key={product.product_id ?? at} class="card">
                <WebLink href={product.link}>{shorten(product.title, 160)}</WebLink>
                <p class="small quiet">
                  {[product.price_text ?? product.price, product.seller].filter((part) => part !== null).join(' · ')}
                </p>
              </li>
            ))}
          </ul>
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

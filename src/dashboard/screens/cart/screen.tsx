// The page of shoppers: what to buy and where, then what it costs near them. For everyone: without navigation, and with words of a shop.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../../address/router.ts';
import type { ScreenProps } from '../../address/screens.ts';
import { call, type Reply } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useAnswer } from '../../live/answers.ts';
import { Bar } from '../../parts/chart/bar.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/text/time.tsx';
import { duration, plural } from '../../parts/text/words.ts';
import { Baskets } from './baskets.tsx';
import { Item } from './item.tsx';
import './cart.css';

export type Cart = Reply<'GET /results/{job_id}'>;

const REMEMBERED = 'windrow-cart';
interface Typed {
  items: string;
  zipcode: string;
}

/** What was asked last, in this browser. */
function remembered(): Typed {
  try {
    const { items, zipcode } = JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}') as Partial<Typed>;
    return { items: String(items ?? ''), zipcode: String(zipcode ?? '') };
  } catch {
    // Somebody else wrote there, or storage is closed: nothing is remembered then.
    return { items: '', zipcode: '' };
  }
}

export function Screen({ params }: ScreenProps) {
  return (
    <div class="cart-page">
      <h1>Compare local prices</h1>
      <Ask />
      {params.id && <CartResults key={params.id} id={params.id} />}
    </div>
  );
}

function Ask() {
  const typed = useSignal<Typed>(remembered());
  const problem = useSignal<Problem | null>(null);
  const isBusy = useSignal(false);
  const set = (change: Partial<Typed>) => {
    typed.value = { ...typed.value, ...change };
  };
  const problemOf = (field: string) =>
    problem.value?.fields.find(({ pointer }) => pointer.startsWith(`/${field}`))?.detail;
  async function send(): Promise<void> {
    isBusy.value = true;
    problem.value = null;
    const items = typed.value.items.split('\n').flatMap((line) => line.trim() || []);
    try {
      const { job_id } = await call('POST /cart', {
        body: { items, zipcode: typed.value.zipcode.trim() },
        idempotencyKey: crypto.randomUUID(),
      });
      localStorage.setItem(REMEMBERED, JSON.stringify(typed.value));
      go(`/cart/${encodeURIComponent(job_id)}`);
    } catch (error) {
      problem.value = asProblem(error);
    }
    isBusy.value = false;
  }
  return (
    <form
      class="panel cart-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {problem.value && <ProblemNote problem={problem.value} />}
      <Field label="Items, one per line" id="cart-items" problem={problemOf('items')}>
        <textarea
          id="cart-items"
          rows={4}
          required
          placeholder={'milk\neggs\nbread'}
          value={typed.value.items}
          onInput={(event) => set({ items: event.currentTarget.value })}
        />
      </Field>
      <div class="cart-where">
        <Field label="ZIP code" id="cart-zip" problem={problemOf('zipcode')}>
          <input
            id="cart-zip"
            type="text"
            required
            inputMode="numeric"
            autocomplete="postal-code"
            placeholder="10001"
            value={typed.value.zipcode}
            onInput={(event) => set({ zipcode: event.currentTarget.value })}
          />
        </Field>
        <button type="submit" class="button primary" disabled={isBusy.value}>
          <Icon name="search" /> Compare
        </button>
      </div>
    </form>
  );
}

const WORKING_SECONDS = 2;

function CartResults({ id }: { id: string }) {
  const isOver = useRef(false);
  const answer = useAnswer(
    'GET /results/{job_id}',
    { path: { job_id: id }, query: {} },
    { every: isOver.current ? 0 : WORKING_SECONDS },
  );
  const cart = answer.data;
  if (cart) isOver.current = cart.status !== 'queued' && cart.status !== 'processing';
  useEffect(() => {
    document.title = 'Your cart · Windrow';
  }, []);
  if (answer.problem?.status === 404)
    return (
      <Empty icon="clock" title="This cart has expired">
        Prices change, so they are kept for an hour. Compare again above.
      </Empty>
    );
  if (!cart) return answer.problem ? <ProblemNote problem={answer.problem} onRetry={answer.reload} /> : <Skeleton />;
  const found = cart.results ?? {};
  const errors = Object.entries(cart.errors ?? {});
  return (
    <>
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      <State cart={cart} />
      <Baskets found={found} />
      {Object.entries(found).map(([item, products]) => (
        <Item key={item} item={item} products={products} />
      ))}
      {errors.map(([item, error]) => (
        <section key={item} class="panel">
          <h2>{item}</h2>
          <p class="text-bad">
            <Icon name="warning" /> {error}
          </p>
        </section>
      ))}
    </>
  );
}

const WORDS: Record<Cart['status'], [status: string, label: string]> = {
  queued: ['queued', 'in line'],
  processing: ['running', 'comparing'],
  complete: ['completed', 'complete'],
  failed: ['failed', 'failed'],
  cancelled: ['cancelled', 'cancelled'],
  not_found: ['unknown', 'not found'],
};

function State({ cart }: { cart: Cart }) {
  const [, done, total] = /^(\d+)\/(\d+)/.exec(cart.progress ?? '') ?? [];
  const isPartial = cart.status === 'complete' && Object.keys(cart.errors ?? {}).length > 0;
  const [status, label] = isPartial ? ['partial', 'some items failed'] : WORDS[cart.status];
  return (
    <section class="panel cart-state" role="status">
      <p class="line">
        <Status status={status!} label={label!} />
        {cart.status === 'queued' && <Place cart={cart} />}
        {cart.status === 'processing' && <span>{cart.progress}</span>}
        {cart.error && <span class="text-bad">{cart.error}</span>}
        {cart.expires_at && (
          <span class="quiet">
            These prices expire <Time at={cart.expires_at} />.
          </span>
        )}
      </p>
      {total !== undefined && (
        <Bar
          label={`${done} of ${total} items`}
          total={Number(total)}
          parts={[{ value: Number(done), tone: 'good' }]}
        />
      )}
      {cart.waiting && <p class="quiet">It waits: {cart.waiting.message}</p>}
    </section>
  );
}

function Place({ cart: { queue_position: ahead, estimated_time: seconds, waiting } }: { cart: Cart }) {
  if (seconds === null || seconds === undefined) return waiting ? null : <span>waiting</span>;
  return (
    <span>
      {ahead ? `${plural(ahead, 'cart')} ahead of yours, ` : 'Yours is next, '}
      about {duration(seconds)}
    </span>
  );
}

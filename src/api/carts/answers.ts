// What a poll of a cart is answered with: the state it is in, as the contract shows it, with a tag that says how much was done.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { isStandstill, type Waiting } from '../../model/run/why-waits.ts';
import type { Cart } from '../../store/products/carts.ts';
import { failureText } from '../articles/views.ts';
import { WaitingView, waitingField } from '../runs/waiting.ts';
import { nameItem } from '../validation/named.ts';
import { ProductShown } from './product-example.ts';
import { type CartState, markOf, type QueuePlace } from './running-carts.ts';
import type { SearchResults } from './search-results.ts';

const Product = z.looseObject({ title: z.string(), price: z.number().nullable() });
nameItem('Product', Product, ProductShown);
export const EstimatedTime = z
  .number()
  .int()
  .nullable()
  .meta({ description: 'Seconds; null while nothing moves: `waiting` says why.' });
export const CartAnswer = z.object({
  status: z.enum(['queued', 'processing', 'complete', 'failed', 'cancelled', 'not_found']),
  queue_position: z.number().int().optional(),
  estimated_time: EstimatedTime.optional(),
  estimated_time_p90: EstimatedTime.optional(),
  waiting: WaitingView.optional(),
  progress: z.string().optional(),
  results: z.record(z.string(), z.array(Product)).optional(),
  errors: z.record(z.string(), z.string()).optional(),
  error: z.string().optional(),
  expires_at: z.string().optional(),
  message: z.string().optional(),
});
export type CartAnswer = z.infer<typeof CartAnswer>;

export interface Answer {
  isThere: boolean;
  body: string;
  etag: string;
  retryAfter: number;
}

/** What a tag begins with, so that a waiter with an old one is answered at once, and one whose place in line moved is not. */
export function markOfState(state: CartState): string {
  if (state.at === 'queued') return '0.0';
  if (state.at === 'processing') return markOf(state.cart);
  return state.at;
}

/** How much was done when one of these tags was given, of a cart that was under way. */
export const markOfTags = (tags: string[]): string | undefined =>
  tags.flatMap((tag) => /^"(\d+\.\d+)-/.exec(tag)?.[1] ?? [])[0];

const NOT_FOUND = JSON.stringify({ status: 'not_found', message: 'Job ID not found or expired' });

export interface AnswerDeps {
  resultsOf(cart: Cart): Promise<SearchResults>;
  ttlSeconds: number;
}

export async function answerTo(state: CartState, { resultsOf, ttlSeconds }: AnswerDeps): Promise<Answer> {
  const answer = (body: string, retryAfter: number): Answer => ({
    isThere: state.at !== 'nowhere',
    body,
    etag: `"${markOfState(state)}-${hash('sha1', body, 'hex').slice(0, 16)}"`,
    retryAfter,
  });
  switch (state.at) {
    case 'nowhere':
      return answer(NOT_FOUND, 0);
    case 'queued':
      return answer(JSON.stringify(queuedView(state)), retryAfterOf(state.place));
    case 'processing':
      return answer(
        cartText(state.cart, processingView(state), await resultsOf(state.cart)),
        retryAfterOf(state.place),
      );
    case 'ended':
      return answer(cartText(state.cart, endedView(state.cart, ttlSeconds), await resultsOf(state.cart)), 0);
  }
}

const retryAfterOf = ({ estimate }: QueuePlace): number => Math.min(10, Math.max(1, Math.ceil(estimate.seconds / 4)));

/** While nothing moves a time would be made up. */
export const estimateView = ({ estimate }: QueuePlace, waiting: Waiting | null) =>
  isStandstill(waiting)
    ? { estimated_time: null, estimated_time_p90: null }
    : { estimated_time: estimate.seconds, estimated_time_p90: estimate.p90Seconds };

const queuedView = ({ place, waiting }: Extract<CartState, { at: 'queued' }>): CartAnswer => ({
  status: 'queued',
  queue_position: place.ahead.carts,
  ...estimateView(place, waiting),
  ...(waiting && isStandstill(waiting) ? { message: `${waiting.message}, so the cart waits` } : {}),
  ...waitingField(waiting),
});

const processingView = ({ waiting, cart }: Extract<CartState, { at: 'processing' }>): CartAnswer => ({
  status: 'processing',
  progress: `${cart.completed + cart.failed}/${cart.total} items completed`,
  ...waitingField(waiting),
});

function endedView(cart: Cart, ttlSeconds: number): CartAnswer {
  if (cart.status === 'cancelled') return { status: 'cancelled' };
  // Without a prototype: an item may be called __proto__.
  const errors: Record<string, string> = Object.create(null);
  for (const { item, state, error } of cart.entries) if (state === 'failed') errors[item] = failureText(error);
  const expires_at = new Date(cart.finishedAt!.getTime() + ttlSeconds * 1_000).toISOString();
  if (cart.status === 'failed') {
    const error = Object.entries(errors)
      .map(([item, text]) => `${item}: ${text}`)
      .join('; ');
    return { status: 'failed', error, expires_at };
  }
  return { status: 'complete', ...(Object.keys(errors).length > 0 ? { errors } : {}), expires_at };
}

/** The view, with what was found put in as text. */
function cartText(cart: Cart, view: CartAnswer, found: SearchResults): string {
  if (view.status === 'failed') return JSON.stringify(view);
  const done = new Map(cart.entries.filter(({ state }) => state === 'done').map((entry) => [entry.item, entry]));
  const results = [...done].map(([item, { key, version }]) => {
    const products = version === null ? [] : (found.get(key) ?? []);
    return `${JSON.stringify(item)}:[${products.slice(0, cart.maxProducts).join(',')}]`;
  });
  return `${JSON.stringify(view).slice(0, -1)},"results":{${results.join(',')}}}`;
}

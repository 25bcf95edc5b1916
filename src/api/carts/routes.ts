// Carts: what some items cost near a ZIP code. Answered at once; polled, or waited for with `?wait=`.
import { hash } from 'node:crypto';
import { z } from 'zod';
import { limitOf, within } from '../../observe/cached.ts';
import type { Cart } from '../../store/products/carts.ts';
import type { Accepted } from '../../store/submissions/submit.ts';
import { failureText } from '../articles/views.ts';
import type { ApiDeps } from '../deps.ts';
import { idempotencyClaim } from '../http/idempotency.ts';
import { type Route, route } from '../http/route.ts';
import { tagsOf } from '../lists/etags.ts';
import { checkReceiver } from '../webhooks/receiver-check.ts';
import { RunWebhookUrl } from '../webhooks/schemas.ts';
import { PRODUCT_EXAMPLE } from './product-example.ts';
import { type CartBoard, type CartBoardDeps, createCartBoard, markOf, type Place } from './running-carts.ts';
import { createSearchResults, type SearchResults } from './search-results.ts';

const LIMIT_MS = 10_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const Product = z.looseObject({ title: z.string(), price: z.number().nullable() });
const CartAnswer = z.object({
  status: z.enum(['queued', 'processing', 'complete', 'failed', 'cancelled', 'not_found']),
  queue_position: z.number().int().optional(),
  estimated_time: z.number().int().optional(),
  estimated_time_p90: z.number().int().optional(),
  progress: z.string().optional(),
  results: z.record(z.string(), z.array(Product)).optional(),
  errors: z.record(z.string(), z.string()).optional(),
  error: z.string().optional(),
  expires_at: z.string().optional(),
  message: z.string().optional(),
});
type CartAnswer = z.infer<typeof CartAnswer>;

type CartDeps = CartBoardDeps & Pick<ApiDeps, 'intake' | 'receivers'>;

export const carts = (deps: CartDeps): Route[] => {
  const board = createCartBoard(deps);
  const resultsOf = createSearchResults(deps.store);
  return [submit(deps, board), results(deps, board, resultsOf)];
};

function submit(deps: CartDeps, board: CartBoard): Route {
  const limited = limitOf(LIMIT_MS, 'The store');
  return route({
    method: 'POST',
    path: '/cart',
    operationId: 'submitCart',
    tag: 'Carts',
    summary: 'Search products for a cart near a ZIP code',
    description: 'Items that another cart searched recently, or is searching now, are shared and not searched again.',
    body: z.object({
      items: z
        .array(z.string().min(1).max(200).regex(/\S/).meta({ description: 'Not empty.' }))
        .min(1)
        .max(100),
      zipcode: z
        .string()
        .regex(/^\d{5}(-\d{4})?$/)
        .meta({ description: 'A US ZIP code, 10001 or 10001-1234.' }),
      max_products_per_item: z.number().int().min(1).max(50).default(20),
      webhook_url: RunWebhookUrl,
    }),
    bodyExample: { items: ['milk', 'eggs', 'bread'], zipcode: '10001', max_products_per_item: 20 },
    replies: {
      202: {
        description: 'Accepted: the cart is stored.',
        schema: z.object({
          job_id: z.string(),
          status: z.enum(['queued', 'complete']),
          estimated_time: z.number().int(),
          estimated_time_p90: z.number().int(),
          queue_position: z.number().int(),
          reused: z.array(z.object({ item: z.string(), age_seconds: z.number().int() })),
        }),
        examples: {
          'application/json': {
            job_id: '7b0c8f0e-6a55-4f7e-9b0f-0d3c8f6f2b1a',
            status: 'queued',
            estimated_time: 37,
            estimated_time_p90: 52,
            queue_position: 1204,
            reused: [{ item: 'milk', age_seconds: 40 }],
          },
        },
      },
    },
    problems: ['idempotency_key_reused'],
    isIdempotent: true,
    async handle(request, reply) {
      const { zipcode, max_products_per_item: maxProducts, webhook_url: webhookUrl } = request.body;
      const items = request.body.items.map((item) => item.trim());
      if (webhookUrl !== undefined) await checkReceiver(deps, webhookUrl, '/webhook_url');
      const accepted = await limited(
        deps.intake.submitCart(
          { items, zipcode, maxProducts, webhookUrl: webhookUrl ?? null },
          { requestId: request.id, idempotency: idempotencyClaim(request, 'POST /cart') },
        ),
      );
      if (accepted.replayed) reply.header('idempotent-replay', 'true');
      else deps.metrics.accepted('cart', { made: accepted.total - accepted.cached, reused: accepted.cached });
      // Answered again, the cart may have ended since, or even be gone.
      const status = accepted.replayed ? ((await board.read(accepted.runId))?.status ?? 'completed') : accepted.status;
      const isDone = status !== 'running';
      const place = isDone ? null : await placeOf(board, accepted);
      reply
        .code(202)
        .header('location', `/results/${accepted.runId}`)
        .header('retry-after', isDone ? '0' : '1');
      return {
        job_id: accepted.runId,
        status: isDone ? 'complete' : 'queued',
        estimated_time: place?.estimate.seconds ?? 0,
        estimated_time_p90: place?.estimate.p90Seconds ?? 0,
        queue_position: place?.ahead.carts ?? 0,
        reused: Object.entries(accepted.ages ?? {}).map(([pos, age]) => ({
          item: items[Number(pos)]!,
          age_seconds: Math.round(age),
        })),
      };
    },
  });
}

function placeOf(board: CartBoard, { runId, total, cached, made, replayed }: Accepted): Place | Promise<Place> {
  if (!replayed) return board.join(runId, made);
  return board.standing(runId).then((standing) => standing ?? board.behindAll(total - cached));
}

type ResultsOf = ReturnType<typeof createSearchResults>;

function results(deps: CartDeps, board: CartBoard, resultsOf: ResultsOf): Route {
  return route({
    method: 'GET',
    path: '/results/:job_id',
    operationId: 'getCartResults',
    tag: 'Carts',
    summary: 'Get the status and results of a cart',
    description:
      '`ETag` and `If-None-Match` make polling cheap; `wait` holds the answer back until another item is done, for at most 30 seconds.',
    params: z.object({ job_id: z.string() }),
    query: z.strictObject({ wait: z.int().min(0).max(30).default(0) }),
    replies: {
      200: {
        description: 'The cart.',
        schema: CartAnswer,
        examples: {
          'application/json': {
            status: 'complete',
            results: { milk: [PRODUCT_EXAMPLE] },
            expires_at: '2024-01-01T01:00:00.000Z',
          },
        },
      },
      304: { description: 'Nothing has changed since the answer with this ETag.', examples: {} },
      404: {
        description: 'Unknown cart, or older than the retention time.',
        schema: CartAnswer,
        examples: { 'application/json': { status: 'not_found', message: 'Job ID not found or expired' } },
      },
    },
    problems: ['invalid_params'],
    async handle(request, reply) {
      const id = request.params.job_id.toLowerCase();
      const seen = tagsOf(request.headers['if-none-match']);
      const answer = await answerOrWait(() => answerOf(deps, board, resultsOf, id), board, {
        id,
        untilMs: performance.now() + request.query.wait * 1_000,
        seen,
        isGone: () => request.raw.socket.destroyed,
      });
      reply
        .header('etag', answer.etag)
        .header('cache-control', 'no-cache')
        .header('retry-after', String(answer.retryAfter));
      // Only what is there can be unchanged.
      const isThere = answer.status !== 'not_found';
      if (isThere && seen.includes(answer.etag)) return reply.code(304).send();
      return reply
        .code(isThere ? 200 : 404)
        .type('application/json; charset=utf-8')
        .send(answer.body);
    },
  });
}

interface Answer {
  status: CartAnswer['status'];
  body: string;
  etag: string;
  /** How much is done; the ETag begins with it. */
  mark: string;
  retryAfter: number;
}

/** A tag says how much was done when it was given, so that a waiter with an old one is answered at once, and one whose place in line moved is not. */
function answerWith(status: CartAnswer['status'], body: string, mark: string, retryAfter: number): Answer {
  return { status, body, etag: `"${mark}-${hash('sha1', body, 'hex').slice(0, 16)}"`, mark, retryAfter };
}

interface Wait {
  id: string;
  untilMs: number;
  seen: string[];
  isGone(): boolean;
}

async function answerOrWait(answerNow: () => Promise<Answer>, board: CartBoard, wait: Wait): Promise<Answer> {
  let known = wait.seen.flatMap((tag) => /^"(\d+\.\d+)-/.exec(tag)?.[1] ?? [])[0];
  for (;;) {
    const isLast = performance.now() >= wait.untilMs || wait.isGone();
    const mark = isLast || !UUID.test(wait.id) ? null : await board.mark(wait.id);
    // While nothing has moved there is nothing to write.
    if (mark === null || mark !== known) {
      const answer = await within(answerNow(), LIMIT_MS, 'The store');
      known ??= answer.mark;
      const isFinal = answer.status !== 'queued' && answer.status !== 'processing';
      if (isLast || isFinal || answer.mark !== known) return answer;
    }
    await board.nextLook();
  }
}

const NOT_FOUND = answerWith(
  'not_found',
  JSON.stringify({ status: 'not_found', message: 'Job ID not found or expired' }),
  'none',
  0,
);

async function answerOf(deps: CartDeps, board: CartBoard, resultsOf: ResultsOf, id: string): Promise<Answer> {
  if (!UUID.test(id)) return NOT_FOUND;
  const standing = await board.standing(id);
  if (standing && standing.cart.completed + standing.cart.failed === 0) return queued(standing);
  const arriving = standing ? null : await board.arriving(id);
  if (arriving) return queued(arriving);
  const cart = await board.read(id);
  if (!cart) return NOT_FOUND;
  const isRunning = cart.status === 'running';
  // Accepted after the board was last read.
  if (isRunning && cart.completed + cart.failed === 0) return queued(board.told(id) ?? (await board.behindAll(0)));
  const view = cartView(cart, deps.resultTtlSeconds);
  const body = cartText(cart, view, await resultsOf(cart));
  return answerWith(
    view.status,
    body,
    isRunning ? markOf(cart) : 'end',
    isRunning ? retryAfterOf(standing?.estimate.seconds ?? 1) : 0,
  );
}

function queued({ ahead, estimate }: Place): Answer {
  const view: CartAnswer = {
    status: 'queued',
    queue_position: ahead.carts,
    estimated_time: estimate.seconds,
    estimated_time_p90: estimate.p90Seconds,
  };
  return answerWith('queued', JSON.stringify(view), '0.0', retryAfterOf(estimate.seconds));
}

const retryAfterOf = (seconds: number): number => Math.min(10, Math.max(1, Math.ceil(seconds / 4)));

/** The answer without what was found, which is put in as text. */
function cartView(cart: Cart, ttlSeconds: number): CartAnswer {
  // Without a prototype: an item may be called __proto__.
  const errors: Record<string, string> = Object.create(null);
  for (const { item, state, error } of cart.entries) if (state === 'failed') errors[item] = failureText(error);
  if (cart.status === 'cancelled') return { status: 'cancelled' };
  if (cart.status === 'running')
    return { status: 'processing', progress: `${cart.completed + cart.failed}/${cart.total} items completed` };
  const expires_at = new Date(cart.finishedAt!.getTime() + ttlSeconds * 1_000).toISOString();
  if (cart.status === 'failed') {
    const error = Object.entries(errors)
      .map(([item, text]) => `${item}: ${text}`)
      .join('; ');
    return { status: 'failed', error, expires_at };
  }
  return { status: 'complete', ...(Object.keys(errors).length > 0 ? { errors } : {}), expires_at };
}

function cartText(cart: Cart, view: CartAnswer, found: SearchResults): string {
  if (view.status === 'failed') return JSON.stringify(view);
  const done = new Map(cart.entries.filter(({ state }) => state === 'done').map((entry) => [entry.item, entry]));
  const results = [...done].map(([item, { key, version }]) => {
    const products = version === null ? [] : (found.get(key) ?? []);
    return `${JSON.stringify(item)}:[${products.slice(0, cart.maxProducts).join(',')}]`;
  });
  return `${JSON.stringify(view).slice(0, -1)},"results":{${results.join(',')}}}`;
}

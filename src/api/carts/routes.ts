// Carts: what some items cost near a ZIP code. Answered at once; polled, or waited for with `?wait=`.
import { z } from 'zod';
import { limitOf } from '../../observe/cached.ts';
import type { Accepted } from '../../store/submissions/submit.ts';
import type { ApiDeps } from '../deps.ts';
import { contextOf } from '../http/intake-context.ts';
import { json, type Route, route } from '../http/route.ts';
import { tagsOf } from '../lists/etags.ts';
import { WaitingView, waitingField } from '../runs/waiting.ts';
import { checkReceiver } from '../webhooks/receiver-check.ts';
import { RunWebhookUrl } from '../webhooks/schemas.ts';
import { answerTo, CartAnswer, EstimatedTime, estimateView, markOfState, markOfTags } from './answers.ts';
import { PRODUCT_EXAMPLE } from './product-example.ts';
import {
  type CartState,
  createRunningCarts,
  type QueuePlace,
  type RunningCarts,
  type RunningCartsDeps,
} from './running-carts.ts';
import { createSearchResults } from './search-results.ts';

const LIMIT_MS = 10_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type CartDeps = RunningCartsDeps & Pick<ApiDeps, 'intake' | 'receivers' | 'health' | 'log'>;

export const carts = (deps: CartDeps): Route[] => {
  const board = createRunningCarts(deps);
  return [submit(deps, board), results(deps, board)];
};

function submit(deps: CartDeps, board: RunningCarts): Route {
  const limited = limitOf(LIMIT_MS, 'The store');
  return route({
    method: 'POST',
    path: '/cart',
    operationId: 'submitCart',
    scope: 'submit',
    tag: 'Carts',
    summary: 'Search products for a cart near a ZIP code',
    description: 'Items that another cart searched recently, or is searching now, are shared and not searched again.',
    body: z.strictObject({
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
      202: json(
        'Accepted: the cart is stored.',
        z.object({
          job_id: z.string(),
          status: z.enum(['queued', 'complete']),
          estimated_time: EstimatedTime,
          estimated_time_p90: EstimatedTime,
          queue_position: z.number().int(),
          waiting: WaitingView.optional(),
          reused: z.array(z.object({ item: z.string(), age_seconds: z.number().int() })),
        }),
        {
          job_id: '7b0c8f0e-6a55-4f7e-9b0f-0d3c8f6f2b1a',
          status: 'queued',
          estimated_time: 37,
          estimated_time_p90: 52,
          queue_position: 1204,
          reused: [{ item: 'milk', age_seconds: 40 }],
        },
      ),
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
          contextOf(request, 'POST /cart'),
        ),
      );
      if (accepted.replayed) reply.header('idempotent-replay', 'true');
      else deps.log.info('run.accepted', { run_id: accepted.runId, request_id: request.id, items: items.length });
      const place = accepted.status === 'running' ? await placeOf(board, accepted, request.owner) : null;
      const waiting = place && board.waitingAt(place);
      reply
        .code(202)
        .header('location', `/results/${accepted.runId}`)
        .header('retry-after', place ? '1' : '0');
      return {
        job_id: accepted.runId,
        status: place ? 'queued' : 'complete',
        ...(place ? estimateView(place, waiting) : { estimated_time: 0, estimated_time_p90: 0 }),
        queue_position: place?.ahead.carts ?? 0,
        ...waitingField(waiting),
        reused: Object.entries(accepted.ages ?? {}).map(([pos, age]) => ({
          item: items[Number(pos)]!,
          age_seconds: Math.round(age),
        })),
      };
    },
  });
}

/** Null: answered again, it has ended since, or is even gone. */
function placeOf(
  board: RunningCarts,
  { runId, made, replayed }: Accepted,
  owner: string | null,
): QueuePlace | null | Promise<QueuePlace | null> {
  if (!replayed) return board.join({ id: runId, owner }, made);
  return board.stateOf(runId).then((state) => ('place' in state ? state.place : null));
}

function results(deps: CartDeps, board: RunningCarts): Route {
  const answers = { resultsOf: createSearchResults(deps.store), ttlSeconds: deps.resultTtlSeconds };
  return route({
    method: 'GET',
    path: '/results/:job_id',
    operationId: 'getCartResults',
    scope: 'read',
    tag: 'Carts',
    summary: 'Get the status and results of a cart',
    description:
      '`ETag` and `If-None-Match` make polling cheap; `wait` holds the answer back until another item is done, for at most 30 seconds.',
    params: z.object({ job_id: z.string() }),
    query: z.strictObject({ wait: z.int().min(0).max(30).default(0) }),
    replies: {
      200: json('The cart.', CartAnswer, {
        status: 'complete',
        results: { milk: [PRODUCT_EXAMPLE] },
        expires_at: '2024-01-01T01:00:00.000Z',
      }),
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
      const untilMs = performance.now() + request.query.wait * 1_000;
      const isGone = () => request.raw.socket.destroyed || deps.health.isDraining;
      const state: CartState = UUID.test(id)
        ? await stateOrWait(board, { id, sees: request.sees, untilMs, seen, isGone })
        : { at: 'nowhere' };
      const answer = await answerTo(state, answers);
      reply
        .header('etag', answer.etag)
        .header('cache-control', 'no-cache')
        .header('retry-after', String(answer.retryAfter));
      // Only what is there can be unchanged.
      if (answer.isThere && seen.includes(answer.etag)) return reply.code(304).send();
      return reply
        .code(answer.isThere ? 200 : 404)
        .type('application/json; charset=utf-8')
        .send(answer.body);
    },
  });
}

interface Wait {
  id: string;
  sees: string | null;
  untilMs: number;
  seen: string[];
  isGone(): boolean;
}

/** Until the cart is further than its asker knows, or has ended; while nothing has moved there is nothing to write. */
async function stateOrWait(board: RunningCarts, { id, sees, untilMs, seen, isGone }: Wait): Promise<CartState> {
  let known = markOfTags(seen);
  for (;;) {
    const isLast = performance.now() >= untilMs || isGone();
    const state = await board.stateOf(id, sees);
    const mark = markOfState(state);
    known ??= mark;
    if (isLast || mark !== known || state.at === 'ended' || state.at === 'nowhere') return state;
    await board.nextLook();
  }
}

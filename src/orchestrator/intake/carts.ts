// Accepts carts: one task per item, shared by all carts with the same item and ZIP code. Differences that do not change the search (case, spaces, number
// of products) are not part of the key.
import { randomUUID } from 'node:crypto';
import { keyOf } from '../../model/ids.ts';
import { zipOf } from '../../model/product/zip.ts';
import { urlOption } from '../../store/runs/run-events.ts';
import type { Accepted } from '../../store/submissions/submit.ts';
import { askedBy, type IntakeContext, type IntakeOptions } from './intake.ts';

export interface CartRequest {
  items: string[];
  /** Checked. */
  zipcode: string;
  maxProducts: number;
  /** Receives an event when the run has ended; already checked. */
  webhookUrl?: string | null;
}

export interface CartOptions {
  /** The source that carts are searched with. */
  source: string;
  /** Results up to this age are reused. */
  freshSeconds: number;
  /** How long a cart can be read after it ended; part of the event. */
  keepSeconds?: number;
}

export type SubmitCart = (request: CartRequest, context: IntakeContext) => Promise<Accepted>;

/** Searches have one of two sizes, so that carts for 5 and for 20 products share one. */
const SIZES = [20, 50];
const PRIORITY = 5;

const DEFAULTS: CartOptions = { source: 'google-shopping', freshSeconds: 900 };

export function createCartIntake({ store, wire, laneOf, cart = DEFAULTS, ...limits }: IntakeOptions): SubmitCart {
  return async (request, context) => {
    const zip = zipOf(request.zipcode);
    const size = SIZES.find((one) => request.maxProducts <= one)!;
    const accepted = await store.submit({
      runId: randomUUID(),
      kind: 'cart',
      itemKind: 'product',
      trigger: 'manual',
      ...askedBy(context),
      options: {
        zipcode: request.zipcode,
        max_products: request.maxProducts,
        keep_seconds: cart.keepSeconds,
        ...urlOption(request.webhookUrl),
      },
      tasks: request.items.map((item) => {
        const wanted = normaliseItem(item);
        return {
          key: cartKey(cart.source, { item: wanted, zipcode: zip, max_products: size }),
          source: cart.source,
          lane: laneOf(cart.source),
          params: { item: wanted, zipcode: zip, max_products: size },
          priority: PRIORITY,
          maxRetries: limits.maxRetries,
          timeoutSeconds: limits.taskTimeoutSeconds,
          ref: { item },
        };
      }),
      maxAgeSeconds: cart.freshSeconds,
      reportsAges: true,
      turns: 'widening',
    });
    wire.wake();
    return accepted;
  };
}

export const cartKey = (source: string, params: Record<string, unknown>): string =>
  keyOf(`${source}:${params.zipcode}:${params.max_products}:${params.item}`);

/** Words of plain letters, one space between two: nothing to normalise but the case. */
const IS_PLAIN = /^[!-~]+(?: [!-~]+)*$/;

export function normaliseItem(item: string): string {
  if (IS_PLAIN.test(item)) return item.toLowerCase();
  return item.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

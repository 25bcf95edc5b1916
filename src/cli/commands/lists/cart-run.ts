// A cart in `windrow run`: products of each item, failed items, and the estimated time.
import { csvLine } from '../../../model/csv.ts';
import type { ProductView } from '../../../model/product/product-view.ts';
import type { Client } from '../../client/client.ts';
import { runWord } from '../../client/run-word.ts';
import { watching } from '../../client/watching.ts';
import type { Format } from '../../terminal/formats.ts';
import type { Terminal } from '../../terminal/terminal.ts';

interface CartView {
  status: string;
  queue_position?: number;
  estimated_time?: number | null;
  waiting?: { message: string };
  progress?: string;
  results?: Record<string, ProductView[]>;
  errors?: Record<string, string>;
  error?: string;
  expires_at?: string;
}

const COLUMNS = ['title', 'price', 'currency', 'unit_price', 'unit', 'seller', 'rating', 'reviews', 'link'] as const;
/** The server holds the response back until something changes: shorter than the timeout of the client. */
const WAIT_SECONDS = 15;

/** Carts have ids of their own form. */
export const isCartRun = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

const ask = (client: Client, id: string, wait = 0): Promise<CartView> =>
  client.get<CartView>(`/results/${encodeURIComponent(id)}?wait=${wait}`);

const isFinal = ({ status }: CartView): boolean => status !== 'queued' && status !== 'processing';

/** Waits for its end. */
export const followCart = (client: Client, id: string, terminal: Terminal): Promise<void> =>
  watching(id, terminal, async (signal) => {
    const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
    for (let wait = 0; ; wait = WAIT_SECONDS) {
      const cart = await Promise.race([ask(client, id, wait), stopped]);
      if (cart === null) return false;
      terminal.progress(headline(id, cart));
      if (!isFinal(cart)) continue;
      if (cart.status !== 'complete') process.exitCode = 1;
      return true;
    }
  });

export async function showCart(
  client: Client,
  id: string,
  terminal: Terminal,
  { format, limit }: { format: Format; limit: number },
): Promise<void> {
  const cart = await ask(client, id);
  if (format === 'json') return terminal.document({ job_id: id, ...cart });
  const found = Object.entries(cart.results ?? {});
  const products = found.flatMap(([item, all]) => all.map((product) => ({ item, ...product })));
  if (format === 'ndjson') {
    for (const product of products) terminal.out(JSON.stringify(product));
    return;
  }
  if (format === 'csv') {
    process.stdout.write(csvLine(['item', ...COLUMNS]));
    for (const product of products)
      process.stdout.write(csvLine([product.item, ...COLUMNS.map((column) => product[column])]));
    return;
  }
  terminal.out(headline(id, cart));
  for (const [item, all] of found) terminal.out(`  ${item}: ${all.length} found`);
  for (const [item, error] of Object.entries(cart.errors ?? {})) terminal.out(`  failed: ${item}: ${error}`);
  if (cart.error !== undefined) terminal.out(`  ${cart.error}`);
  const rows = products
    .slice(0, limit)
    .map(({ item, title, price_text, seller }) => [item, price_text ?? '', seller ?? '', title]);
  if (rows.length > 0) terminal.table([['ITEM', 'PRICE', 'SELLER', 'TITLE'], ...rows]);
  if (products.length > limit) terminal.say('Show more with --limit, or all with --ndjson or --csv');
}

function headline(id: string, cart: CartView): string {
  const { progress, queue_position: ahead, estimated_time: seconds, waiting } = cart;
  const status = runWord(cart.status, Object.keys(cart.errors ?? {}).length);
  const why = waiting?.message;
  if (progress !== undefined) return `${id}  ${status}  ${progress}${why === undefined ? '' : `: ${why}`}`;
  if (ahead === undefined) return `${id}  ${status}`;
  if (typeof seconds !== 'number') return `${id}  ${status}  ${why}`;
  return `${id}  ${status}  ${ahead} ${ahead === 1 ? 'cart' : 'carts'} ahead, about ${seconds} s`;
}

// `windrow cart …`: prices of items near a ZIP code, by a running server.
import { clientCommand } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { type ClientOptions, openClient } from '../lists/about-one.ts';
import { followCart, showCart } from '../lists/cart-run.ts';

interface Options extends ClientOptions {
  zipcode: string;
  results?: number;
  webhook?: string;
  idempotencyKey?: string;
  watch?: boolean;
}

interface Accepted {
  job_id: string;
  queue_position: number;
  estimated_time: number | null;
}

const SHOWN = 50;

export const make = () =>
  noun({ name: 'cart', about: 'Prices of items near a ZIP code.', verbs: [submit(), show()], usual: 'submit' });

const submit = () =>
  clientCommand({
    name: 'submit',
    about: 'Starts the search of a cart.',
    examples: [
      ['windrow cart milk eggs --zipcode 10001 --watch', 'with progress, then a table'],
      ['windrow cart submit "oat milk" --zipcode 94110 --results 5 --json', 'prints the id as JSON and does not wait'],
    ],
  })
    .argument('<items...>', 'what to look for')
    .requiredOption('--zipcode <zipcode>', 'ZIP code of the US, five digits')
    .option('--results <number>', 'maximum number of products for each item', wholeNumber(1, 50))
    .option('--webhook <url>', 'URL that receives a signed event when it has ended')
    .option('--idempotency-key <key>', 'requests with the same key create only one cart')
    .option('-w, --watch', 'wait until it has ended, then show the products')
    .action(async (items: string[], options: Options) => {
      const { client, terminal } = await openClient(options);
      const accepted = await client.submit<Accepted>(
        '/cart',
        {
          items,
          zipcode: options.zipcode,
          ...(options.results === undefined ? {} : { max_products_per_item: options.results }),
          ...(options.webhook === undefined ? {} : { webhook_url: options.webhook }),
        },
        options.idempotencyKey,
      );
      const { job_id: id, queue_position: ahead, estimated_time: seconds } = accepted;
      if (!options.watch) {
        if (options.json) return terminal.document(accepted);
        terminal.out(id);
        const wait = seconds === null ? '' : `, about ${seconds} s`;
        return terminal.say(`Accepted, ${ahead} ahead${wait}. To see the prices: windrow cart show ${id} --watch`);
      }
      terminal.say(`Started ${id}`);
      await followCart(client, id, terminal);
      if (process.exitCode !== 130)
        await showCart(client, id, terminal, { format: options.json ? 'json' : 'text', limit: SHOWN });
    });

const show = () =>
  clientCommand({
    name: 'show',
    about: 'Shows the products of a cart. `windrow runs show` does the same.',
    examples: [['windrow cart show 7b0c8f0e-6a55-4f7e-9b0f-0d3c8f6f2b1a --watch', 'wait until it has ended first']],
  })
    .argument('<id>', 'cart id')
    .option('-w, --watch', 'wait until it has ended first')
    .option('-n, --limit <number>', 'maximum number of products', wholeNumber(1, 1_000), SHOWN)
    .action(async (id: string, options: ClientOptions & { watch?: boolean; limit: number }) => {
      const { client, terminal } = await openClient(options);
      if (options.watch) await followCart(client, id, terminal);
      if (process.exitCode !== 130)
        await showCart(client, id, terminal, { format: options.json ? 'json' : 'text', limit: options.limit });
    });

// The cheapest offer of each item of a basket, and what changed since the last run. Run it with: node examples/price-watch.ts 10001 milk eggs bread
// (in a clone after npm run build). `sandbox: true` keeps it off the real web; take it out to ask real shops.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { type Product, scrapeProducts } from 'windrow';

interface Price {
  price: number;
  currency: string | null;
  seller: string | null;
  title: string;
}

const FILE = process.env.PRICES ?? 'prices.json';
const [zipcode, ...items] = process.argv.slice(2);
if (!zipcode || items.length === 0) throw new Error('Usage: price-watch.ts <zipcode> <item>…');

const before = await readPrices();
const now: Record<string, Price> = { ...before };
const offers = scrapeProducts({ items, zipcode, results: 20, sandbox: true, signal: AbortSignal.timeout(120_000) });
for (const [item, found] of Object.entries(Object.groupBy(await offers.toArray(), (offer) => offer.item ?? ''))) {
  const best = cheapest(found!);
  if (best) now[item] = best;
}

for (const item of items) {
  const [old, price] = [before[item], now[item]];
  if (!price) console.log(`${item}: not found`);
  else if (!old) console.log(`${item}: ${text(price)}`);
  else if (old.price !== price.price) console.log(`${item}: ${text(price)}, was ${text(old)}`);
}
for (const { target, message } of offers.errors) console.error(`${target}: ${message}`);
// A run that is ended while it writes leaves the old file.
await writeFile(`${FILE}.new`, JSON.stringify(now, null, 2));
await rename(`${FILE}.new`, FILE);

/** Of new things that can be bought; a product that is dearer by the piece may still be cheaper by the pound: `unitPrice` says. */
function cheapest(found: readonly Product[]): Price | undefined {
  const [best] = found
    .filter(
      ({ price, availability, condition }) => price !== null && availability !== 'out_of_stock' && condition !== 'used',
    )
    .sort((a, b) => a.price! - b.price!);
  return best && { price: best.price!, currency: best.currency, seller: best.seller, title: best.title };
}

async function readPrices(): Promise<Record<string, Price>> {
  try {
    return JSON.parse(await readFile(FILE, 'utf8')) as Record<string, Price>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function text({ price, currency, seller }: Price): string {
  return `${price.toFixed(2)} ${currency ?? ''} at ${seller ?? 'an unknown seller'}`;
}

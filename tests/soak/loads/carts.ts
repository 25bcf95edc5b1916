// Carts: items that many ask for near few ZIP codes, so that most searches are shared.
import { type Load, repeat, submitOnce } from './load.ts';

const ITEMS = [
  'milk',
  'eggs',
  'bread',
  'butter',
  'rice',
  'coffee',
  'apples',
  'oats',
  'honey',
  'salt',
  'nothing at all',
];
const ZIPS = ['10001', '60601', '94103'];

export const carts: Load = (context) =>
  repeat(context, 3_000, async (random) => {
    const items = random.some(ITEMS, 1 + random.below(4));
    const zipcode = random.pick(ZIPS);
    const runId = await submitOnce(context, random, {
      path: '/cart',
      body: { items, zipcode },
      idOf: (json) => json.job_id,
    });
    if (runId !== undefined) context.ledger.add(runId, { kind: 'cart', items, zipcode });
  });

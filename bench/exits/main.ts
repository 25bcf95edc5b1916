// Carts through API, queue, workers and the rate limit of the shop, with one exit and with three: do three serve three times the carts, and does
// `windrow plan` know how long it takes? The proxies are names only: the sandbox answers for the shop whatever the exit, and the rate limit is kept
// for each all the same.
import { limitOf } from '../../src/planner/needs.ts';
import { cartsOf, type PlanInput, simulate } from '../../src/planner/simulate.ts';
import { meanGapMs } from '../../src/web/pace/pace.ts';
import { openWorld } from '../fairness/world.ts';
import { found } from '../found.ts';
import { row } from '../peers.ts';

const PACE = { concurrency: 2, delayMs: 250 };
const SLOTS = 20;
const PROMISED_OFF = 0.15;
/** A search of the sandbox's shop takes next to nothing. */
const DEMAND: PlanInput = {
  users: 60,
  itemsPerCart: 3,
  workers: SLOTS,
  secondsPerItem: 0.05,
  pace: { concurrency: PACE.concurrency, gapSeconds: meanGapMs(PACE) / 1_000 },
  names: 150,
  zips: 3,
};

async function realSeconds(exits: number): Promise<number> {
  const world = await openWorld({
    workers: 1,
    slots: SLOTS,
    env: {
      SOURCE_PACE: `google-shopping=${PACE.concurrency}/${PACE.delayMs}`,
      WEB_PROXIES: Array.from({ length: exits }, (_, n) => `exit-${n}.example:8080`).join(' '),
    },
  });
  try {
    const submit = (items: string[], zip: number) => world.submit('/cart', { items, zipcode: String(10_001 + zip) });
    await world.untilDone([await submit(['a first look'], 99)]);
    const began = performance.now();
    const ids = await Promise.all(
      cartsOf(DEMAND).map(({ items, zip }) =>
        submit(
          items.map((item) => `thing ${item}`),
          zip,
        ),
      ),
    );
    await world.untilDone(ids);
    return (performance.now() - began) / 1_000;
  } finally {
    await world.close();
  }
}

row('exits', 'limit', 'searches', 'planned s', 'real s', 'planned / real');
row('---', '---', '---', '---', '---', '---');
const real: number[] = [];
for (const exits of [1, 3]) {
  const planned = simulate({ ...DEMAND, exits }, 'shared');
  const seconds = await realSeconds(exits);
  const ratio = planned.makespanSeconds / seconds;
  const { by } = limitOf({ ...DEMAND, exits }, planned);
  row(String(exits), by, planned.scrapes, planned.makespanSeconds.toFixed(1), seconds.toFixed(1), ratio.toFixed(2));
  found(`planned time of a cart with ${exits} exits, next to a real run`, ratio, 'times', {
    atLeast: 1 - PROMISED_OFF,
    atMost: 1 + PROMISED_OFF,
  });
  real.push(seconds);
}
const times = real[0]! / real[1]!;
found('carts with three exits, next to one', times, 'times', { atLeast: 3 * (1 - PROMISED_OFF) });
process.exit();

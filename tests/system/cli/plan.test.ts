// The simulation behind `windrow plan` against a real run of the same crowd: real source, real web layer, real HTTP, workers that take tasks in turn.
import { expect, test } from 'vitest';
import { cartsOf, type Design, type PlanInput, simulate } from '../../../src/planner/simulate.ts';
import { googleShopping } from '../../../src/sources/shopping/google/google-shopping.ts';
import { createWeb } from '../../../src/web/web.ts';
import { serve } from '../../support/web/servers.ts';

const DEMAND: PlanInput = { users: 90, itemsPerCart: 3, workers: 4, secondsPerItem: 0, names: 40, zips: 3 };
const SERVER_MS = 40;
const MAX_RUNS = 12;
const CARD = (n: number) =>
  `<div data-attrid="apg-product-result" data-oid="${n}"><div jsname="ZvZkAe" aria-label="Thing ${n}.  Current price: $${n}.50. Shop."></div></div>`;
const PAGE = `<title>x - Google Shopping</title>${CARD(1)}${CARD(2)}${CARD(3)}`;

interface Measured {
  scrapes: number;
  makespanSeconds: number;
  p90: number;
  meanSeconds: number;
  spread: number;
}

async function realRun(design: Exclude<Design, 'cart'>): Promise<Measured> {
  await using site = await serve((_, response) =>
    setTimeout(() => response.setHeader('content-type', 'text/html').end(PAGE), SERVER_MS),
  );
  const webs = createWeb({ hostMap: `*=${site.origin}`, robots: 'off' });
  const keys = cartsOf(DEMAND).map(({ zip, items }) =>
    items.map((item) => ({ item: `thing ${item}`, zipcode: `1000${zip}` })),
  );
  const keyOf = (task: { item: string; zipcode: string }) => `${task.zipcode} ${task.item}`;
  const all = keys.flat();
  const queue = design === 'shared' ? [...new Map(all.map((task) => [keyOf(task), task])).values()] : [...all];
  const scrapes = queue.length;
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const took: number[] = [];
  const ends = new Map<string, number[]>();
  const work = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const from = seconds();
      const web = webs.forAttempt({ signal: AbortSignal.timeout(120_000), source: googleShopping.name });
      let found = 0;
      for await (const _ of googleShopping.scrape(googleShopping.params.parse(task), web)) found++;
      expect(found).toBe(3);
      took.push(seconds() - from);
      ends.set(keyOf(task), [...(ends.get(keyOf(task)) ?? []), seconds()]);
    }
  };
  await Promise.all(Array.from({ length: DEMAND.workers }, work));
  const makespanSeconds = seconds();
  await webs.close();
  // A cart that shares is done with the one scrape; one that does not, with its own, and those come in order.
  const dones = keys.map((tasks) =>
    Math.max(
      ...tasks.map((task) => (design === 'shared' ? ends.get(keyOf(task))![0]! : ends.get(keyOf(task))!.shift()!)),
    ),
  );
  const meanSeconds = took.reduce((a, b) => a + b) / took.length;
  const variance = took.reduce((sum, one) => sum + (one - meanSeconds) ** 2, 0) / took.length;
  return {
    scrapes,
    makespanSeconds,
    p90: dones.sort((a, b) => a - b)[Math.ceil(dones.length * 0.9) - 1]!,
    meanSeconds,
    spread: Math.sqrt(variance) / meanSeconds,
  };
}

test.each(['items', 'shared'] as const)(
  'the %s design takes as long as predicted from its measured speed, within 15 %',
  async (design) => {
    await realRun('shared');
    // A machine that stands still holds all workers up at once, which no prediction knows of: the run with the least of that counts.
    let off = Number.POSITIVE_INFINITY;
    for (let run = 0; run < MAX_RUNS && off > 0.15; run++) {
      const real = await realRun(design);
      const predicted = simulate({ ...DEMAND, secondsPerItem: real.meanSeconds, spread: real.spread }, design);
      expect(predicted.scrapes).toBe(real.scrapes);
      const errors = [predicted.makespanSeconds / real.makespanSeconds, predicted.untilDone.p90 / real.p90];
      off = Math.min(off, ...[Math.max(...errors.map((ratio) => Math.abs(ratio - 1)))]);
    }
    expect(off).toBeLessThan(0.15);
  },
);

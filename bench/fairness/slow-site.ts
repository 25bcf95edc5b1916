// Somebody searches a slow site a thousand times, then another person a quick one: how much longer does that take than alone?
import { median } from '../peers.ts';
import type { Scene } from './main.ts';
import { openWorld } from './world.ts';

const SLOW_SEARCHES = Number(process.env.BENCH_SEARCHES ?? 1_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

export const slowSite: Scene = {
  name: `1 Indeed search behind ${SLOW_SEARCHES} of LinkedIn`,
  promised: 1.5,
  async measure() {
    const world = await openWorld();
    try {
      const rounds = async (name: string): Promise<number> => {
        const times: number[] = [];
        for (let n = 0; n < ROUNDS; n++) {
          const began = performance.now();
          await world.untilDone([await world.search('indeed', `nurse ${name} ${n}`)]);
          times.push(performance.now() - began);
        }
        return median(times);
      };
      await rounds('warm-up');
      const alone = await rounds('alone');
      for (let n = 0; n < SLOW_SEARCHES; n++) await world.search('linkedin', `welder ${n}`);
      return { alone, beside: await rounds('behind') };
    } finally {
      await world.close();
    }
  },
};

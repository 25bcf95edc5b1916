// Ten sources are asked at the same time, and one of them never answers: how much longer do the other nine take than without it?
import type { Scene } from './main.ts';
import { openWorld, type World } from './world.ts';

const BOARDS = ['indeed', 'linkedin', 'ziprecruiter', 'google-jobs', 'naukri', 'bayt', 'bdjobs'];
const EACH = Number(process.env.BENCH_EACH ?? 5);
const HANGING_SEARCHES = 200;

/** Seven boards, articles and carts. */
function askNine(world: World, name: string): Promise<string[]> {
  const runs: Promise<string>[] = [];
  for (let n = 0; n < EACH; n++) {
    for (const site of BOARDS) runs.push(world.search(site, `nurse ${name} ${n}`));
    runs.push(
      world.submit('/jobs/submit', { articles: [{ url: `https://harbour-courier.example/science/${name}-${n}` }] }),
      world.submit('/cart', { items: [`milk ${name} ${n}`], zipcode: '10001' }),
    );
  }
  return Promise.all(runs);
}

export const hangingSite: Scene = {
  name: 'nine sources beside one that hangs',
  promised: 1.2,
  async measure() {
    const world = await openWorld({ hanging: ['www.glassdoor.com'] });
    try {
      await world.untilDone(await askNine(world, 'warm-up'));
      const alone = await world.untilDone(await askNine(world, 'alone'));
      for (let n = 0; n < HANGING_SEARCHES; n++) await world.search('glassdoor', `welder ${n}`);
      return { alone, beside: await world.untilDone(await askNine(world, 'beside')) };
    } finally {
      await world.close();
    }
  },
};

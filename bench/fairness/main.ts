// Does somebody else's slow or broken site make others wait? Each scene measures the same work alone and beside the trouble, in one world, and promises a
// ratio. To add one: a file with a `Scene`, and its name in the list. BENCH_SCENES=1,2 runs some of them.
import { found } from '../found.ts';
import { row } from '../peers.ts';
import { hangingSite } from './hanging-site.ts';
import { slowSite } from './slow-site.ts';

export interface Scene {
  name: string;
  /** At most this many times as long beside the trouble as alone. */
  promised: number;
  /** Milliseconds. */
  measure(): Promise<{ alone: number; beside: number }>;
}

const SCENES: Scene[] = [slowSite, hangingSite];

const wanted = process.env.BENCH_SCENES?.split(',').map((place) => SCENES[Number(place) - 1]!) ?? SCENES;
row('scene', 'alone ms', 'beside ms', 'times');
row('---', '---', '---', '---');
for (const { name, promised, measure } of wanted) {
  const { alone, beside } = await measure();
  row(name, alone, beside, (beside / alone).toFixed(2));
  found(`${name}, next to alone`, beside / alone, 'times', { atMost: promised });
}
process.exit();

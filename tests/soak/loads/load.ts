// What every load has: a place to break, a memory, a seed of its own and an end. A load decides by its seed alone, before it waits for anything, so
// that the same seed asks for the same in the same order.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { Answer } from '../client.ts';
import type { Ledger } from '../ledger.ts';
import type { SoakWorld } from '../world.ts';

export interface LoadContext {
  world: SoakWorld;
  ledger: Ledger;
  random: Random;
  isOver(): boolean;
}

export type Load = (context: LoadContext) => Promise<void>;

/** Does `step` again and again; each has its own part of the seed. */
export async function repeat(
  context: LoadContext,
  maxPauseMs: number,
  step: (random: Random, n: number) => Promise<void>,
) {
  for (let n = 0; !context.isOver(); n++) {
    const [random, pauseMs] = [context.random.fork(), context.random.below(maxPauseMs)];
    await step(random, n);
    await sleep(pauseMs);
  }
}

/** Asks for work once, and sometimes a second time with the same key, which has to be answered with the same run. */
export async function submitOnce(
  { world, ledger }: LoadContext,
  random: Random,
  { path, body, idOf }: { path: string; body: unknown; idOf: (json: Answer['json']) => unknown },
): Promise<string | undefined> {
  const key = `soak-${random.below(2 ** 31)}-${random.below(2 ** 31)}`;
  const isAgain = random.chance(0.1);
  const answer = await world.client.post(path, body, key);
  const runId = idOf(answer.json);
  if (answer.status >= 400 || typeof runId !== 'string') {
    ledger.wrong.push(`POST ${path} was answered with ${answer.status} ${JSON.stringify(answer.json).slice(0, 300)}`);
    return undefined;
  }
  if (isAgain) {
    const second = await world.client.post(path, body, key);
    ledger.sameKeyCalls++;
    if (idOf(second.json) !== runId || !second.isReplay)
      ledger.doubled.push(`POST ${path} with the same key brought ${runId} and ${String(idOf(second.json))}`);
  }
  return runId;
}

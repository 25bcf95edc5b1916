// Sites, boards, shops and receivers of webhooks that hang, reset or refuse for a while: never for longer than a task is tried again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TargetSite } from '../../support/web/target.ts';
import type { Receiver } from '../receiver.ts';
import { between, type Fault, type FaultGroup } from './fault.ts';

const MAX_SECONDS = 6;

const pages = (trouble: TargetSite['trouble'], name: string): Fault => ({
  name: `sites ${name}`,
  async strike(world, random) {
    world.fleet.target.trouble = trouble;
    await sleep(between(random, 1, MAX_SECONDS));
    world.fleet.target.endTrouble();
  },
});

const receiver = (trouble: Receiver['trouble']): Fault => ({
  name: `the receiver of webhooks ${trouble}`,
  async strike(world, random) {
    world.receiver.trouble = trouble;
    await sleep(between(random, 1, 15));
    world.receiver.trouble = 'none';
  },
});

export const siteFaults: FaultGroup = [
  pages('hang', 'hang'),
  pages('reset', 'reset'),
  pages(429, 'answer 429'),
  pages(503, 'answer 503'),
  {
    name: 'boards and shops reset',
    breaksBoards: true,
    async strike(world, random) {
      world.siteLink.drop();
      await sleep(between(random, 1, MAX_SECONDS));
      world.siteLink.pass();
    },
  },
  {
    name: 'boards and shops do not answer',
    breaksBoards: true,
    async strike(world, random) {
      world.siteLink.blackHole();
      await sleep(between(random, 1, MAX_SECONDS));
      world.siteLink.pass();
    },
  },
  receiver('fails'),
  receiver('resets'),
];

// A process for suspects whose one attempt ends only after its worker is gone: what it has to say, nobody takes any more.
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOrders } from '../../../src/worker/isolated.ts';

const gone = new Promise((resolve) => process.once('disconnect', resolve));
answerOrders({
  async runSource() {
    console.log('under way');
    await gone;
  },
  webFor() {
    throw new Error('no source asks for it');
  },
  onOrphaned: () => console.log('orphaned'),
});
await gone;
await sleep(200);
console.log('still here');

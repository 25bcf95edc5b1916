// Where the poisoned worker lets suspects run; it dies of the same page.
import { SOURCES } from '../../../src/sources/built-in.ts';
import { answerOrders, firstOrder } from '../../../src/worker/isolated.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { poisonedWeb } from '../web/poisoned-web.ts';

await firstOrder();
answerOrders({
  runSource: runHere((name) => SOURCES.get(name)),
  webFor: poisonedWeb(),
  onOrphaned: () => process.exit(0),
});

// Where the bench's workers let suspects run.
import { findSource } from '../../src/sources/find.ts';
import { answerOrders, firstOrder } from '../../src/worker/isolated.ts';
import { runHere } from '../../src/worker/run-source.ts';
import { unpacedWeb } from './web.ts';

await firstOrder();
answerOrders({ runSource: runHere(findSource), webFor: unpacedWeb().webFor, onOrphaned: () => process.exit(0) });

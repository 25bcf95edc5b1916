// A process for suspects whose tasks end only when they are told to. Each tells, in a part, in which process it runs.
import type { Order } from '../../../src/worker/isolation.ts';

const answer = (result: object) => process.send?.({ type: 'result', result });
process.on('message', (order: Order) => {
  if (order.type === 'run') answer({ task_id: order.task.task_id, part: 1, last: false, process: process.pid });
});
process.once('disconnect', () => process.exit(0));
process.send?.({ type: 'ready' });

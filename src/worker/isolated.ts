// The child process of isolation: runs one attempt per order, and ends with its parent.
import { AppError } from '../model/errors.ts';
import type { Result } from '../model/task/messages.ts';
import { type AttemptOptions, runAttempt } from './attempt.ts';
import { createEvidence } from './evidence.ts';
import type { Answer, Order } from './isolation.ts';

export interface OrdersOptions {
  runSource: AttemptOptions['runSource'];
  webFor: AttemptOptions['webFor'];
  /** Keeps the pages of attempts that fail. */
  keepsEvidence?: boolean;
  /** The worker is gone: the channel closes, or an answer cannot be sent, whichever comes first. */
  onOrphaned(): void;
}

/** The setting that comes first, once. */
export function firstOrder(): Promise<unknown> {
  return new Promise((resolve) =>
    process.once('message', (order: Order) => resolve(order.type === 'begin' ? order.setting : undefined)),
  );
}

export function answerOrders({ runSource, webFor, keepsEvidence, onOrphaned }: OrdersOptions): void {
  const running = new Map<string, AbortController>();
  // With a callback: without one, an answer to a worker that was just killed is thrown as an error of this process.
  const send = (answer: Answer): void =>
    void process.send?.(answer, undefined, undefined, (error) => {
      if (error) onOrphaned();
    });
  const evidence = createEvidence({
    send: async (one) => send({ type: 'evidence', evidence: one }),
    // Nobody waits for it.
    onError: () => {},
  });
  const onEnded = keepsEvidence ? evidence.ended : () => {};
  process.once('disconnect', onOrphaned);
  process.on('message', (order: Order) => {
    if (order.type === 'stop') running.get(order.taskId)?.abort(new AppError('cancelled'));
    if (order.type !== 'run') return;
    const { task, worker } = order;
    const stop = new AbortController();
    running.set(task.task_id, stop);
    const tell = (result: Result): void => send({ type: 'result', result });
    void runAttempt({ task, worker, stop, runSource, webFor, onPart: tell, onEnded })
      .then(tell)
      .finally(() => running.delete(task.task_id));
  });
  send({ type: 'ready' });
}

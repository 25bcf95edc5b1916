// Group commit without a timer: a few batches are in flight, and what arrives meanwhile is the next batch. A single caller waits one round trip; under
// load the batches grow by themselves (measured: eight times the throughput of one transaction per caller).
import { AppError } from '../../model/errors.ts';

export interface GroupCommitOptions<I, O> {
  /** Commits all or nothing, and answers in the order of its input. */
  commit(batch: I[]): Promise<O[]>;
  weigh?(item: I): number;
  maxWeight: number;
  inFlight: number;
  /** A batch begins beside another only when this much waits, and is cut no smaller: of small items fewer and larger batches cost less. */
  besideWeight?: number;
  /** Past this many waiting callers the next one is refused at once, instead of queueing without limit. */
  maxWaiting: number;
}

interface Waiting<I, O> {
  item: I;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

export function groupCommit<I, O>(options: GroupCommitOptions<I, O>): (item: I) => Promise<O> {
  const { besideWeight = 0 } = options;
  const weigh = options.weigh ?? (() => 1);
  let waiting: Waiting<I, O>[] = [];
  let waitingWeight = 0;
  let runningWeight = 0;
  let running = 0;
  let isBeginning = false;

  /**
   * No more than an even share for each batch that may be in flight. The callers of a batch return together: with one large and one small batch the store
   * would have all the work at one moment and none at the next.
   */
  function takeBatch(): { batch: Waiting<I, O>[]; weight: number } {
    const share = Math.max(besideWeight, Math.ceil((waitingWeight + runningWeight) / options.inFlight));
    let weight = 0;
    let count = 0;
    for (const { item } of waiting) {
      const next = weigh(item);
      if (count > 0 && (weight >= share || weight + next > options.maxWeight)) break;
      weight += next;
      count++;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return { batch, weight };
  }

  const mayBegin = (): boolean =>
    running < options.inFlight && waiting.length > 0 && (running === 0 || waitingWeight >= besideWeight);

  /** After whatever else arrived in this turn of the event loop: those requests are one batch. */
  function begin(): void {
    if (isBeginning || !mayBegin()) return;
    isBeginning = true;
    setImmediate(() => {
      isBeginning = false;
      while (mayBegin()) void run();
    });
  }

  async function run(): Promise<void> {
    const { batch, weight } = takeBatch();
    running++;
    waitingWeight -= weight;
    runningWeight += weight;
    const ended = (): void => {
      running--;
      runningWeight -= weight;
    };
    try {
      const answers = await options.commit(batch.map((one) => one.item));
      ended();
      // Before the answers: while they are written, the store already has its next batch.
      if (mayBegin()) void run();
      batch.forEach((one, index) => {
        one.resolve(answers[index]!);
      });
    } catch (error) {
      // One bad item must not fail the others: they are tried one by one.
      if (batch.length > 1 && !(error instanceof AppError && error.code === 'unavailable')) await oneByOne(batch);
      else for (const one of batch) one.reject(error);
      ended();
    }
    begin();
  }

  async function oneByOne(batch: Waiting<I, O>[]): Promise<void> {
    for (const one of batch) {
      try {
        one.resolve((await options.commit([one.item]))[0]!);
      } catch (error) {
        one.reject(error);
      }
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      if (waiting.length >= options.maxWaiting) {
        reject(
          new AppError('unavailable', 'Too many requests are waiting for PostgreSQL. Try again.', {
            retryAfterMs: 1_000,
          }),
        );
        return;
      }
      waiting.push({ item, resolve, reject });
      waitingWeight += weigh(item);
      begin();
    });
}

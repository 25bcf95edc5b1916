// Hands items from several producers to one reader. Bounded: a producer waits while the channel is full, so a reader that stops reading stops the work.
// What a reader of this file would get wrong: after `close` nothing throws at the producers. Their `push` resolves, and their own signal tells them to stop.

export interface Channel<T> {
  /** Resolves when the item has its place. */
  push(item: T): Promise<void>;
  /** True while the next push would have to wait. */
  readonly isFull: boolean;
  /** The next item; undefined when there is none left and none will come. Rejects with what `fail` was given. */
  take(): Promise<{ item: T } | undefined>;
  /** No more items will come; those in the channel can still be taken. */
  end(): void;
  /** Drops what is in the channel and lets the producers go on. */
  close(): void;
  /** Like `close`, and the reader gets this error once. */
  fail(error: unknown): void;
}

export function createChannel<T>(size: number): Channel<T> {
  const items: T[] = [];
  const waitingForRoom: (() => void)[] = [];
  let waitingForItem: (() => void) | undefined;
  let isEnded = false;
  let failure: { error: unknown } | undefined;

  const wakeReader = (): void => {
    waitingForItem?.();
    waitingForItem = undefined;
  };
  const close = (): void => {
    isEnded = true;
    items.length = 0;
    for (const goOn of waitingForRoom.splice(0)) goOn();
    wakeReader();
  };

  return {
    get isFull() {
      return !isEnded && items.length >= size;
    },
    async push(item) {
      while (!isEnded && items.length >= size) await new Promise<void>((resolve) => waitingForRoom.push(resolve));
      if (isEnded) return;
      items.push(item);
      wakeReader();
    },
    async take() {
      while (items.length === 0 && !isEnded) {
        await new Promise<void>((resolve) => {
          // A reader may call next() again before the last one was answered.
          const earlier = waitingForItem;
          waitingForItem = () => {
            earlier?.();
            resolve();
          };
        });
      }
      if (failure) {
        const { error } = failure;
        failure = undefined;
        throw error;
      }
      if (items.length === 0) return undefined;
      const item = items.shift()!;
      waitingForRoom.shift()?.();
      return { item };
    },
    end() {
      isEnded = true;
      wakeReader();
    },
    close,
    fail(error) {
      if (isEnded && failure === undefined && items.length === 0) return;
      failure ??= { error };
      close();
    },
  };
}

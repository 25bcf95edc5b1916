// Reading what may not have been unpacked yet (arrivals.ts): whoever does not find it unpacks some and looks again.

/** Of what other processes unpack nothing is heard: it is looked for now and then. */
const READ_AGAIN_MS = 200;

/** `unpackSome` answers with the names of what it unpacked; none when there was nothing to unpack. */
export function createArrived(unpackSome: () => Promise<ReadonlySet<string>>) {
  type Unpacking = Promise<ReadonlySet<string>>;
  let underWay: Unpacking | undefined;
  let next: Unpacking | undefined;

  function begin(): Unpacking {
    const mine = unpackSome().finally(() => {
      if (underWay === mine) underWay = undefined;
    });
    underWay = mine;
    return mine;
  }

  /**
   * One at a time in a process: thousands may ask at once, and one of them does the work for all. The one that is under way may have looked before what is
   * sought had arrived; those who come meanwhile share the one after it.
   */
  function unpackMore(): Unpacking {
    if (!underWay) return begin();
    const startNext = (): Unpacking => {
      next = undefined;
      return begin();
    };
    next ??= underWay.then(startNext, startNext);
    return next;
  }

  return {
    /** Reads again when it was unpacked, and does not ask the store after every piece of a crowd that is not it: thousands may wait here. */
    async find<T>(name: string, read: () => Promise<T | null>): Promise<T | null> {
      for (;;) {
        const found = await read();
        if (found !== null) return found;
        const readAtMs = performance.now();
        let unpacked: ReadonlySet<string>;
        do {
          unpacked = await unpackMore();
          // Between the reading and this one another process may have unpacked it.
          if (unpacked.size === 0) return read();
        } while (!unpacked.has(name) && performance.now() - readAtMs < READ_AGAIN_MS);
      }
    },
    /** Asks when everything is unpacked. */
    async all<T>(read: () => Promise<T>): Promise<T> {
      while ((await unpackMore()).size > 0);
      return read();
    },
  };
}

// Reading what may not have been unpacked yet (spool.ts): whoever does not find it unpacks some and looks again.

export type ReadThroughSpool = ReturnType<typeof createReadThroughSpool>;

/** `unpackSome` answers with 0 when there was nothing to unpack. */
export function createReadThroughSpool(unpackSome: () => Promise<number>) {
  let underWay: Promise<number> | undefined;
  let next: Promise<number> | undefined;

  function begin(): Promise<number> {
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
  function unpackMore(): Promise<number> {
    if (!underWay) return begin();
    const startNext = (): Promise<number> => {
      next = undefined;
      return begin();
    };
    next ??= underWay.then(startNext, startNext);
    return next;
  }

  return {
    /** Asks again while there is something to unpack in which the answer may be. */
    async find<T>(read: () => Promise<T | null>): Promise<T | null> {
      for (;;) {
        const found = await read();
        if (found !== null) return found;
        // Between the reading and this one another process may have unpacked it.
        if ((await unpackMore()) === 0) return read();
      }
    },
    /** Asks when everything is unpacked. */
    async all<T>(read: () => Promise<T>): Promise<T> {
      while ((await unpackMore()) > 0);
      return read();
    },
  };
}

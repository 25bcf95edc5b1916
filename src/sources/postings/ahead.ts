// Does the slow work for the next few things while the current one is being used; results come in order.

export async function* ahead<T, R>(
  things: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (thing: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  try {
    for await (const thing of things) {
      const started = work(thing);
      // Awaited in its turn; until then a failure must not count as unhandled.
      started.catch(() => undefined);
      running.push(started);
      if (running.length >= width) yield await (running.shift() as Promise<R>);
    }
    for (let next = running.shift(); next !== undefined; next = running.shift()) yield await next;
  } finally {
    await Promise.allSettled(running);
  }
}

// A binary heap of times, for who is free next.
/** So many times, all 0 at first, the earliest at hand. */
export interface TimeHeap {
  time(): number;
  /** Whose it is. */
  index(): number;
  /** Sets the earliest. */
  moveTo(time: number): void;
}

export function heapOf(size: number): TimeHeap {
  const times = new Float64Array(size);
  const heap = Int32Array.from({ length: size }, (_, index) => index);
  return {
    time: () => times[heap[0]!]!,
    index: () => heap[0]!,
    moveTo(time) {
      const moved = heap[0]!;
      times[moved] = time;
      let at = 0;
      for (;;) {
        const left = 2 * at + 1;
        if (left >= size) break;
        const child = left + 1 < size && times[heap[left + 1]!]! < times[heap[left]!]! ? left + 1 : left;
        if (times[heap[child]!]! >= time) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = moved;
    },
  };
}

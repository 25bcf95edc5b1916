// A time limit that can be paused: what a site takes counts, what the reader of its items takes does not. Paused, it holds no process open.

export interface Deadline {
  pause(): void;
  resume(): void;
  /** For good. */
  clear(): void;
}

export function startDeadline(ms: number, onLate: () => void, now: () => number = () => performance.now()): Deadline {
  let leftMs = ms;
  let since = now();
  let timer: NodeJS.Timeout | undefined = setTimeout(onLate, leftMs);
  let isCleared = false;
  return {
    pause() {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      leftMs -= now() - since;
    },
    resume() {
      if (timer !== undefined || isCleared) return;
      since = now();
      timer = setTimeout(onLate, Math.max(0, leftMs));
    },
    clear() {
      isCleared = true;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

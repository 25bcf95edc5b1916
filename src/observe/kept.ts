// Keeps answers that are expensive to make and wanted again soon, by their question. One that is no longer new is given all the same while a newer one is made: whoever
// asks again and again waits once. What a reader would get wrong: only what `isKept` says is kept, so that what is cheap is always new.
export interface KeptOptions<T> {
  isKept(answer: T): boolean;
  /** How many questions; the one that was asked longest ago goes. */
  max?: number;
  /** Made anew after this. */
  freshMs?: number;
  /** Not given any more after this. */
  staleMs?: number;
  now?(): number;
}

interface Entry<T> {
  answer: T;
  at: number;
  isBeingMade: boolean;
}

export function createKept<T>(options: KeptOptions<T>): (question: string, make: () => Promise<T>) => Promise<T> {
  const { max = 100, freshMs = 15_000, staleMs = 180_000, now = () => performance.now() } = options;
  const entries = new Map<string, Entry<T>>();

  async function makeAnew(question: string, make: () => Promise<T>): Promise<T> {
    const answer = await make();
    entries.delete(question);
    if (!options.isKept(answer)) return answer;
    entries.set(question, { answer, at: now(), isBeingMade: false });
    const oldest = entries.size > max ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    return answer;
  }

  return async (question, make) => {
    const entry = entries.get(question);
    if (!entry || now() - entry.at > staleMs) return makeAnew(question, make);
    // The last one asked for is the last to go.
    entries.delete(question);
    entries.set(question, entry);
    if (now() - entry.at > freshMs && !entry.isBeingMade) {
      entry.isBeingMade = true;
      // Nobody waits for it: if it fails, the next one tries.
      makeAnew(question, make).catch(() => {
        entry.isBeingMade = false;
      });
    }
    return entry.answer;
  };
}

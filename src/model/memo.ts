// Caches recent results of a pure function. Rows of one board repeat titles, companies, locations and salaries, and parsing those is expensive.
// What a reader would get wrong: whatever is given back is shared by everybody who asks; a caller that hands out objects copies them first.

/** Asks the memo for `key`; `make` answers for what it does not know, from the key it is given (see `ownCopy`). */
export type Memo<T> = (key: string, make: (key: string) => T) => T;

/** Longer keys are rarely seen twice and would fill the memory. */
const MAX_KEY_CHARS = 1_200;

/** Keeps between half of `maxEntries` and all of them: when the younger half is full, the older is dropped. */
export function createMemo<T extends string | object | null>(maxEntries: number): Memo<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (key, make) => {
    const known = young.get(key);
    if (known !== undefined) return known;
    if (key.length > MAX_KEY_CHARS) return make(key);
    const own = ownCopy(key);
    const past = old.get(own);
    const answer = past === undefined ? make(own) : past;
    if (young.size >= maxEntries / 2) {
      old = young;
      young = new Map();
    }
    young.set(own, answer);
    return answer;
  };
}

/** A substring of a page keeps the whole page in memory; a copy does not. */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}

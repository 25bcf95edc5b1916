/** Whether a name was given before, as far as it remembers: at least the last `size` different ones. Asking is giving it. */
export function createRecent(size: number): (name: string) => boolean {
  let current = new Set<string>();
  let before = new Set<string>();
  return (name) => {
    if (current.has(name)) return true;
    const isKnown = before.has(name);
    if (current.size >= size) {
      before = current;
      current = new Set();
    }
    current.add(name);
    return isKnown;
  };
}

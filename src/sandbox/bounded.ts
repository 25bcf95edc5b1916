// A map that forgets what was used longest ago once its entries together weigh more than a limit.
export class BoundedMap<V> {
  readonly #limit: number;
  readonly #weigh: (value: V) => number;
  readonly #entries = new Map<string, V>();
  #weight = 0;

  constructor(limit: number, weigh: (value: V) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    const weight = this.#weigh(value);
    if (weight > this.#limit) return;
    const old = this.#entries.get(key);
    if (old !== undefined) this.#drop(key, old);
    this.#entries.set(key, value);
    this.#weight += weight;
    for (const [oldest, oldValue] of this.#entries) {
      if (this.#weight <= this.#limit) return;
      this.#drop(oldest, oldValue);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #drop(key: string, value: V): void {
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }
}

// Random choices that a seed can repeat (mulberry32). Printed with every failure, so that it can be played again.
export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  below(n: number): number;
  pick<T>(values: readonly T[]): T;
  some<T>(values: readonly T[], count: number): T[];
  chance(part: number): boolean;
  fork(): Random;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    next,
    below,
    pick: (values) => values[below(values.length)]!,
    some(values, count) {
      const left = [...values];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)[0]!);
    },
    chance: (part) => next() < part,
    fork: () => seeded(below(2 ** 31)),
  };
}

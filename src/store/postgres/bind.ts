// Functions of the store take the pool first, so that each can be read and tested by itself; here the pool is bound once.
import type { Pool } from 'pg';

type OverPool = (pool: Pool, ...args: never[]) => unknown;

type Bound<T extends Record<string, OverPool>> = {
  [K in keyof T]: T[K] extends (pool: Pool, ...args: infer A) => infer R ? (...args: A) => R : never;
};

export function bindAll<T extends Record<string, OverPool>>(pool: Pool, functions: T): Bound<T> {
  const bound = Object.entries(functions).map(([name, fn]) => [name, fn.bind(null, pool)]);
  return Object.fromEntries(bound) as Bound<T>;
}

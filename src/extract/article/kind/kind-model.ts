// How likely a page is of each kind, by a forest a kind.
import type { Forest } from '../model/forest.ts';
import { PAGE_KINDS } from './kinds.ts';

/** In the order of PAGE_KINDS, as shares of one. */
export function kindsOf(row: Float64Array, forests: Forest[]): Float64Array {
  const kinds = new Float64Array(PAGE_KINDS.length);
  let sum = 1e-9;
  for (let kind = 0; kind < kinds.length; kind++) {
    kinds[kind] = forests[kind]!(row, 0);
    sum += kinds[kind]!;
  }
  for (let kind = 0; kind < kinds.length; kind++) kinds[kind]! /= sum;
  return kinds;
}

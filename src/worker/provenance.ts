// Gathers where the items of a part of a result came from: each way of reading once, and for each item its number.
import type { Origins } from '../model/provenance/origins.ts';
import type { Provenance } from '../model/provenance/provenance.ts';

export interface CollectedOrigins {
  add(origins: Origins | undefined): void;
  /** Of what was added since the last time; undefined where nothing was said of any item. */
  take(version: number): Provenance | undefined;
}

export function collectOrigins(): CollectedOrigins {
  let origins: Origins[] = [];
  let of: number[] = [];
  /** The same object comes for many items, and from a thread as a copy for each message. */
  let byObject = new Map<Origins, number>();
  let byText = new Map<string, number>();

  function numberOf(one: Origins): number {
    const known = byObject.get(one);
    if (known !== undefined) return known;
    const text = JSON.stringify(one);
    const number = byText.get(text) ?? origins.push(one) - 1;
    byText.set(text, number);
    byObject.set(one, number);
    return number;
  }

  return {
    add: (one) => void of.push(one === undefined ? -1 : numberOf(one)),
    take(version) {
      const taken = origins.length > 0 ? { version, origins, of } : undefined;
      [origins, of, byObject, byText] = [[], [], new Map(), new Map()];
      return taken;
    },
  };
}

// US ZIP codes: what is one, and which place it names. Two spellings of one place (10001, 10001-1234) are one locality, so that their carts share work.
import { z } from 'zod';
import table from './zip-states.json' with { type: 'json' };

export const ZipCode = z
  .string()
  .trim()
  .regex(/^\d{5}(?:-\d{4})?$/, 'has to be a US ZIP code such as 10001 or 10001-1234');

export interface Locality {
  /** The five digits: the key under which work is shared. */
  zip: string;
  /** Null for prefixes no state has. */
  state: string | null;
  country: string;
}

/** The five digits of a ZIP code that was checked. */
export const zipOf = (zipcode: string): string => zipcode.slice(0, 5);

/** The place of a ZIP code; null for what is none. */
export function localityOf(zipcode: string): Locality | null {
  const parsed = ZipCode.safeParse(zipcode);
  if (!parsed.success) return null;
  const zip = zipOf(parsed.data);
  return { zip, state: stateOf(zip), country: table.country };
}

function stateOf(zip: string): string | null {
  const prefix = zip.slice(0, 3);
  return (table.ranges as [string, string, string][]).find(([from, to]) => prefix >= from && prefix <= to)?.[2] ?? null;
}

/** As the geo targets of search ads name a ZIP: `10001,New York,United States`. */
export function canonicalName({ zip, state, country }: Locality): string {
  return [zip, state, country].filter((part) => part !== null).join(',');
}

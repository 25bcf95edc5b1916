// Where the fields of an item came from: a short code for each field. Items keep their shape: what is said of them goes beside them.
//   api:jobs[].title   a path of the site's JSON or XML        request:language   what the caller asked for
//   json-ld:title      a property of JSON-LD; microdata: too   rule:salary-in-text   concluded from words of the item
//   meta:og:title      a meta tag                              inferred   concluded from other fields
//   selector:h3 a      an element of the page                  computed   follows from other fields alone
// Several places are separated by " | ": the first of them that had a value.

/** By field. The same object for all items that were read in the same way. */
export type Origins = Readonly<Record<string, string>>;

export const UNKNOWN_ORIGIN = 'unknown';
/** Of one item; more is not kept. */
export const ORIGINS_MAX = { fields: 100, chars: 200 } as const;

const known = new WeakMap<object, Origins>();

export function withOrigins<T extends object>(item: T, origins: Origins | undefined): T {
  if (origins !== undefined) known.set(item, origins);
  return item;
}

export const originsOf = (item: object): Origins | undefined => known.get(item);

/** The places of fields under one prefix; a place that begins with `=` has a code of its own. */
export function prefixed<K extends string>(prefix: string, places: Readonly<Record<K, string>>): Record<K, string> {
  const codeOf = (place: string): string => (place.startsWith('=') ? place.slice(1) : `${prefix}:${place}`);
  const coded = Object.entries<string>(places).map(([name, place]) => [
    name,
    place.split(' | ').map(codeOf).join(' | '),
  ]);
  return Object.fromEntries(coded) as Record<K, string>;
}

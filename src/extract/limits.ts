// How much of a field is read, decided in one place before anything parses it. The longest honest ones seen are a quarter of it at most; what is longer is
// cut, so that a field can cost no more than this, whatever a page puts into it. An address is never cut: half of one leads elsewhere.

export const MAX_CHARS = {
  title: 2_000,
  /** Companies, departments, brands, ids, labels. */
  name: 2_000,
  place: 2_000,
  date: 300,
  pay: 4_000,
  url: 8_000,
  /** With its markup. */
  description: 1_000_000,
  /** One block of JSON-LD. */
  jsonLd: 5_000_000,
  meta: 100_000,
} as const;

/** Entries of a list in one field: places, kinds of work, skills. */
export const MAX_ENTRIES = 500;

export type FieldKind = keyof typeof MAX_CHARS;

/** The text as far as it is read. What is no text, or short enough, comes back as it is. */
export function bounded<T>(value: T, kind: FieldKind): T {
  if (typeof value !== 'string' || value.length <= MAX_CHARS[kind]) return value;
  if (kind === 'url') return '' as T & string;
  // Not between the halves of a character.
  return value.slice(0, MAX_CHARS[kind]).toWellFormed() as T & string;
}

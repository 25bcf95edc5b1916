// What PostgreSQL's text and jsonb cannot hold: NUL, and half a surrogate pair. Scraped pages and callers send both; they are dropped here,
// at the last step, so that no odd byte on a page can fail a batch.

export function pgText(text: string): string;
export function pgText(text: string | null): string | null;
export function pgText(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '').toWellFormed();
}

export function pgJson(value: unknown): string {
  const text = JSON.stringify(value);
  // Both only ever appear as escapes in JSON text, so the common case costs one search.
  if (!text.includes('\\u') || !/\\u(0000|d[89a-f])/i.test(text)) return text;
  return JSON.stringify(value, (_name, part) => (typeof part === 'string' ? pgText(part) : part));
}

/** An array parameter of uuids or numbers: nothing in it needs quoting, and the driver's own way looks at every character. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** A list of JSON texts as one JSON text: unlike an array parameter it needs no quoting. */
export function jsonList(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

/** An array parameter of text or JSON. */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quote(value))).join(',')}}`;
}

function quote(value: string): string {
  return value.includes('"') || value.includes('\\') ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}

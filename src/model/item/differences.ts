// What one reading of a task has otherwise than another: items that only one of them has, and fields that differ. Pure.
// What a reader would get wrong: items have no position to be compared by, since one that is missing moves all others. They are told apart by what names them, and those that nothing
// names by their titles, in their order.
import { isDeepStrictEqual } from 'node:util';

export interface FieldDifference {
  field: string;
  before: unknown;
  now: unknown;
}

export interface ItemDifference {
  /** What names it. */
  id: string;
  what: 'gone' | 'new' | 'changed';
  fields: FieldDifference[];
}

type Fields = Record<string, unknown>;

/** Says when it was read and not what; an article's `html` is what its Markdown is made of, and its text is compared. */
const OF_THE_READING = new Set(['scraped_at']);

export function differencesOf(before: readonly unknown[], now: readonly unknown[]): ItemDifference[] {
  const old = byName(before);
  const found: ItemDifference[] = [];
  for (const [id, item] of byName(now)) {
    const known = old.get(id);
    old.delete(id);
    if (known === undefined) found.push({ id, what: 'new', fields: [] });
    else {
      const fields = fieldsOf(known, item);
      if (fields.length > 0) found.push({ id, what: 'changed', fields });
    }
  }
  return [...found, ...[...old.keys()].map((id): ItemDifference => ({ id, what: 'gone', fields: [] }))];
}

function fieldsOf(before: Fields, now: Fields): FieldDifference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].flatMap((field) => {
    const [was, is] = [before[field] ?? null, now[field] ?? null];
    return OF_THE_READING.has(field) || isDeepStrictEqual(was, is) ? [] : [{ field, before: was, now: is }];
  });
}

/** As they are in messages; the second of a name has a number. */
function byName(items: readonly unknown[]): Map<string, Fields> {
  const named = new Map<string, Fields>();
  for (const item of JSON.parse(JSON.stringify(items)) as Fields[]) {
    const name = nameOf(item);
    let id = name;
    for (let n = 2; named.has(id); n++) id = `${name} (${n})`;
    named.set(id, item);
  }
  return named;
}

/** A posting by its id of the site, a product by its id of the shop, an article by its address. */
function nameOf(item: Fields): string {
  const ids = Object.entries((item.ids as Fields | undefined) ?? {})[0];
  const name = item.external_id ?? ids?.join(' ') ?? item.job_url ?? item.product_link ?? item.url ?? item.title;
  return String(name ?? 'without a name');
}

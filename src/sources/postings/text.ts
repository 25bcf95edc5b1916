// Small readings of vendors' values that every career source needs.
import { Parser } from 'htmlparser2';
import { remoteOfLabel } from '../../extract/posting/remote.ts';
import type { RemoteType } from '../../model/posting/posting.ts';

const LONGEST_NOTHING = 'unavailable'.length;

/** Trimmed text, or null for what is empty, absent or one of the words that mean "nothing". */
export function nonEmptyText(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (text.length > LONGEST_NOTHING) return text;
  return /^(?:|n\/?a|null|none|undefined|unavailable|-)$/i.test(text) ? null : text;
}

/** Ids come as numbers, long numbers and strings; they leave as text. */
export function idText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  return nonEmptyText(value);
}

/** HTML that was written as text: `&lt;p&gt;` becomes `<p>`. At most twice, and only while tags are still escaped. */
export function unescapeHtml(html: string): string {
  let text = html;
  for (let i = 0; i < 2 && !/<[a-z!/]/i.test(text) && /&(?:lt|#60|#x3c);/i.test(text); i++) text = decodeEntities(text);
  return text;
}

export function decodeEntities(text: string): string {
  let out = '';
  const parser = new Parser({ ontext: (data) => (out += data) }, { decodeEntities: true });
  parser.end(text);
  return out;
}

/** One document of sections; those without text are left out. */
export function sections(parts: readonly { heading?: string | null | undefined; html: unknown }[]): string | null {
  const written = parts.flatMap(({ heading, html }) => {
    const body = nonEmptyText(html);
    if (body === null) return [];
    const title = nonEmptyText(heading);
    return [title === null ? body : `<h3>${escapeHtml(title)}</h3>\n${body}`];
  });
  return written.length === 0 ? null : written.join('\n');
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** The first of `keys` that a raw row has as an id: for naming rows that cannot be read otherwise. */
export function idIn(row: unknown, ...keys: string[]): string | null {
  if (row === null || typeof row !== 'object') return null;
  for (const key of keys) {
    const id = idText((row as Record<string, unknown>)[key]);
    if (id !== null) return id;
  }
  return null;
}

/** A token of an address: what a vendor's host or path may hold, so that a setting cannot reach another host or path. */
export const HOST_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** What a vendor's field about the workplace says: `OnSite`, `on_site`, `Flexible`, `Office - Based`; null where it says nothing. */
export function statedRemote(label: string | null | undefined): RemoteType | null {
  const words = nonEmptyText(label?.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/_/g, '-'));
  if (words === null) return null;
  if (/^(?:flexible|partial)/i.test(words)) return 'hybrid';
  if (/office|^on[- ]?site/i.test(words) && !/home/i.test(words)) return 'onsite';
  const type = remoteOfLabel(words);
  return type === 'unknown' ? null : type;
}

// What the replicas of applicant-tracking systems have in common: replies, quirks, and texts as HTML.
import { esc } from '../news/markup.ts';
import type { SandboxReply, SandboxRequest } from '../replica.ts';
import { exists, positionsAt, quirksOf, type TruePlace, type TruePosition } from './truth.ts';

export const json = (body: unknown, status = 200): SandboxReply => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  compress: 'gzip',
});
export const html = (body: string, status = 200): SandboxReply => ({ status, type: 'text/html; charset=utf-8', body });
export const xml = (body: string): SandboxReply => ({
  status: 200,
  type: 'application/xml; charset=utf-8',
  body,
  compress: 'gzip',
});

export const iso = (ms: number): string => new Date(ms).toISOString();
export const day = (ms: number): string => iso(ms).slice(0, 10);

export const paragraphsHtml = (position: TruePosition): string =>
  position.paragraphs.map((text) => `<p>${esc(text)}</p>`).join('');
export const dutiesHtml = (position: TruePosition): string =>
  position.duties.map((text) => `<li>${esc(text)}</li>`).join('');
export const textHtml = (position: TruePosition): string =>
  `${paragraphsHtml(position)}<h3>What you will do</h3><ul>${dutiesHtml(position)}</ul>`;

/** As employers write it: with the state where states are well known, with the country elsewhere. */
export function placeText(place: TruePlace): string {
  return `${place.city}, ${/^(?:US|CA|AU)$/.test(place.countryCode) ? place.regionCode : place.country}`;
}

/** The reply of a board that is not answering as boards should, whatever was asked of it. */
export function refusal(token: string, vendor: string): SandboxReply | undefined {
  if (!exists(token)) return json({ status: 404, error: 'Not found' }, 404);
  const quirks = quirksOf(token);
  if (quirks.moved) return { ...html('', 302), headers: { location: `https://www.${vendor}-marketing.example/` } };
  if (quirks.locked) return json({ error: 'token required' }, 401);
  return undefined;
}

export function positionsFor(request: SandboxRequest, vendor: string, token: string): TruePosition[] {
  return positionsAt({ vendor, token }, request.nowMs, request.seed);
}

/** The rows of a board and, on some boards, one that nobody can read. */
export function withBadRows(token: string, rows: unknown[], bad: { untitled: unknown; nameless: unknown }): unknown[] {
  const quirks = quirksOf(token);
  return [...rows, ...(quirks.untitledRow ? [bad.untitled] : []), ...(quirks.namelessRow ? [bad.nameless] : [])];
}

export interface Slice {
  offset: number;
  limit: number;
}

/** One page of a list and the total it states, with the quirks of the board. */
export function pageOf<T>(token: string, rows: readonly T[], { offset, limit }: Slice): { rows: T[]; total: number } {
  const quirks = quirksOf(token);
  const from = quirks.duplicates && offset > 0 ? offset - 1 : offset;
  return { rows: rows.slice(from, from + limit), total: quirks.shrinks && offset > 0 ? rows.length - 1 : rows.length };
}

export const numberIn = (text: string | null | undefined, fallback: number): number => {
  const number = Number(text ?? '');
  return text != null && text !== '' && Number.isSafeInteger(number) && number >= 0 ? number : fallback;
};

// What the replicas of job boards have in common: texts, replies, ids, and the misbehaviour a search can ask for.
// A word with # in the search term orders it: `nurse #blocked`. The words are those of QUIRKS.
import { hash32 } from '../random.ts';
import type { SandboxReply } from '../replica.ts';
import type { Job } from './catalogue.ts';

export const json = (body: unknown, status = 200): SandboxReply => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
  compress: 'gzip',
});
export const html = (body: string, status = 200): SandboxReply => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
  compress: 'gzip',
});

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const esc = (text: string): string => text.replace(/[&<>"]/g, (mark) => ENTITIES[mark]!);

/** blocked: refused as a robot; walled: asked to log in; throttled: told to slow down; refused: an error with status 200; broken: every fifth row cannot be
 * read; changed: a page without anything one knows; challenge: a page in place of JSON. */
export const QUIRKS = ['blocked', 'walled', 'throttled', 'refused', 'broken', 'changed', 'challenge'] as const;
export type Quirk = (typeof QUIRKS)[number];

export function quirkOf(term: string | null): Quirk | null {
  const named = /#([a-z]+)/.exec(term ?? '')?.[1];
  return QUIRKS.find((quirk) => quirk === named) ?? null;
}

/** The reply of a board that misbehaves in one of the ways all boards know. */
export function misbehave(quirk: Quirk | null): SandboxReply | null {
  if (quirk === 'blocked')
    return html(
      '<html><head><title>Attention Required! | Cloudflare</title></head><body><h1>Sorry, you have been blocked</h1></body></html>',
      403,
    );
  if (quirk === 'challenge')
    return html(
      '<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script></body></html>',
      200,
    );
  if (quirk === 'throttled') return { ...json({ error: 'too many requests' }, 429), headers: { 'retry-after': '2' } };
  if (quirk === 'changed')
    return html(
      '<html><head><title>Jobs</title></head><body><div id="app-v9"><p>Welcome to our new look. Everything has moved and nothing is called what it was.</p></div></body></html>',
    );
  return null;
}

/** Ids as boards make them: digits or hex that follow from job and advertisement. */
export const hexId = (board: string, job: { number: number; round: number }, length = 16): string =>
  Array.from({ length: Math.ceil(length / 8) }, (_, i) =>
    hash32(`${board} ${job.number} ${job.round} ${i}`).toString(16).padStart(8, '0'),
  )
    .join('')
    .slice(0, length);
export const digitId = (base: number, job: { number: number; round: number }): string =>
  String(base + job.number + (job.round % 1_000) * 1_000_000);
export const numberOfDigits = (id: string, base: number): number => (Number(id) - base) % 1_000_000;

export const descriptionHtml = (job: Job): string =>
  `<p>${esc(job.opening)}</p><h3>What you will do</h3><ul>${items(job.duties)}</ul><h3>What you bring</h3><ul>${items(job.asks)}</ul>` +
  `${job.pay ? `<p>${esc(payText(job)!)}</p>` : ''}<h3>What you get</h3><ul>${items(job.perks)}</ul>${job.isHybrid ? '<p>Hybrid: three days a week in the office.</p>' : ''}`;

const items = (texts: string[]) => texts.map((text) => `<li>${esc(text)}</li>`).join('');

export const descriptionText = (job: Job): string =>
  [
    job.opening,
    'What you will do',
    ...job.duties.map((text) => `• ${text}`),
    'What you bring',
    ...job.asks.map((text) => `• ${text}`),
    ...(job.pay ? [payText(job)!] : []),
    'What you get',
    ...job.perks.map((text) => `• ${text}`),
  ].join('\n');

const SIGNS: Record<string, string> = {
  USD: '$',
  CAD: 'CA$',
  GBP: '£',
  EUR: '€',
  AUD: 'A$',
  INR: '₹',
  AED: 'AED ',
  SAR: 'SAR ',
  QAR: 'QAR ',
  BDT: '৳',
};
export const money = (amount: number, currency: string): string =>
  SIGNS[currency] + amount.toLocaleString('en-US', { minimumFractionDigits: amount % 1 ? 2 : 0 });

export function payText({ pay }: Job): string | null {
  if (!pay) return null;
  return `Salary: ${money(pay.min, pay.currency)} - ${money(pay.max, pay.currency)} per ${pay.unit}`;
}

export const placeText = ({ place }: Job): string =>
  `${place.city}, ${/^(?:US|CA|AU)$/.test(place.country) ? place.regionCode : place.countryName}`;
export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const agoText = (days: number): string =>
  days === 0 ? 'Just posted' : days === 1 ? '1 day ago' : days > 30 ? '30+ days ago' : `${days} days ago`;

/** Every fifth row of a `broken` search has lost what makes it readable. */
export const isBroken = (quirk: Quirk | null, at: number): boolean => quirk === 'broken' && at % 5 === 2;

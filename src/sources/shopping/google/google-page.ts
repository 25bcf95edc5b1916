// Which of Google's pages this is. Pure; the products were read before it is asked.
// What a reader would get wrong: when unsure the answer is `layout_changed`. Looking at a saved page is cheap, changing exits is not, and
// "0 cards" alone once hid for months that nothing was collected. Only `empty` is an honest zero.
import { all, type Document, one, text } from '../../../extract/html/html.ts';
import type { PageReading } from './google-cards.ts';
import phrases from './google-pages.json' with { type: 'json' };

export type PageClass =
  | 'results'
  | 'captcha'
  | 'js_required'
  | 'consent'
  | 'login'
  | 'empty'
  | 'geo_mismatch'
  | 'layout_changed';

export interface Verdict {
  class: PageClass;
  /** What it was known by. */
  evidence: string;
}

export interface GooglePage {
  url: string;
  status: number;
  text: string;
}

/** Fewer cards than this from class names alone may be anything. */
const MIN_UNSURE_CARDS = 2;
const SURE = 0.85;

export function classifyGooglePage(page: GooglePage, reading: PageReading, country: string): Verdict {
  const { products, document } = reading;
  const host = URL.canParse(page.url) ? new URL(page.url).hostname : '';
  if (/\/sorry\//.test(page.url)) return verdict('captcha', 'address /sorry/');
  if (page.status === 429) return verdict('captcha', 'status 429');
  if (/^accounts\.google\./.test(host)) return verdict('login', `host ${host}`);
  if (/^consent\.google\./.test(host)) return verdict('consent', `host ${host}`);
  if (products.length >= MIN_UNSURE_CARDS || products.some((draft) => (draft.parse?.confidence ?? 0) >= SURE))
    return verdict('results', `${products.length} by ${reading.rule}`);

  if (one(document, 'form#captcha-form, #recaptcha.g-recaptcha')) return verdict('captcha', 'captcha form');
  const said = text(document).toLowerCase();
  const captcha = phrases.captcha.find((phrase) => said.includes(phrase));
  if (captcha) return verdict('captcha', captcha);
  if (page.text.includes('/httpservice/retry/enablejs')) return verdict('js_required', '/httpservice/retry/enablejs');
  const title = text(one(document, 'title')).toLowerCase();
  const consent = phrases.consentTitle.find((phrase) => title.startsWith(phrase) || said.startsWith(phrase));
  if (consent || one(document, '#L2AGLb, button[aria-label*="Reject all"]'))
    return verdict('consent', consent ?? 'consent button');
  const empty = phrases.empty.find((phrase) => said.includes(phrase));
  if (empty) return verdict('empty', empty);
  const shownCountry = countryOf(document);
  if (shownCountry !== null && shownCountry !== country.toUpperCase())
    return verdict('geo_mismatch', `page of ${shownCountry}`);
  return verdict('layout_changed', `no rule of ${reading.counts.length} read a product`);
}

const verdict = (name: PageClass, evidence: string): Verdict => ({ class: name, evidence });

const FOOTERS = '#footcnt, #fbar, footer, [role="contentinfo"]';
const MAX_FOOTER_PIECES = 200;

/** The country Google names in its footer, as an ISO code; null when it names none. */
function countryOf(document: Document): string | null {
  const pieces = new Set(
    all(document, FOOTERS)
      .flatMap((footer) => all(footer, 'div, span'))
      .slice(0, MAX_FOOTER_PIECES)
      .map((piece) => text(piece)),
  );
  if (pieces.size === 0) return null;
  const language = one(document, 'html')?.attribs.lang?.split('-')[0] ?? 'en';
  for (const locale of new Set([/^[a-z]{2}$/.test(language) ? language : 'en', 'en'])) {
    const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
    for (const code of REGIONS) {
      const name = names.of(code);
      if (name !== undefined && pieces.has(name)) return code;
    }
  }
  return null;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const REGIONS: readonly string[] = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));

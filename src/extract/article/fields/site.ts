// The name of the site: for its own sake, and to take it off titles and bylines.
import { getDomainWithoutSuffix } from 'tldts';
import { firstString, ofType } from '../../html/structured.ts';
import type { Facts } from '../page/facts.ts';
import { foldText } from '../page/words.ts';
import type { FieldValue, PageContext } from './found.ts';

export function siteName(facts: Facts): FieldValue | null {
  const meta = facts.meta('og:site_name', 'application-name', 'al:android:app_name');
  if (meta) return { value: meta.value, from: 'opengraph', detail: meta.name };
  const name = firstString(facts.article?.publisher ?? ofType(facts.ld, 'WebSite')[0]?.name);
  return name && !/^https?:/.test(name) ? { value: name, from: 'json-ld', detail: 'publisher' } : null;
}

/** The site's names to compare with, folded: what it states, and what its address says. */
export interface SiteNames {
  stated: string;
  host: string;
}

export function siteNames(stated: FieldValue | null, url: string | null): SiteNames {
  const host = url ? (getDomainWithoutSuffix(url) ?? '').replace(/[^a-z0-9]/g, '') : '';
  return { stated: foldText(stated?.value ?? ''), host };
}

const MORE_CHARS = 12;

/** Whether a text is the site's name. */
export function namesSite(text: string, { site: { stated, host } }: PageContext): boolean {
  const folded = foldText(text);
  if (folded === '') return false;
  if (stated !== '' && (folded === stated || (stated.length > 3 && folded.length < 40 && folded.includes(stated))))
    return true;
  if (host.length < 3) return false;
  const joined = folded.replace(/ /g, '').replace(/^the/, '');
  // "Docker Blog" names docker.com; "Docker images, validated by a laboratory" does not.
  const more = joined.length - host.length;
  return (
    joined === host || (joined.length >= 4 && host.includes(joined)) || (more <= MORE_CHARS && joined.startsWith(host))
  );
}

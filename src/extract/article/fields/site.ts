// The name of the site: for its own sake, and to take it off titles and bylines.
import { getDomainWithoutSuffix } from 'tldts';
import { firstString, ofType } from '../../structured.ts';
import { foldText } from '../words.ts';
import { type Found, firstOf, type Place, type Sight } from './found.ts';

const places: Place[] = [
  ({ facts }) => {
    const meta = facts.meta('og:site_name', 'application-name', 'al:android:app_name');
    return meta && { value: meta.value, from: 'opengraph', detail: meta.name };
  },
  ({ facts }) => {
    const publisher = facts.article?.publisher ?? ofType(facts.ld, 'WebSite')[0]?.name;
    const name = firstString(publisher);
    return name && !/^https?:/.test(name) ? { value: name, from: 'json-ld', detail: 'publisher' } : null;
  },
];

export const siteName = (sight: Sight): Found | null => firstOf(sight, places);

/** Whether a text is the site's name, by what it states or by its address. */
export function namesSite(text: string, sight: Sight): boolean {
  const folded = foldText(text);
  if (folded === '') return false;
  const stated = foldText(siteName(sight)?.value ?? '');
  if (stated !== '' && (folded === stated || (stated.length > 3 && folded.length < 40 && folded.includes(stated))))
    return true;
  const host = sight.url ? (getDomainWithoutSuffix(sight.url) ?? '').replace(/[^a-z0-9]/g, '') : '';
  if (host.length < 3) return false;
  const joined = folded.replace(/ /g, '').replace(/^the/, '');
  return joined === host || (joined.length >= 4 && host.includes(joined)) || joined.startsWith(host);
}

// Sites by name, or sources of one's own.

import type { FieldError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import { siteNameOf } from '../../model/source/site.ts';
import type { Source } from '../../sources/define.ts';

/** The source of that name among these, or what is wrong with the name. A source stands for itself. */
export function findSite(site: string | Source, sources: readonly Source[], pointer: string): Source | FieldError {
  if (typeof site !== 'string') return site;
  const names = sources.map(({ name }) => name);
  const meant = nearest(site, names);
  const called = siteNameOf(site, (name) => names.includes(name));
  return (
    sources.find(({ name }) => name === called) ?? {
      pointer,
      detail: `is not a site: "${site}"; ${meant === null ? `there are ${names.join(', ')}` : `did you mean ${meant}?`}`,
    }
  );
}

export const isProblem = (found: Source | FieldError): found is FieldError => 'pointer' in found;

// Errors in the parameters of a search, the same for a search now and for a schedule.
import type { FieldError } from '../../model/errors.ts';
import { type SiteCatalogue, siteNameOf } from '../../model/source/site.ts';

/** What the site is called here. */
export const siteName = (catalogue: SiteCatalogue, name: string): string =>
  siteNameOf(name, (one) => catalogue.all().some((site) => site.name === one));

export function unknownSite(catalogue: SiteCatalogue, name: string): FieldError {
  const known = catalogue.all().map((site) => site.name);
  return { pointer: '/site_name', detail: `has an unknown site "${name}". Known sites: ${known.join(', ')}` };
}

/** A misspelt parameter would silently widen the search; sites that do not have a parameter of another site add a warning. */
export function unknownParams(
  catalogue: SiteCatalogue,
  names: string[],
  params: Record<string, unknown>,
): FieldError[] {
  const sites = catalogue.all().filter((site) => names.includes(site.name));
  if (sites.length === 0 || sites.some((site) => site.params.properties === undefined)) return [];
  const known = new Set(sites.flatMap((site) => Object.keys((site.params.properties as object | undefined) ?? {})));
  return Object.keys(params)
    .filter((name) => !known.has(name))
    .map((name) => ({
      pointer: `/${name}`,
      detail: `is not a parameter of ${names.join(', ')}. See GET /jobs/sites`,
    }));
}

/** Swapping them silently would hide a mistake. */
export function pauseErrors(least: unknown, most: unknown): FieldError[] {
  if (typeof least !== 'number' || typeof most !== 'number' || least <= most) return [];
  return [{ pointer: '/min_pause_seconds', detail: 'is longer than max_pause_seconds' }];
}

// One spelling for each address, so that equal pages have equal keys.

/** Parameters that say where a reader came from, not which page it is. */
const TRACKING =
  /^(utm_\w+|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|mc_cid|mc_eid|igshid|_hsenc|_hsmi|ref_src)$/i;

/** Throws TypeError for what is no absolute URL. */
export function canonicalUrl(address: string): string {
  const url = new URL(address.trim());
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  if (url.search === '?') url.search = '';
  return url.href.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
}

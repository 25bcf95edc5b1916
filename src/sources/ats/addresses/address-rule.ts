// What a rule about a vendor's addresses is made of. Pure.
// What a reader would get wrong: words such as `api`, `embed` or `www` stand where tokens stand and are never tokens.

export interface Settings {
  scraper_type: string;
  [key: string]: string;
}

export interface AddressRule {
  /** The source that scrapes it. */
  vendor: string;
  /** What its hosts end with, for finding addresses in a text. */
  domains: readonly string[];
  host: RegExp;
  /** The parameters that an address of such a host leads to; null when it names no company. */
  settings(url: URL): Record<string, string> | null;
}

const RESERVED = new Set(
  'api apply v0 v1 v2 v3 embed js css assets www app apps docs help support status static cdn images blog info job jobs careers company oneclick-ui search login privacy terms sitemap.xml robots.txt favicon.ico'.split(
    ' ',
  ),
);

export const NAME = /^[\w-]{1,100}$/;

/** A part of an address that names a company, spelled out; null for a word of the vendor's own. */
export function token(text: string | undefined | null, pattern = /^[\w.-]{1,100}$/): string | null {
  const name = named(text, pattern);
  return name === null || RESERVED.has(name.toLowerCase()) ? null : name;
}

/** The same where companies name it as they like, and many like `Careers` and `jobs`. */
export function named(text: string | undefined | null, pattern = NAME): string | null {
  if (text == null) return null;
  const name = safeDecode(text);
  return pattern.test(name) ? name : null;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text is its own spelling.
    return text;
  }
}

export const segments = (url: URL): string[] => url.pathname.split('/').filter((part) => part !== '');
export const label = (url: URL): string => url.hostname.split('.')[0]!;
/** The segment behind another one. */
export const after = (url: URL, ...names: string[]): string | undefined => {
  const parts = segments(url);
  const at = parts.findIndex((part) => names.includes(part.toLowerCase()));
  return at < 0 ? undefined : parts[at + 1];
};
export const one = (name: string, value: string | null): Record<string, string> | null =>
  value === null ? null : { [name]: value };
export const GUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** `en`, `en-US`: where sites put the language before everything else. */
export const isLocale = (part: string): boolean => /^[a-z]{2}(?:[-_][A-Za-z]{2})?$/.test(part);

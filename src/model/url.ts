// One spelling for each address, so that equal pages have equal keys. It is for comparing: fetch the address as it was given, since a few servers
// do mind whether `?1750,4` or `?1750%2C4=` is asked for. Escapes are read as bytes, never as UTF-8, or `%A3` and `%A4` would become the same page.

/** Parameters that say where a reader came from, not which page it is. */
const TRACKING = new RegExp(
  `^(?:${[
    'utm_\\w+',
    'pk_\\w+',
    'mtm_\\w+',
    'hsa_\\w+',
    'at_(?:medium|campaign|custom\\d)',
    '[dg]clid|gclsrc|gad_source|gad_campaignid|[gw]braid|srsltid|_ga|_gl',
    'fbclid|igshid|igsh|twclid|ttclid|li_fat_id|epik',
    'msclkid|yclid|ysclid|_openstat|rb_clickid|wickedid',
    'mc_[ce]id|mkt_tok|vero_(?:id|conv)|oly_(?:enc|anon)_id',
    '_hsenc|_hsmi|__hssc|__hstc|__hsfp|hsctatracking',
    'ref_src|ref_url|ns_mchannel|ns_campaign',
  ].join('|')})$`,
  'i',
);

/** An address in which nothing could be spelled otherwise: most are. `/.` may be a step up, `xn--` a name that is none. */
const PLAIN = /^https:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}\/[A-Za-z0-9._~/-]*$/;
export const isPlain = (address: string): boolean =>
  PLAIN.test(address) && !address.includes('/.') && !address.includes('xn--');

const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/** An address on a page or in an answer, whole; null when it is none. */
export const absoluteUrl = (address: string | null | undefined, base: string): string | null =>
  (address && URL.parse(address, base)?.href) || null;

/** Throws TypeError for what is no absolute URL. */
export function canonicalUrl(address: string): string {
  if (isPlain(address)) return address;
  const url = new URL(address.trim());
  // Setting a part serialises the whole URL again; most URLs need no change.
  const path = canonicalPath(url.pathname);
  if (path !== url.pathname) url.pathname = path;
  if (!/[?#]/.test(url.href)) return url.href;
  url.hash = '';
  const pairs = readQuery(url.search.slice(1)).filter(([name]) => !TRACKING.test(name));
  url.search = pairs
    .sort(byNameThenValue)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
  return url.href;
}

/** An escape that need not be one is undone, the others are written in capitals; what a URL may not hold bare is escaped. */
function canonicalPath(path: string): string {
  return path.replace(/%[0-9a-f]{2}|["<>\\^`{|}]/gi, (match) => {
    if (match.length === 1) return escapeOf(match);
    const char = String.fromCharCode(Number.parseInt(match.slice(1), 16));
    return UNRESERVED.test(char) ? char : match.toUpperCase();
  });
}

type Pair = [name: string, value: string];

/** As forms write it: `+` is a space, a name without `=` has an empty value, empty parts mean nothing. One character a byte. */
function readQuery(query: string): Pair[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part): Pair => {
      const at = part.indexOf('=');
      return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
    });
}

function decode(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function encode(bytes: string): string {
  return bytes.replace(/[^A-Za-z0-9._~-]/g, (char) => (char === ' ' ? '+' : escapeOf(char)));
}

const escapeOf = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

function byNameThenValue(a: Pair, b: Pair): number {
  return compare(a[0], b[0]) || compare(a[1], b[1]);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

// The ways in which vendors write one place, brought into one: "City, Region, Country". "United States - CA - San Francisco", "USA.CA.San Jose",
// "DE-Berlin", "US-AR-SPRINGDALE-BLDG 1", "DEU Wiesbaden - Army Airfield", "Sydney NSW", "80331 München".
// What a reader would get wrong: two letters before a hyphen are a country or a US state, and the city behind them decides: DE-Berlin, DE-Wilmington.
import {
  cityNamed,
  countryNamed,
  countryOfCode,
  isCountryCode,
  isPlaceOfState,
  isRegionCode,
  isStateAndCountry,
  regionOf,
} from './gazetteer.ts';

export interface Parts {
  city: string;
  region: string | null;
  country: string;
}

const POSTAL_BEFORE =
  /^(?:\d{4} [A-Z]{2}|(?:[A-Z]{1,2}-)?\d{4,5}|\d{2}-\d{3}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}) (?=\p{L})/u;
const DISTRICT_AFTER = / \d{1,2}(?:e|er|[eè]me)(?: arr(?:ondissement|\.)?)?$/i;
const ROOM = /^(?:bldg|building|floor|suite|room|site|plant)\b/i;

/** Large to small, joined by hyphens or dots; null where the text is not of that form. */
export function fromLargeToSmall(text: string, hint: string | null): Parts | null {
  const parts = partsOf(text);
  const [head = '', second = '', third = ''] = parts;
  if (parts.length < 2 || head.includes(',') || second === '') return null;
  const country = countryOfHead(head, parts.length === 2 ? second : third, hint);
  if (country === null) {
    const state = head.length > 1 ? regionOf('US', head) : null;
    if (state !== null && (head.length > 2 || head === head.toUpperCase()))
      return { city: second, region: state, country: 'US' };
    // "Garden City-Texas-United States": small to large, as it is also written.
    const tail = parts.length === 3 ? countryNamed(third.split(' ')[0]!) : null;
    return tail === null ? null : { city: second, region: null, country: tail };
  }
  if (country === 'US' && isState(head)) return { city: second, region: regionOf('US', head), country };
  if (parts.length === 2 || ROOM.test(third)) return { city: second, region: null, country };
  const isRegion = regionOf(country, second) !== null || isRegionCode(country, second);
  if (!isRegion && cityNamed(second)?.country === country) return { city: second, region: null, country };
  return { city: third, region: regionOf(country, second) ?? second, country };
}

const isState = (head: string) => countryNamed(head) === null && regionOf('US', head) !== null;

function partsOf(text: string): string[] {
  if (/^[A-Z]{2,3}\.\p{L}/u.test(text)) return split(text, '.');
  // "FRANCE.Toulouse", "United States.AZ.Phoenix".
  const dotted = /^([\p{L} ]{4,40})\.(?=\p{L})/u.exec(text);
  if (dotted && countryNamed(dotted[1]!) !== null) return split(text, '.');
  if (!text.includes(' - ') || /^[A-Z]{2} - [^,-]+$/.test(text)) return split(text, '-');
  // "DEU-Wiesbaden - Army Airfield": what follows the dash is the office.
  return /^[A-Z]{2,3}-/.test(text) ? split(text.split(' - ')[0]!, '-') : [];
}

const split = (text: string, separator: string) => text.split(separator).map((part) => part.trim());

/** The country the first part names; null where it names none, 'US' with a state where it is one. */
function countryOfHead(head: string, city: string, hint: string | null): string | null {
  if (isStateAndCountry(head)) return cityNamed(city)?.country === countryNamed(head) ? countryNamed(head) : null;
  const named = countryNamed(head);
  if (named !== null || !isCountryCode(head)) return named;
  const country = countryOfCode(head);
  if (regionOf('US', head) === null || /^\d+$/.test(city)) return country;
  if (hint === 'US' || isPlaceOfState(head, city)) return null;
  const found = cityNamed(city);
  return hint === country || found?.country === country || isPlaceOfState(head, city) === false ? country : null;
}

/** "USA VA Chantilly", "DEU Wiesbaden - Wiesbaden Army Airfield (APC180)". */
export function fromCodes(text: string): Parts | null {
  const match = /^([A-Z]{3}) (?:([A-Z]{2}) )?([^,\s-][^,]*)$/.exec(text);
  const country = match ? countryNamed(match[1]!) : null;
  if (!match || country === null) return null;
  return { city: match[3]!.split(' - ')[0]!, region: match[2] ? regionOf(country, match[2]) : null, country };
}

/** "United States - CA - San Francisco" and "Curitiba - PR" with commas; other dashes as they are. */
export function dashesToCommas(text: string): string | null {
  const parts = text.split(/ [-–—] /).map((part) => part.trim());
  const [head = '', second = '', third] = parts;
  if (parts.length < 2 || text.includes(',')) return null;
  if (third !== undefined) {
    const country = countryNamed(head) ?? (isCountryCode(head) && !isState(head) ? countryOfCode(head) : null);
    if (country === null) return null;
    const isRegion = regionOf(country, second) !== null || cityNamed(second)?.country !== country;
    return isRegion ? `${third}, ${second}, ${country}` : null;
  }
  if (isStateAndCountry(head)) return `${second}, ${head}`;
  const city = cityNamed(head);
  return city !== null && isRegionCode(city.country, second) ? `${head}, ${second}` : null;
}

/** A code of a region behind the city, without a comma: "Sydney NSW", "Austin TX 78701", "Milano MI". */
export function cityAndCode(text: string, hint: string | null): Parts | null {
  const match = /^(\p{L}[^,\d]{1,60}) ([A-Z]{2,3})(?: \d{4,5})?$/u.exec(text);
  if (!match || match[1] === match[1]!.toUpperCase()) return null;
  const [, city, code] = match as unknown as [string, string, string];
  const known = cityNamed(city)?.country ?? null;
  for (const country of [known, hint, 'US', 'CA', 'AU']) {
    if (country === null || !(regionOf(country, code) !== null || isRegionCode(country, code))) continue;
    return { city, region: regionOf(country, code) ?? code, country };
  }
  return null;
}

/** Without what stands before or behind a city's name as part of its address. */
export const withoutAddress = (name: string): string => name.replace(POSTAL_BEFORE, '').replace(DISTRICT_AFTER, '');

// One place out of one piece of text: "Toronto, ON, CA, M5C2V9", "US-AR-SPRINGDALE-BLDG 1", "Greater Boston", "DEU Wiesbaden - Army Airfield".
// What a reader would get wrong: two letters at the end are a US state or a country, and the same letters can be both (CA, DE, IN). The parts before,
// the postal code behind and the country of the board decide; where nothing does, a US state is likelier.
import type { JobLocation } from '../../model/posting/posting.ts';
import { strip } from '../strip.ts';
import { cityAndCode, dashesToCommas, fromCodes, fromLargeToSmall, withoutAddress } from './forms.ts';
import {
  cityNamed,
  countryNamed,
  countryOfCode,
  countryOfRegion,
  fold,
  isCountryCode,
  isMacroRegion,
  isPlaceOfState,
  isRegionCode,
  isStateAndCountry,
  isZipOf,
  regionOf,
} from './gazetteer.ts';

type SegmentLocation = Omit<JobLocation, 'raw' | 'lat' | 'lon'>;

const NOTHING: SegmentLocation = { city: null, region: null, country: null, kind: 'unknown' };
const POSTAL = /^(?:[A-Z]{1,2}-?)?\d[\dA-Z -]{0,9}$/i;
const TRAILING_POSTAL = / (?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/i;
/** What some write before the place. */
const LABEL =
  /^\s{0,9}(?:(?:dienst|einsatz|arbeits)?(?:stand)?ort|location|job location|office|lieu(?: de travail)?|sede|ubicación|lugar|luogo|localização|standplaats|vestiging|locatie|lokalizacja|miejsce pracy)(?:\s?:\s{0,9}|\s{1,9}(?=\p{Lu}[\p{L}-]{2,40}$))/iu;
const ABSENT =
  /^(?:unavailable|n\/?a|any ?city|unknown|none|null|tbd|multiple[^,]*|various[^,]*|statewide|nationwide|bundesweit|landesweit|virtual|flexible|university|college|hospital|campus|office|headquarters|friendly|multi-?location.*)$/i;
const AREA =
  /^(?:greater (.{1,200}?)(?: area)?|(.{1,200}?) (?:metropolitan area|metro(?:politan)?(?: area)?|metroplex|and surrounding area|area))$/i;
const BAY_AREA = /^(?:san francisco\s+)?bay area$/i;
const DIRECTION =
  / (?:zuid|noord|oost|west|nord|süd|sud|ost|north|south|east|centrum|centre|center|city|campus|downtown|temporary|cedex(?: \d{1,3})?)$/i;

export function readSegment(text: string, hint: string | null): SegmentLocation {
  const bare = tidy(text.replace(LABEL, ''))
    .replace(/^([A-Z]{2,3})\.$/, '$1')
    .replace(/^\(([^()]*)\)$/, '$1');
  if (bare === '' || ABSENT.test(bare)) return NOTHING;
  const whole = fromLargeToSmall(bare, hint) ?? fromCodes(bare);
  if (whole !== null)
    return placeOf(whole.city, regionName(whole.region ?? '', whole.country, whole.city), whole.country);
  return fromCommas(dashesToCommas(bare) ?? afterDash(bare, hint), hint);
}

function tidy(text: string): string {
  return strip(text.replace(/\s+/g, ' '), ' ,-–|:');
}

/** "Angel Oak LLC - Atlanta, GA 30326": the part that ends like an address; otherwise the first that is a place at all. */
function afterDash(text: string, hint: string | null): string {
  const parts = text.split(/ [-–—] /);
  const [head = '', second = ''] = parts;
  if (parts.length === 1) return text;
  const country = countryNamed(head);
  if (country !== null && !second.includes(',')) return `${second}, ${country}`;
  const address = parts.findLast((part) => /,\s*[A-Z]{2}(?:\s+\d{5}(?:-\d{4})?)?$/.test(part));
  return address ?? parts.find((part) => fromCommas(part, hint).kind !== 'unknown') ?? text;
}

function fromCommas(text: string, hint: string | null): SegmentLocation {
  const inBrackets = /\(([^()]+)\)/.exec(text)?.[1]?.trim() ?? null;
  const raw = text.split(',').map((part) => tidy(part.replace(/\([^()]*\)/g, ' ')));
  const kept = raw.filter((part) => part !== '');
  const hasPostal = kept.length > 1 && POSTAL.test(kept.at(-1)!) && /\d/.test(kept.at(-1)!);
  const postal = hasPostal ? kept.pop()! : null;
  const parts = kept.map((part) => part.replace(TRAILING_POSTAL, '')).filter((part) => !/^\d+$/.test(part));
  const last = parts.at(-1);
  if (last === undefined) return NOTHING;
  if (parts.length === 1) return alone(withoutAddress(last), inBrackets, hint);
  const home = homeOf(parts, hint);
  if (home !== null) return placeOf(parts.at(-2)!, regionOf(home, last) ?? last, home);
  const country = countryNamed(last) ?? countryByCode(parts, postal, hint);
  if (country !== null) return withCountry(parts.slice(0, -1), country);
  for (const home of [hint, 'US', 'CA', 'AU'] as const) {
    const region = home === null ? null : regionOf(home, last);
    if (region !== null) return placeOf(parts.at(-2)!, region, home);
  }
  // "US, CA, Santa Clara" and "Canada, Québec, Quebec City": large to small.
  const first = countryNamed(parts[0]!) ?? (isCountryCode(parts[0]!) ? countryOfCode(parts[0]!) : null);
  if (first !== null) {
    const region = parts.length > 2 ? (regionOf(first, parts[1]!) ?? parts[1]!) : null;
    return placeOf(last, region, first);
  }
  const city = cityNamed(parts[0]!);
  return placeOf(withoutAddress(parts[0]!), city?.region ?? parts[1]!, city?.country ?? countryOfRegion(last) ?? hint);
}

/** The country of a city that is known, where the tail is one of its regions: "Milano, MI", "Perth, WA", "Tbilisi, Georgia". */
function homeOf(parts: string[], hint: string | null): string | null {
  const [name, tail] = [parts.at(-2)!, parts.at(-1)!];
  const city = cityNamed(name)?.country ?? null;
  if (isStateAndCountry(tail)) return city === countryNamed(tail) || hint === countryNamed(tail) ? null : 'US';
  if (city === null || city === 'US' || hint === 'US' || !/^[A-Z]{2,4}$/.test(tail)) return null;
  return regionOf(city, tail) !== null || isRegionCode(city, tail) ? city : null;
}

/** The tail as an ISO code, when it is not more likely a US state. */
function countryByCode(parts: string[], postal: string | null, hint: string | null): string | null {
  const code = parts.at(-1)!;
  if (!isCountryCode(code)) return null;
  const country = countryOfCode(code);
  const isState = regionOf('US', code) !== null;
  if (!isState || hint === country) return country;
  if (hint === 'US') return null;
  const before = parts.at(-2)!;
  if (parts.length > 2 && cityNamed(parts[0]!)?.country === country) return country;
  if (parts.length > 2 && (regionOf(country, before) !== null || regionOf('US', before) === null)) return country;
  if (postal !== null) return isZipOf(code, postal) ? null : country;
  const isThere = isPlaceOfState(code, before);
  if (isThere !== null) return isThere ? null : country;
  const city = cityNamed(before);
  return city?.country === country && !(city.country === 'US') ? country : null;
}

function withCountry(parts: string[], country: string): SegmentLocation {
  const [first, second] = [parts[0]!, parts.at(-1)!];
  if (parts.length > 1) return placeOf(first, regionName(second, country, first), country);
  // "Michigan, United States" and "Iowa, US" are regions; "Mexico City, MEX" is not.
  const region = regionOf(country, first);
  const isCity = cityNamed(first)?.country === country && !/^[A-Z]{2,3}$/.test(first);
  const isState = region !== null && country === 'US' && fold(first) !== 'new york';
  if (region === null && countryOfRegion(first) === country)
    return { city: null, region: first, country, kind: 'region' };
  if (region !== null && (isState || !isCity)) return { city: null, region, country, kind: 'region' };
  // "Sydney NSW, Australia".
  const tail = /^(.+)\s([A-Z]{2,3})$/.exec(first);
  const code = tail ? codeIn(country, tail[2]!) : null;
  return code === null ? placeOf(first, null, country) : placeOf(tail![1]!, code, country);
}

function regionName(name: string, country: string, city: string): string | null {
  if (name === '' || ABSENT.test(name) || /^\d+$/.test(name) || countryNamed(name) === country) return null;
  return regionOf(country, name) ?? (fold(name) === fold(city) ? null : name);
}

function alone(name: string, inBrackets: string | null, hint: string | null): SegmentLocation {
  if (isMacroRegion(name)) return { ...NOTHING, kind: 'macro' };
  if (BAY_AREA.test(name)) return { city: null, region: 'CA', country: 'US', kind: 'area' };
  const area = AREA.exec(name);
  if (hint !== null && isCountryCode(name) && countryOfCode(name) === hint && name !== 'US')
    return { city: null, region: null, country: hint, kind: 'country' };
  const state = /^washington,? d\.?c\.?$/i.test(name) ? null : regionOf('US', name);
  const country = countryNamed(name) ?? (isCountryCode(name) && state === null ? countryOfCode(name) : null);
  if (fold(name) === 'new york') return placeOf(name, 'NY', 'US');
  if (state !== null && (hint === 'US' || country === null))
    return { city: null, region: state, country: 'US', kind: 'region' };
  if (state !== null && hint === country) return { city: null, region: null, country, kind: 'country' };
  // Georgia without a hint is a state and a country.
  if (state !== null) return { ...NOTHING, region: null };
  const ofCountry = country === null && cityNamed(name) === null ? countryOfRegion(name) : null;
  if (ofCountry !== null) return { city: null, region: name, country: ofCountry, kind: 'region' };
  const home = hint === null ? null : regionOf(hint, name);
  if (home !== null) return { city: null, region: home, country: hint, kind: 'region' };
  const city = cityNamed(name);
  if (country !== null) {
    if (city?.country === country) return placeOf(name, null, country);
    const region = inBrackets === null ? null : regionOf(country, inBrackets);
    return { city: null, region, country, kind: region === null ? 'country' : 'region' };
  }
  if (area) {
    const inner = cityNamed((area[1] ?? area[2])!.replace(/^new york city$/i, 'New York'));
    if (inner) return { city: inner.name, region: inner.region, country: inner.country, kind: 'area' };
  }
  if (/^washington,? d\.?c\.?$/i.test(name)) return placeOf('Washington', 'DC', 'US');
  const coded = city === null ? cityAndCode(name, hint) : null;
  if (coded !== null) return placeOf(coded.city, coded.region, coded.country);
  const bracketed = city && inBrackets ? codeIn(city.country, inBrackets) : null;
  if (city) return placeOf(name, bracketed ?? city.region, city.country);
  const hinted = hint === null ? null : regionOf(hint, inBrackets ?? name);
  if (hinted !== null)
    return inBrackets === null
      ? { city: null, region: hinted, country: hint, kind: 'region' }
      : placeOf(name, hinted, hint);
  const trimmed = name.replace(DIRECTION, '');
  if (trimmed !== name) return alone(trimmed, inBrackets, hint);
  return hint !== null && /^[\p{L}.'’ -]{2,40}$/u.test(name) ? placeOf(name, null, hint) : NOTHING;
}

/** A region by a name or code it is known by, or a code as it is written. */
const codeIn = (country: string, name: string) =>
  regionOf(country, name) ?? (isRegionCode(country, name) ? name : null);

function placeOf(written: string, region: string | null, country: string | null): SegmentLocation {
  const city = cityText(withoutAddress(written), country);
  if (city !== null) return { city, region, country, kind: 'city' };
  return { city: null, region, country, kind: region !== null ? 'region' : country !== null ? 'country' : 'unknown' };
}

function cityText(name: string, country: string | null): string | null {
  let text = tidy(name.replace(/\([^)]*(?:\)|$)/g, ' ').split(' ~ ')[0]!);
  if (text === '' || ABSENT.test(text) || !/\p{L}/u.test(text)) return null;
  const isKnown = (candidate: string) => cityNamed(candidate)?.country === country;
  const shorter = text.replace(DIRECTION, '');
  if (
    shorter !== text &&
    (/cedex|campus|temporary/i.test(text.slice(shorter.length)) ||
      (country !== 'US' && isKnown(shorter) && !isKnown(text)))
  )
    text = shorter;
  const spelled = cityNamed(text);
  if (spelled && fold(spelled.name) !== fold(text) && !/city$/i.test(text)) text = spelled.name;
  // Capitals are how feeds shout, not how the place is written.
  if (text.length > 3 && text === text.toUpperCase())
    text = text.toLowerCase().replace(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());
  return text;
}

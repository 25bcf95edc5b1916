// Which names are countries, regions and cities. Everything here is a lookup of a name as it is written; what a text means is decided in segment.ts.
// What a reader would get wrong: a city is listed only where its name means one country far more than any other, so "not found" says nothing.
import cityTable from './cities.json' with { type: 'json' };
import cityNames from './city-names.json' with { type: 'json' };
import countryTable from './countries.json' with { type: 'json' };
import regionTable from './regions.json' with { type: 'json' };

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da'];

export const fold = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[’']/g, "'").replace(/\s+/g, ' ').trim();

interface Gazetteer {
  countries: Map<string, string>;
  threeLetters: Map<string, string>;
  twoLetters: Set<string>;
  /** Country → folded name or code → code. */
  regions: Map<string, Map<string, string>>;
  cities: Map<string, CityFact>;
  macro: Set<string>;
  /** Codes that are recognised and kept as they are written. */
  codes: Map<string, Set<string>>;
  /** Folded names of regions that are not written as codes → their country. */
  countryOfRegion: Map<string, string>;
  /** All places of a state whose code is more often a country's. */
  places: Map<string, Set<string>>;
}

export interface CityFact {
  name: string;
  country: string;
  /** US state, where the name means one. */
  region: string | null;
}

// A memo of constant data: built at first use (some 20,000 names), since most commands never read a place.
let loaded: Gazetteer | undefined;

function gazetteer(): Gazetteer {
  loaded ??= build();
  return loaded;
}

function build(): Gazetteer {
  const pairs = countryTable.codes.split(' ').map((pair) => pair.split(':') as [string, string]);
  const countries = new Map<string, string>();
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    for (const [code] of pairs) {
      const name = fold(names.of(code) ?? code);
      if (!countries.has(name)) countries.set(name, code);
    }
  }
  for (const [code, names] of Object.entries(countryTable.aliases))
    for (const name of names) countries.set(fold(name), code);
  const regions = new Map<string, Map<string, string>>();
  for (const country of ['US', 'CA', 'AU'] as const) {
    const known = new Map<string, string>();
    for (const row of regionTable[country].split('|')) {
      const [code = '', ...name] = row.split(' ');
      known.set(code.toLowerCase(), code);
      known.set(fold(name.join(' ')), code);
    }
    const aliases = (regionTable.aliases as Record<string, Record<string, string>>)[country] ?? {};
    for (const [name, code] of Object.entries(aliases)) known.set(fold(name), code);
    regions.set(country, known);
  }
  const cities = new Map<string, CityFact>();
  const put = (name: string, key: string, spelled = name) => {
    const [country = '', region] = key.split('-');
    cities.set(fold(name), { name: spelled, country, region: region ?? null });
  };
  for (const [key, names] of Object.entries(cityTable.cities)) for (const name of names.split('|')) put(name, key);
  const spelled = cityNames.spelled as Record<string, string>;
  for (const [name, key] of Object.entries(cityNames.cities)) put(name, key, spelled[name]);
  return {
    countries,
    threeLetters: new Map(pairs.map(([two, three]) => [three, two])),
    twoLetters: new Set(pairs.map(([two]) => two)),
    regions,
    cities,
    macro: new Set(countryTable.macro),
    codes: new Map(Object.entries(regionTable.codes).map(([country, list]) => [country, new Set(list.split(' '))])),
    countryOfRegion: new Map(
      Object.entries(regionTable.names).flatMap(([country, list]) =>
        list.split('|').map((name) => [fold(name), country] as const),
      ),
    ),
    places: new Map(
      Object.entries(regionTable.places).map(([state, list]) => [state, new Set(list.split('|').map(fold))]),
    ),
  };
}

/** ISO code of a country's name in one of ten languages, or of its three-letter code in capitals. */
export function countryNamed(name: string): string | null {
  const { countries, threeLetters } = gazetteer();
  return threeLetters.get(name.trim()) ?? countries.get(fold(name)) ?? null;
}

export function isCountryCode(text: string): boolean {
  return /^[A-Z]{2}$/.test(text) && (text === 'UK' || gazetteer().twoLetters.has(text));
}

export const countryOfCode = (code: string): string => (code === 'UK' ? 'GB' : code);

/** What a person may give as a country: a name, or a code in any case. */
export function countryFrom(text: string): string | null {
  const upper = text.trim().toUpperCase();
  return isCountryCode(upper) ? countryOfCode(upper) : countryNamed(text.trim().length === 3 ? upper : text);
}

export function regionOf(country: string, name: string): string | null {
  // Codes have no accents: Vä is a place in Sweden and not Virginia.
  if (/^[^,]{0,3}$/.test(name) && /[^ -~]/.test(name)) return null;
  return gazetteer().regions.get(country)?.get(fold(name)) ?? null;
}

/** The country of a region that is known by name alone: Bayern, Occitanie. */
export const countryOfRegion = (name: string): string | null => gazetteer().countryOfRegion.get(fold(name)) ?? null;

/** Whether capitals are how that country writes one of its regions. */
export const isRegionCode = (country: string, code: string): boolean =>
  gazetteer().codes.get(country)?.has(code) ?? false;

/** Whether a place is one of that US state; null where the list of its places is not known to be complete. */
export function isPlaceOfState(state: string, place: string): boolean | null {
  return gazetteer().places.get(state)?.has(fold(place)) ?? null;
}

/** Georgia: a name that only the rest of the address explains. */
export const isStateAndCountry = (name: string): boolean =>
  name.length > 3 && regionOf('US', name) !== null && countryNamed(name) !== null;

export function cityNamed(name: string): CityFact | null {
  return gazetteer().cities.get(fold(name)) ?? null;
}

export const isMacroRegion = (name: string): boolean => gazetteer().macro.has(fold(name));

/** Whether a ZIP code lies in the US state: tells "Wilmington, DE 19801" from "Walldorf, DE 69190". */
export function isZipOf(state: string, zip: string): boolean {
  const starts = (regionTable.zip as Record<string, string>)[state];
  return /^\d{5}(?:-\d{4})?$/.test(zip) && (starts?.split(' ').includes(zip.slice(0, 2)) ?? false);
}

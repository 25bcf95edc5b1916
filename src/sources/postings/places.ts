// Locations of an advertisement, from its text and its fields. A city in a field is preferred to a label,
// because labels are names of offices; a label that names several places is believed before a single address.
import { countryFrom, type Locations, parseLocation } from '../../extract/location/location.ts';
import type { JobLocation } from '../../model/posting/posting.ts';
import type { PlaceSaid } from './advert.ts';
import { nonEmptyText } from './text.ts';

export interface PlacesFound {
  places: JobLocation[];
  /** What the texts say about remote work. */
  remote: Locations['remote'];
}

export function placesOf(all: readonly (PlaceSaid | null)[]): PlacesFound {
  const places: JobLocation[] = [];
  let remote: Locations['remote'] = null;
  for (const one of all) {
    if (one === null) continue;
    const found = placeOf(one);
    remote ??= found.remote;
    for (const place of found.places) if (!places.some((other) => isSame(other, place))) places.push(place);
  }
  return { places, remote };
}

function placeOf(one: PlaceSaid): PlacesFound {
  const [text, city, region, country] = [
    nonEmptyText(one.text),
    nonEmptyText(one.city),
    nonEmptyText(one.region),
    nonEmptyText(one.country),
  ];
  const code = country === null ? null : countryFrom(country);
  const shown = text === null ? null : parseLocation(text, { country: code });
  const remote = shown?.remote ?? null;
  if (shown !== null && (shown.places.length > 1 || (city === null && region === null && country === null)))
    return { places: shown.places, remote };
  const parts = [city, region, code ?? country].filter((part) => part !== null).join(', ');
  if (parts === '') return { places: [], remote };
  const read = parseLocation(parts, { country: code }).places[0];
  const best = city === null ? within(code, shown?.places[0] ?? read) : read;
  const place: JobLocation = {
    raw: text ?? [city, region, country].filter((part) => part !== null).join(', '),
    city: city === null ? (best?.city ?? null) : spelled(city, read?.city),
    region: best?.region ?? region ?? read?.region ?? null,
    country: code ?? best?.country ?? read?.country ?? null,
    lat: coordinate(one.lat),
    lon: coordinate(one.lon),
    kind: 'unknown',
  };
  return { places: [{ ...place, kind: kindOf(place, best?.kind) }], remote };
}

/** A country in a field of its own is believed: what was read as a place elsewhere keeps its name, and nothing that was concluded from it. */
function within(country: string | null, place: JobLocation | undefined): JobLocation | undefined {
  if (place === undefined || country === null || place.country === null || place.country === country) return place;
  return { ...place, region: null, country };
}

function kindOf(place: JobLocation, read: JobLocation['kind'] | undefined): JobLocation['kind'] {
  if (place.city !== null) return 'city';
  if (read === 'area' || read === 'macro' || read === 'remote') return read;
  return place.region !== null ? 'region' : place.country !== null ? 'country' : 'unknown';
}

function isSame(a: JobLocation, b: JobLocation): boolean {
  if (a.city === null && a.region === null && a.country === null) return a.raw === b.raw;
  return a.city === b.city && a.region === b.region && a.country === b.country;
}

function coordinate(value: number | string | null | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A field that is a city is one, however it was read; reading only mends its spelling. */
function spelled(city: string, read: string | null | undefined): string {
  return read && read.slice(0, 2).toLowerCase() === city.slice(0, 2).toLowerCase() ? read : city;
}

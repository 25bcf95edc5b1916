// Places out of what postings write as their location: all of them, whether work is remote, and whether the text was cut short.
// What a reader would get wrong: an unknown place is not an error. Nothing here throws; unknown parts stay null, and `raw` is always kept.
import { createMemo } from '../../model/memo.ts';
import type { JobLocation } from '../../model/posting/posting.ts';
import { strip } from '../strip.ts';
import { cityNamed, countryNamed, isMacroRegion, isRegionCode, regionOf } from './gazetteer.ts';
import { readSegment } from './segment.ts';

export { countryFrom } from './gazetteer.ts';

export interface Locations {
  places: JobLocation[];
  /** What the location says of remote work: `maybe` for "or remote" and "remote-friendly". */
  remote: 'remote' | 'hybrid' | 'maybe' | null;
  /** "+2 more": there are places the text does not name. */
  isTruncated: boolean;
}

export interface LocationOptions {
  /** ISO code of the country of the board or the search: settles "CA" and "Georgia". */
  country?: string | null;
}

const MORE = / ?(?:\(?\+ ?\d{1,4} (?:more|others?)\)?…?|\band \d{1,4} (?:more|others?))$/i;
const COUNT_ONLY = /^\d+\s+(?:locations?|standorte|lieux)$/i;
const REMOTE =
  /\b(?:100%\s*)?(?:fully\s+)?remote(?:\s+(?:work|job|position|role|based|first|only))?\b|\bwork(?:ing)? from home\b|\bwfh\b|\btele(?:commut(?:e|ing)|work)\b|\bhome[- ]?(?:based|office)\b|\banywhere\b|\bt[ée]l[ée]travail\b|\bworldwide\b|\bteletraba(?:jo|lho)\b|\b(?:da |in |100 ?% )?remoto\b|\bpraca zdalna\b|\bzdaln(?:ie|a|y)\b|\bfernarbeit\b|\bthuiswerk(?:en)?\b|\bà distance\b|\bvirtual(?=[,:]|\s?[-–(]|$)|リモート|远程/giu;
const ANY_REMOTE = new RegExp(REMOTE.source, 'iu');
const MAYBE_REMOTE =
  /remote[- ]friendly|\bor\s+(?:fully\s+)?remote|remote\b[^|;]{0,100}\bor\b|remote (?:possible|option|optional|opportunity available)|remote-?eligible/i;
const NOISE =
  /^(?:work )?location(?: is|:)|\bremote-friendly\b|\(travel-required\)|\bopportunity available\b|\bor on-?site\b|\bon-?site\b|\bhybrid\b|\bin-?office\b|\(all areas\)|\(hq\)|\bheadquarters\b|\bpräsenz\b|\bpresencial\b|\bvor ort\b|\bsur site\b|\bibrido\b|\bh[íi]brido\b|\bhybride?\b|\bor\s*$|^\s*or\b/giu;
const MAX_PLACES = 50;
const MAX_CHARS = 1_000;

/** One search names the same few places on every row. */
const read = createMemo<Locations>(5_000);

/** The places a text names, and what it says of remote work. A place it does not know keeps its text in `raw`. */
export function parseLocation(raw: string, options: LocationOptions = {}): Locations {
  const text = raw.slice(0, MAX_CHARS);
  const found = read(`${options.country ?? ''} ${text}`, (key) =>
    readLocation(key.slice(key.length - text.length), options.country ?? null),
  );
  return { ...found, places: found.places.map((place) => ({ ...place })) };
}

function readLocation(raw: string, hint: string | null): Locations {
  const original = raw.replace(/\s+/g, ' ').trim().slice(0, MAX_CHARS);
  const isTruncated = MORE.test(original);
  const text = original.replace(MORE, '');
  const isRemote = ANY_REMOTE.test(text);
  const remote = /\bhybrid\b/i.test(text) ? 'hybrid' : !isRemote ? null : MAYBE_REMOTE.test(text) ? 'maybe' : 'remote';
  if (COUNT_ONLY.test(text) || text === '') return { places: [], remote, isTruncated };
  const places: JobLocation[] = [];
  for (const segment of segments(text)) {
    const found = readSegment(withoutRemote(segment), hint);
    if (found.kind === 'unknown' && places.length > 0) continue;
    const isKnown = places.some(
      (one) =>
        one.city === found.city &&
        one.region === found.region &&
        one.country === found.country &&
        (one.kind !== 'macro' || one.raw === segment.trim()),
    );
    if (!isKnown && places.length < MAX_PLACES) places.push({ raw: segment.trim(), ...found, lat: null, lon: null });
  }
  return { places: withoutWider(places, isRemote), remote, isTruncated };
}

function withoutRemote(segment: string): string {
  const travel = segment.search(/\bwith (?:required |some )?travel\b/i);
  return (travel < 0 ? segment : segment.slice(0, travel))
    .replace(/\[([^[\]]*)\]/g, '($1)')
    .replace(NOISE, ' ')
    .replace(REMOTE, ' ')
    .trimEnd()
    .replace(/\(([^()]*)\)$/, (all, inner: string) =>
      countryNamed(inner.trim()) || isMacroRegion(inner.trim()) ? `, ${inner.trim()}` : all,
    )
    .replace(/\(\s*\)/g, ' ')
    .replace(/^[\s,–-]{0,9}(?:in|within|across|from|based in|innerhalb|dans|desde) (?:the )?/i, ' ');
}

/** "US | Remote, United States" names the country twice; a piece that only says "Remote" names nothing. */
function withoutWider(places: JobLocation[], isRemote: boolean): JobLocation[] {
  const told = places.filter((place) => place.kind !== 'unknown');
  const kept = told.length > 0 ? told : places;
  const narrow = kept.filter(
    (place) =>
      !(
        place.kind === 'country' &&
        kept.some((other) => other !== place && other.country === place.country && other.kind !== 'country')
      ),
  );
  return narrow.map((place) => (place.kind === 'unknown' && isRemote ? { ...place, kind: 'remote' as const } : place));
}

function segments(text: string): string[] {
  const piped = text
    .split(/[|;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  // "TX | Edinburg Temporary | 1DHQ, United States": one address from large to small.
  if (piped.length > 1 && /^[A-Z]{2}$/.test(piped[0]!)) {
    const country = countryNamed(piped.at(-1)!.split(',').at(-1)!.trim());
    const state = country === null ? null : regionOf(country, piped[0]!);
    if (state !== null) return [`${piped.length > 2 ? piped[1] : piped.at(-1)!.split(',')[0]}, ${state}, ${country}`];
  }
  return piped.flatMap(splitSlashes).flatMap(splitWords).flatMap(splitList);
}

function splitSlashes(text: string): string[] {
  // "Porto Alegre/RS".
  const [, name = '', code = ''] = /^([^/,]{2,60})\/([A-Z]{2})$/.exec(text) ?? [];
  if (isRegionCode(cityNamed(name)?.country ?? '', code)) return [`${name}, ${code}`];
  const tight = text.split('/').map((part) => part.trim());
  return tight.length > 1 && tight.every((part) => cityNamed(part) !== null) ? tight : text.split(' / ');
}

/** " or " and " and " part places only when both sides are places: "Trinidad and Tobago" is one. */
function splitWords(text: string): string[] {
  const parts = text.split(/ (?:or|and|&|oder|und|ou|et) /i);
  if (parts.length === 1 || countryNamed(text) !== null) return [text];
  const isPlace = (part: string) =>
    readSegment(part.replace(REMOTE, ' '), null).kind !== 'unknown' || ANY_REMOTE.test(part);
  return parts.every(isPlace) ? parts : [text];
}

/** "Bengaluru, Mumbai (All Areas)", "EMEA, APAC", "Germany, Austria, Switzerland": names of one kind, none of which is a part of another. */
function splitList(text: string): string[] {
  const parts = text
    .split(',')
    .flatMap((part) => strip(part.replace(/\([^()]*\)/g, '').replace(REMOTE, ''), ' -–:') || []);
  if (parts.length < 2) return [text];
  // "USA-WA-Tacoma, USA-GA-Atlanta": each begins anew with the largest name.
  if (parts.every((part) => part.includes('-') && isWide(part.split('-')[0]!))) return parts;
  if (new Set(parts).size < parts.length) return [text];
  const isList = [isCountryOnly, isMacroRegion, isStateOnly, areStateCodes(parts)].some((isOne) => parts.every(isOne));
  return isList || parts.every(isMacroOrCountry) || areCities(parts) ? parts : [text];
}

const isCountryOnly = (name: string) =>
  countryNamed(name) !== null && regionOf('US', name) === null && cityNamed(name) === null;
const isMacroOrCountry = (name: string) => isMacroRegion(name) || isCountryOnly(name);
const isStateOnly = (name: string) =>
  name.length > 3 && regionOf('US', name) !== null && !/^(?:washington dc|d\.\s?c\.)/i.test(name);
/** "LA, CA" is a city; three codes are states. */
const areStateCodes = (parts: string[]) => (code: string) =>
  /^[A-Z]{2}$/.test(code) && regionOf('US', code) !== null && (parts.length > 2 || parts[0] !== 'LA');

function areCities(parts: string[]): boolean {
  const cities = parts.map(cityNamed);
  if (cities.includes(null)) return false;
  const isWider = (name: string) =>
    name.length < 4 ||
    countryNamed(name) !== null ||
    ['US', 'CA', 'AU'].some((country) => regionOf(country, name) !== null);
  return !parts.some(isWider) && new Set(cities.map((city) => city!.name)).size === parts.length;
}

const isWide = (name: string) => countryNamed(name) !== null || regionOf('US', name) !== null;

// Places as postings write them: city and country of the first place, beside JobSpy's rule.
import { countryFrom, parseLocation } from '../../../src/extract/location/location.ts';
import placesTable from '../../../src/extract/location/places.test-table.json' with { type: 'json' };
import type { Measure } from '../quality.ts';
import { jobspyPlace } from './jobspy-rules.ts';
import { corpus, measure, ownRows } from './rows.ts';
import { SPLITS } from './splits.ts';

interface GeoRow {
  location_raw: string;
  country: string | null;
  city: string | null;
}

interface OwnRow {
  text: string;
  /** Of the board, where it is known. */
  country?: string | null;
  /** `city / region / country`, `-` for none; a region is compared only where there is one. */
  expect: string;
}

const fold = (name: string | null) => (name ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const named = (part: string | undefined) => (part === undefined || part === '' || part === '-' ? null : part);

export function placeMeasures(showMisses: boolean): Measure[] {
  const own = (set: string, split: string, rows: OwnRow[]) =>
    measure({
      set,
      split,
      rows,
      showMisses,
      judge: ({ text, country = null, expect }: OwnRow) => {
        const [city = null, region = null, of = null] = expect.split(' + ')[0]!.split(' / ').map(named);
        const place = parseLocation(text, { country }).places[0];
        const peer = jobspyPlace(text, countryFrom);
        const isRight =
          (place?.city ?? null) === city &&
          (place?.country ?? null) === of &&
          (region === null || place?.region === region);
        const note = `${text}: ${place?.city ?? '-'} / ${place?.region ?? '-'} / ${place?.country ?? '-'}, not ${expect}`;
        return { isRight, isPeerRight: fold(peer.city) === fold(city) && peer.country === of, note };
      },
    });
  return [
    ...measure({
      set: 'places: postings',
      split: 'tuned',
      rows: corpus<GeoRow>('geo.jsonl').filter((row) => row.location_raw !== undefined),
      showMisses,
      judge: ({ location_raw: text, country, city }) => {
        const of = country === null ? null : countryFrom(country);
        const place = parseLocation(text).places[0];
        const isSame = (one: { city: string | null; country: string | null } | undefined) =>
          fold(one?.city ?? null) === fold(city) && (one?.country ?? null) === of;
        const note = `${text}: ${place?.city ?? '-'} / ${place?.country ?? '-'}, not ${city ?? '-'} / ${of ?? '-'}`;
        return { isRight: isSame(place), isPeerRight: isSame(jobspyPlace(text, countryFrom)), note };
      },
    }),
    ...own('places: forms of vendors', 'tuned', placesTable as OwnRow[]),
    ...Object.entries(SPLITS.places).flatMap(([file, split]) =>
      own('places: made-up labels', split, ownRows<OwnRow>(file)),
    ),
  ];
}

import { describe, expect, test } from 'vitest';
import { parseLocation } from './location.ts';
import forms from './places.test-table.json' with { type: 'json' };

/** Input, [country hint], places as `city / region / country` joined by ` + `, remote. */
const TABLE: [string, string | null, string, string | null][] = [
  ['Minneapolis, MN', null, 'Minneapolis / MN / US', null],
  ['Michigan, United States', null, '- / MI / US', null],
  [
    'San Francisco, CA | New York City, NY | Seattle, WA',
    null,
    'San Francisco / CA / US + New York City / NY / US + Seattle / WA / US',
    null,
  ],
  [
    'New York City, NY; San Francisco, CA | New York City, NY',
    null,
    'New York City / NY / US + San Francisco / CA / US',
    null,
  ],
  ['Remote-Friendly (Travel-Required) | San Francisco, CA', null, 'San Francisco / CA / US', 'maybe'],
  ['Remote - US', null, '- / - / US', 'remote'],
  ['Remote (US)', null, '- / - / US', 'remote'],
  ['Remote Work, AL, United States', null, '- / AL / US', 'remote'],
  ['US | Remote, United States', null, '- / - / US', 'remote'],
  ['Virginia / Washington DC Metro - Remote', null, '- / VA / US + - / DC / US', 'remote'],
  ['Anywhere', null, '- / - / -', 'remote'],
  ['Remote job', null, '- / - / -', 'remote'],
  ['London, UK', null, 'London / - / GB', null],
  ['Dublin, IE', null, 'Dublin / - / IE', null],
  ['Zürich, CH', null, 'Zürich / - / CH', null],
  ['Vä', null, '- / - / -', null],
  ['Warsaw, POL', null, 'Warsaw / - / PL', null],
  ['Kingston, CA', 'CA', 'Kingston / - / CA', null],
  ['Toronto, ON, CA, M5C2V9', null, 'Toronto / ON / CA', null],
  ['Greensboro, NC, US, 27409+2 more…', null, 'Greensboro / NC / US', null],
  ['Windsor, GB, SL4 1RS+4 more…', null, 'Windsor / - / GB', null],
  ['Fleury-Les-Aubrais Cedex, Loiret, FR, 45401', null, 'Fleury-Les-Aubrais / Loiret / FR', null],
  ['United States-Texas-Mont Belvieu', null, 'Mont Belvieu / TX / US', null],
  ['China-Shanghai', null, 'Shanghai / - / CN', null],
  ['US-AR-SPRINGDALE-BLDG 1 ~ 275 E Robinson Ave', null, 'Springdale / AR / US', null],
  ['USA VA Chantilly', null, 'Chantilly / VA / US', null],
  ['DEU Wiesbaden - Wiesbaden Army Airfield (APC180)', null, 'Wiesbaden / - / DE', null],
  ['US, CA, Santa Clara', null, 'Santa Clara / CA / US', null],
  ['Hobart (TAS)', 'AU', 'Hobart / TAS / AU', null],
  ['TX | Edinburg Temporary | 1DHQ, United States', null, 'Edinburg / TX / US', null],
  ['CA-Irvine-USA IRVINE CA DEFENSE SYSTEMS', null, 'Irvine / CA / US', null],
  ['Any city, TX, US, 99999', null, '- / TX / US', null],
  ['Angel Oak Capital Advisors LLC - Atlanta, GA 30326', null, 'Atlanta / GA / US', null],
  ['Remote Opportunity Available or On-site - Fishers, IN 46038', null, 'Fishers / IN / US', 'maybe'],
  ['Canada, Québec, Quebec City', null, 'Quebec City / QC / CA', null],
  ['Amsterdam Zuid, NH, NL', null, 'Amsterdam / NH / NL', null],
  ['Poznań, Wielkopolskie, Poland', null, 'Poznań / Wielkopolskie / PL', null],
  ['New York City Metropolitan Area', null, 'New York / NY / US', null],
  ['San Francisco Bay Area', null, '- / CA / US', null],
  ['EMEA', null, '- / - / -', null],
  ['European Union', null, '- / - / -', null],
  ['Latin America', null, '- / - / -', null],
  ['Singapore, SG, 018983', null, 'Singapore / - / SG', null],
  ['Georgia', 'US', '- / GA / US', null],
  ['Georgia', null, '- / - / -', null],
  ['CA', 'CA', '- / - / CA', null],
  ['Isle of Man', null, '- / - / IM', null],
  ['Türkiye', null, '- / - / TR', null],
  ['Eswatini', null, '- / - / SZ', null],
  ['Jamaica', null, '- / - / JM', null],
  ['Bengaluru, Mumbai (All Areas)', null, 'Bengaluru / - / IN + Mumbai / - / IN', null],
  ['San Francisco, CA  (+1 other)', null, 'San Francisco / CA / US', null],
  ['Washington, DC', null, 'Washington / DC / US', null],
  ['Portland, OR or Remote', null, 'Portland / OR / US', 'maybe'],
  ['Home based - Worldwide', null, '- / - / -', 'remote'],
  ['Hong Kong, UNAVAILABLE, HK', null, 'Hong Kong / - / HK', null],
  ['San Fransisco, California , USA', null, 'San Francisco / CA / US', null],
];

describe('locations as postings write them', () => {
  test.each(TABLE)('%s [%s] → %s', (text, country, expected, remote) => {
    const found = parseLocation(text, { country });
    const shown = found.places.map((place) =>
      [place.city, place.region, place.country].map((part) => part ?? '-').join(' / '),
    );
    expect(shown.join(' + ')).toBe(expected);
    expect(found.remote).toBe(remote);
  });
});

describe('the forms in which vendors write places', () => {
  test.each(forms)('$text [$country] → $expect', ({ text, country, expect: expected }) => {
    const shown = parseLocation(text, { country })
      .places.map((place) => [place.city, place.region, place.country].map((part) => part ?? '-').join(' / '))
      .join(' + ');
    expect(shown === '- / - / -' ? '' : shown).toBe(expected);
  });
});

test('regions that are listed are places of their own', () => {
  expect(parseLocation('EMEA, APAC').places.map(({ raw, kind }) => [raw, kind])).toEqual([
    ['EMEA', 'macro'],
    ['APAC', 'macro'],
  ]);
});

test('what is only a count names no place', () => {
  expect(parseLocation('2 Locations').places).toEqual([]);
});

test('a text cut short says so', () => {
  expect(parseLocation('Greensboro, NC, US, 27409+2 more…').isTruncated).toBe(true);
  expect(parseLocation('San Francisco, CA  (+1 other)').isTruncated).toBe(true);
  expect(parseLocation('Minneapolis, MN').isTruncated).toBe(false);
});

test('areas and parts of the world say what they are', () => {
  expect(parseLocation('EMEA').places[0]?.kind).toBe('macro');
  expect(parseLocation('San Francisco Bay Area').places[0]?.kind).toBe('area');
  expect(parseLocation('Anywhere').places[0]?.kind).toBe('remote');
});

test('no text makes it throw', () => {
  for (const text of [
    '',
    '   ',
    '|||',
    '- - -',
    ',,,',
    '()',
    '🌍',
    'a'.repeat(5000),
    'Some Unknown Village, Nowhereland',
  ])
    expect(() => parseLocation(text)).not.toThrow();
});

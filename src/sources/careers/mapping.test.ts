import { expect, test } from 'vitest';
import { Mapping, mappedAdvert, textsOf, valuesAt, yieldsOf } from './mapping.ts';

const record = {
  id: 4679941006,
  info: { name: 'Baker', tags: [{ label: 'bread' }, { label: 'cake' }], empty: '' },
  slug: 'baker-1',
  flags: { remote: true },
};
const reading = (fields: unknown, values = {}) => ({
  fields: Mapping.parse(fields),
  values,
  baseUrl: 'https://jobs.example/list',
});

test('paths go through objects, lists and every entry of a list', () => {
  expect(valuesAt(record, 'info.name')).toEqual(['Baker']);
  expect(valuesAt(record, 'info.tags.*.label')).toEqual(['bread', 'cake']);
  expect(valuesAt(record, 'info.tags.1.label')).toEqual(['cake']);
  expect(valuesAt(record, 'info.nothing.more')).toEqual([]);
  expect(valuesAt(record, '')).toEqual([record]);
});

test('a path cannot reach what the record does not own', () => {
  expect(valuesAt(record, 'constructor.name')).toEqual([]);
  expect(valuesAt(record, '__proto__')).toEqual([]);
});

test('a text with a path that leads nowhere is no text', () => {
  expect(textsOf(record, 'url', reading({ url: { text: '/o/{slug}' } }))).toEqual(['/o/baker-1']);
  expect(textsOf(record, 'url', reading({ url: { text: '/o/{missing}' } }))).toEqual([]);
});

test('a record becomes an advertisement, fixed values first', () => {
  const advert = mappedAdvert(
    record,
    reading(
      {
        id: 'id',
        title: 'info.name',
        url: { text: '/o/{slug}' },
        skills: 'info.tags.*.label',
        remote: 'flags.remote',
        company: 'info.name',
        department: 'info.empty',
      },
      { company: 'Acme' },
    ),
  );
  expect(advert).toMatchObject({
    id: '4679941006',
    title: 'Baker',
    url: 'https://jobs.example/o/baker-1',
    company: 'Acme',
    skills: ['bread', 'cake'],
    remote: 'remote',
    department: null,
  });
});

test('seconds and milliseconds since 1970 are told apart', () => {
  expect(mappedAdvert({ at: 1783650045 }, reading({ posted: 'at' })).posted).toBe(1_783_650_045_000);
  expect(mappedAdvert({ at: '1783650045000' }, reading({ posted: 'at' })).posted).toBe(1_783_650_045_000);
  expect(mappedAdvert({ at: '2026-07-10' }, reading({ posted: 'at' })).posted).toBe('2026-07-10');
});

test('each path of a mapping is counted by the records that it finds something in', () => {
  const fields = { title: 'info.name', url: { text: '/o/{slug}' }, location: { join: ['city', 'state'] } };
  expect(yieldsOf([record, { info: { name: '' }, city: 'Tampa' }, null], reading(fields, { title: 'fixed' }))).toEqual({
    'title: info.name': { rows: 3, found: 1 },
    'url: /o/{slug}': { rows: 3, found: 1 },
    'location: city + state': { rows: 3, found: 1 },
  });
});

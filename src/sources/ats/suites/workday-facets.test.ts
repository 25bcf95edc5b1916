import { expect, test } from 'vitest';
import { flatFacets, splitQuery } from './workday-facets.ts';

const value = (id: string, count: number) => ({ id, descriptor: id.toUpperCase(), count });

test('a facet inside a facet is found', () => {
  const facets = flatFacets([
    { facetParameter: 'jobFamily', values: [value('a', 3)] },
    {
      facetParameter: 'locationMainGroup',
      values: [{ facetParameter: 'locations', values: [value('b', 2), value('c', 1)] }],
    },
    'nonsense',
  ]);
  expect(facets).toEqual([
    { parameter: 'jobFamily', values: [{ id: 'a', count: 3 }] },
    {
      parameter: 'locations',
      values: [
        { id: 'b', count: 2 },
        { id: 'c', count: 1 },
      ],
    },
  ]);
});

test('values are joined while a part stays below the cap', () => {
  const facet = { parameter: 'family', values: [value('a', 1_500), value('b', 900), value('c', 400), value('d', 100)] };
  expect(splitQuery([facet], {})).toEqual([{ family: ['a', 'c'] }, { family: ['b', 'd'] }]);
});

test('a facet whose values are each small enough is taken before one with a value that is not', () => {
  const large = { parameter: 'time', values: [value('full', 5_000), value('part', 300)] };
  const small = { parameter: 'family', values: [value('a', 1_900), value('b', 1_900)] };
  expect(splitQuery([large, small], {})).toEqual([{ family: ['a'] }, { family: ['b'] }]);
});

test('a part is split by another facet than the whole', () => {
  const facets = [
    { parameter: 'family', values: [value('a', 2_500), value('b', 10)] },
    { parameter: 'place', values: [value('x', 1_300), value('y', 1_200)] },
  ];
  expect(splitQuery(facets, { family: ['a'] })).toEqual([
    { family: ['a'], place: ['x'] },
    { family: ['a'], place: ['y'] },
  ]);
});

test('nothing splits a query without facets, or with one value only', () => {
  expect(splitQuery([], {})).toEqual([]);
  expect(splitQuery([{ parameter: 'family', values: [value('a', 2_000)] }], {})).toEqual([]);
});

test('no part asks for more than a hundred values', () => {
  const values = Array.from({ length: 250 }, (_, i) => value(String(i), 1));
  expect(splitQuery([{ parameter: 'place', values }], {}).map((query) => query.place?.length)).toEqual([100, 100, 50]);
});

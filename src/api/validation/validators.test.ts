import { expect, test } from 'vitest';
import { z } from 'zod';
import { Submission } from '../articles/schemas.ts';
import { ScrapeRequest } from '../searches/schemas.ts';
import { requestSchema } from './schema.ts';
import { boundedCopy, createValidatorCompiler, nulError } from './validators.ts';

const compile = createValidatorCompiler();
const body = compile({ schema: requestSchema(Submission), httpPart: 'body' });

function errorsOf(data: unknown) {
  const verdict = body(data);
  return verdict === true ? [] : (verdict.error.errors ?? []);
}

test('a submission as the contract shows it is taken, and gets the default priority', () => {
  const data = { articles: [{ url: 'https://example.com/a' }], max_age_seconds: 86_400 };
  expect(body(data)).toBe(true);
  expect(data.articles[0]).toMatchObject({ priority: 5 });
});

test('every bad field is named at once, with what would be right', () => {
  const errors = errorsOf({
    articles: [
      { url: 'ftp://example.com/a', priority: 0 },
      { url: 'https://example.com/b', source: 3 },
      {},
      { url: 'https://user:pass@example.com/' },
      { url: '/relative', priority: '5' },
      { url: 'https://example.com/b#again' },
    ],
    max_age_seconds: -1,
  });
  expect(Object.fromEntries(errors.map((error) => [error.pointer, error.detail]))).toEqual({
    '/articles/0/url': 'has to start with http:// or https://, not ftp:',
    '/articles/0/priority': 'has to be at least 1',
    '/articles/1/source': 'has to be a string or null',
    '/articles/2/url': 'is required',
    '/articles/3/url': 'must not contain a user name or password (the part before @)',
    '/articles/4/url': 'is not an absolute URL such as https://example.com/article',
    '/articles/4/priority': 'has to be a whole number',
    '/articles/5/url': 'is the same page as articles[1].url',
    '/max_age_seconds': 'has to be at least 0',
  });
});

test('the same page in another spelling is told with both places', () => {
  const [error] = errorsOf({
    articles: [
      { url: 'https://Example.com/a?utm_source=x' },
      { url: 'https://example.com/b' },
      { url: 'https://example.com/a' },
    ],
  });
  expect(error).toEqual({ pointer: '/articles/2/url', detail: 'is the same page as articles[0].url' });
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a list', []],
  ['a number', 5],
  ['an empty list of articles', { articles: [] }],
  ['articles that are no list', { articles: 'x' }],
])('%s is refused', (_name, data) => {
  expect(errorsOf(data).length).toBeGreaterThan(0);
});

test('more articles than allowed are refused and no more than a hundred fields are named', () => {
  const errors = errorsOf({ articles: Array.from({ length: 200_000 }, () => 7) });
  expect(errors).toHaveLength(100);
  expect(errors[0]).toEqual({
    pointer: '/articles',
    detail: 'may have at most 10000 entries. Send the others in another request',
  });
});

test('a query says which parameters exist when one does not', () => {
  const query = compile({
    schema: { type: 'object', properties: { limit: { type: 'integer', minimum: 1 } }, additionalProperties: false },
    httpPart: 'querystring',
  });
  const data: Record<string, unknown> = { limit: '5' };
  expect(query(data)).toBe(true);
  expect(data.limit).toBe(5);
  const verdict = query({ limt: '5', limit: 'x' });
  expect(verdict).not.toBe(true);
  if (verdict === true) return;
  expect(verdict.error.errors).toEqual([
    { pointer: '/limt', detail: 'is not a known field. Known fields: limit' },
    { pointer: '/limit', detail: 'has to be a whole number' },
  ]);
});

test('of several forms that would do, only what is wrong within the one that was meant is told', () => {
  const sites = compile({ schema: requestSchema(ScrapeRequest), httpPart: 'body' });
  const told = (site_name: unknown) => {
    const verdict = sites({ site_name });
    return verdict === true ? [] : verdict.error.errors;
  };
  expect(told(['indeed'])).toEqual([]);
  expect(told('indeed')).toEqual([]);
  expect(told([])).toEqual([{ pointer: '/site_name', detail: 'must not be empty' }]);
  expect(told('')).toEqual([{ pointer: '/site_name', detail: 'must not be empty' }]);
  expect(told(['indeed', 5])).toEqual([{ pointer: '/site_name/1', detail: 'has to be a string' }]);
  expect(told(5)).toEqual([{ pointer: '/site_name', detail: 'has to be a string or an array' }]);
});

test('what is looked at again is bounded in width and depth', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 10_000; level++) deep = [deep];
  expect(JSON.stringify(boundedCopy(deep, 0))).toBe('[[[[[[[]]]]]]]');
  const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n]));
  expect(Object.keys(boundedCopy(wide, 0) as object)).toHaveLength(200);
});

test('a name that is not known is answered with those of the object it stands in', () => {
  const inner = z.strictObject({ q: z.string(), source: z.string().optional() });
  const check = compile({
    schema: requestSchema(z.strictObject({ name: z.string(), search: inner })),
    httpPart: 'body',
  });
  const verdict = check({ name: 'a', search: { q: 'b', foo: 1 }, bar: 2 });
  expect(verdict === true ? [] : verdict.error.errors).toEqual([
    { pointer: '/bar', detail: 'is not a known field. Known fields: name, search' },
    { pointer: '/search/foo', detail: 'is not a known field. Known fields: q, source' },
  ]);
});

test('a NUL character is refused by the name of its field, however deep', () => {
  expect(nulError({ a: [{ b: 'fine' }, { b: 'c\0d' }] })?.errors).toEqual([
    { pointer: '/a/1/b', detail: 'contains a NUL character (\\u0000). Remove it' },
  ]);
  expect(nulError({ 'a\0': 1 })?.errors?.[0]?.pointer).toBe('/a');
  expect(nulError({ a: ['\\u0000', null, 1] })).toBeNull();
});

test.each(['1e400', '-1e400', '9'.repeat(400)])(
  'a number of a query that is too large to be one is refused: %s',
  (limit) => {
    const query = compile({
      schema: requestSchema(z.strictObject({ limit: z.int().min(1).max(1_000) })),
      httpPart: 'querystring',
    });
    expect(query({ limit })).toMatchObject({
      error: { errors: [{ pointer: '/limit', detail: 'is too large a number' }] },
    });
  },
);

import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueErrors } from './zod-messages.ts';

const Params = z.strictObject({
  term: z.string().min(1).max(5),
  type: z.enum(['fulltime', 'parttime']),
  hours: z.number().int().min(1).max(9),
  remote: z.boolean(),
  ids: z.array(z.string().regex(/^\d+$/)).max(1),
  country: z.string().refine((name) => name !== 'Narnia', 'is no country'),
  names: z.array(z.string()).min(2),
});

const said = (value: unknown) =>
  Object.fromEntries(
    issueErrors(Params.safeParse(value).error?.issues ?? []).map(({ pointer, detail }) => [pointer, detail]),
  );

test('each field is told what it has to be', () => {
  expect(
    said({ term: '', type: 'x', hours: 0, remote: 'yes', ids: ['a'], country: 'Narnia', names: [], mystery: 1 }),
  ).toEqual({
    '/term': 'must not be empty',
    '/type': 'has to be one of fulltime, parttime',
    '/hours': 'has to be at least 1',
    '/remote': 'has to be true or false',
    '/ids/0': 'does not match the pattern ^\\d+$',
    '/country': 'is no country',
    '/names': 'needs at least 2 entries',
    '/mystery': 'is not a known field',
  });
});

test('what is missing, of another type or too much is said as such', () => {
  expect(
    said({ type: 5, hours: 1.5, remote: true, ids: ['1', '2'], term: 'too long', country: '', names: ['a', 2] }),
  ).toEqual({
    '/term': 'may have at most 5 characters',
    '/type': 'has to be one of fulltime, parttime',
    '/hours': 'has to be a whole number',
    '/ids': 'may have at most 1 entries',
    '/names/1': 'has to be a string',
  });
  expect(said({})).toMatchObject({ '/term': 'is required', '/hours': 'is required' });
});

// Any JSON endpoint, by a mapping that the company's settings declare.
import { z } from 'zod';
import { defineSource } from '../define.ts';
import { getJson, PLAIN_HTTP } from '../postings/fetch.ts';
import { fill, hasId, hasTitle, MAPPED_PARAMS, mappedPostings, type PagePosition } from './mapped-list.ts';

const Params = z.object({
  ...MAPPED_PARAMS,
  method: z.enum(['GET', 'POST']).default('GET'),
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
});
type Params = z.infer<typeof Params>;

export const api = defineSource({
  name: 'api',
  title: 'Any JSON endpoint, by a declared mapping',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: Params.refine(hasTitle, { path: ['fields', 'title'], message: 'needs a title' }).refine(hasId, {
    path: ['fields'],
    message: 'needs an id or a url',
  }),
  scrape: (params, web, notes) =>
    mappedPostings({
      source: 'api',
      params,
      web,
      notes,
      ask: (address, position) => getJson(web, address, z.unknown(), requestOf(params, position)),
      noList: () => `no array at "${params.items}"`,
    }),
});

function requestOf(params: Params, position: PagePosition) {
  const headers = params.headers;
  if (params.body === undefined) return { method: params.method, headers };
  const text = typeof params.body === 'string' ? params.body : JSON.stringify(params.body);
  const filled = fill(text, position, JSON.stringify);
  return typeof params.body === 'string'
    ? { method: params.method, headers, body: filled }
    : { method: params.method, headers, body: JSON.parse(filled) as object };
}

import { expect, test } from 'vitest';
import { defineConfig, defineSource, z } from '../sources/index.ts';
import { collectSources } from './collect.ts';

const acme = defineSource({
  name: 'acme-jobs',
  title: 'Acme',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 0 },
  params: z.object({ team: z.string() }),
  async *scrape() {},
});
const second = { ...acme, name: 'acme-two' };
const names = (exported: Record<string, unknown>) => collectSources(exported).sources.map(({ name }) => name);

test('sources are found in a configuration, a list, a default export and by name, each once', () => {
  expect(names({ default: defineConfig({ sources: [acme, second] }), acme })).toEqual(['acme-jobs', 'acme-two']);
  expect(names({ default: [acme, second] })).toEqual(['acme-jobs', 'acme-two']);
  expect(names({ default: acme })).toEqual(['acme-jobs']);
  expect(names({ first: acme, second, helper: () => 1, LIMIT: 3, text: 'x', nothing: null })).toEqual([
    'acme-jobs',
    'acme-two',
  ]);
});

test('a module without a source says what to export', () => {
  expect(collectSources({ default: {} })).toEqual({
    sources: [],
    problems: [expect.stringContaining('it exports no source; export default defineConfig({ sources: [...] })')],
  });
});

test.each([
  ['name', 'Acme Jobs', 'source "Acme Jobs": name has to be lower-case words with hyphens, such as acme-jobs'],
  ['name', undefined, 'a source: name is missing'],
  ['kind', 'job', 'source "acme-jobs": kind has to be one of article, posting, product'],
  ['lane', 'http+x', 'source "acme-jobs": lane is no name of a lane'],
  ['hosts', 'a.example', 'source "acme-jobs": hosts has to be a list of host names'],
  ['pace', 3, 'source "acme-jobs": pace has to be { concurrency, delayMs }'],
  ['pace', { concurrency: 0, delayMs: 0 }, 'source "acme-jobs": pace.concurrency has to be at least 1'],
  ['params', {}, 'source "acme-jobs": params has to be a schema made with z of windrow/sources (zod 4)'],
  ['scrape', 'x', 'source "acme-jobs": scrape has to be a function'],
  ['detect', 'x', 'source "acme-jobs": detect has to be a function'],
])('what is wrong with %s (%j) is said, and the others are taken', (field, value, problem) => {
  const bad = { ...acme, [field]: value };
  expect(collectSources({ default: [bad, second] })).toMatchObject({ sources: [second], problems: [problem] });
});

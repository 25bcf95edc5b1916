import { expect, test } from 'vitest';
import { defineSource, type Source, z } from '../sources/index.ts';
import { NO_MODULES } from './load.ts';
import { createRegistry } from './registry.ts';

const base = defineSource({
  name: 'acme-jobs',
  title: 'Acme',
  kind: 'posting',
  lane: 'http',
  hosts: ['jobs.acme.example'],
  pace: { concurrency: 1, delayMs: 0 },
  params: z.object({ team: z.string() }),
  async *scrape() {},
});
const board: Source = { ...base, name: 'acme-board', params: z.object({ search_term: z.string() }) };
const news: Source = {
  ...base,
  name: 'acme-news',
  kind: 'article',
  hosts: ['news.acme.example', '*.papers.example'],
};

const registry = createRegistry({
  sources: [base, board, news].map((source) => ({ source, module: './windrow.config.ts' })),
  problems: [],
});

test('sources of one’s own stand beside the built-in ones, each where its kind is looked for', () => {
  expect(registry.get('acme-jobs')).toBe(base);
  expect(registry.get('indeed')?.name).toBe('indeed');
  expect(registry.moduleOf('acme-jobs')).toBe('./windrow.config.ts');
  expect(registry.moduleOf('indeed')).toBeNull();
  expect(registry.boards.map(({ name }) => name)).toEqual(expect.arrayContaining(['indeed', 'acme-board']));
  expect(registry.boards).not.toContain(base);
  expect(registry.careers.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['greenhouse', 'acme-jobs', 'acme-board']),
  );
  expect(registry.careers).not.toContain(news);
});

test('articles of a host are read by the source that claims it', () => {
  expect(registry.articleSourceOf?.('news.acme.example')).toBe('acme-news');
  expect(registry.articleSourceOf?.('www.morning.papers.example')).toBe('acme-news');
  expect(registry.articleSourceOf?.('papers.example')).toBeNull();
  expect(registry.articleSourceOf?.('jobs.acme.example')).toBeNull();
  expect(createRegistry(NO_MODULES).articleSourceOf).toBeNull();
});

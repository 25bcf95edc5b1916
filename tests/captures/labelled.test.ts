import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extractArticle } from '../../src/extract/article/index.ts';
import { aggregate, loadPages, scorePage } from '../../tools/article-model/pages.ts';
import { FIXTURES } from './captures.ts';
import { scorePrices, scoreRatings, scoreRobots, scoreUule } from './labelled.ts';

test.for([
  ['prices/dev.json', scorePrices, 0.95],
  ['shopping/structured-data/rating_snippets.json', scoreRatings, 0.95],
  ['shopping/google/uule_vectors.json', scoreUule, 1],
  ['robots/dev.json', scoreRobots, 0.99],
] as const)('%s: what is in it is read right', ([file, score, least], { task }) => {
  const path = join(FIXTURES, file);
  const { right, of } = existsSync(path) ? score(path) : { right: 0, of: 0 };
  task.meta.captures = { read: Math.min(of, 1), compared: Math.min(of, 1) };
  if (of > 0) expect(right / of).toBeGreaterThanOrEqual(least);
});

// Both are learned from: this says that the weights are read as they were made. The test part of `pages` is not looked at here.
test.for([
  ['articles', 0.985],
  ['pages', 0.96],
] as const)('the text of the articles in %s is found', ([set, least], { task }) => {
  const pages = existsSync(join(FIXTURES, set))
    ? loadPages([set], ['train', 'dev']).filter(({ kind }) => kind === 'article')
    : [];
  const scores = pages.map(({ html, url, truth }) => scorePage(truth, extractArticle(html, url).content));
  task.meta.captures = { read: pages.length, compared: pages.length };
  if (pages.length > 0) expect(aggregate(scores).f1).toBeGreaterThanOrEqual(least);
});

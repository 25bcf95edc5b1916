// 91 news pages and blogs of 2019 with strict labels by people. All of them are learned from: what to expect of others is in the
// cross-validation of tools/article-model/train.ts.
import { loadPages } from '../../../tools/article-model/pages.ts';
import { readAll, scoresOf, speedOf } from '../article-scores.ts';
import type { QualitySet } from '../quality.ts';

const SPLIT = 'learned from';

export const articles: QualitySet = {
  name: 'articles',
  async measure(parts) {
    if (parts.includes('test')) return [];
    const pages = loadPages(['articles']);
    const runs = await readAll(pages);
    return [...scoresOf('articles', SPLIT, pages, runs), speedOf('articles', SPLIT, pages.length, runs)];
  },
};

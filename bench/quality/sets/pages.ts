// Pages of 2025-26 of seven kinds, with looser labels. Split by host: the test part is never learned from and nothing is chosen by it.
import { loadPages } from '../../../tools/article-model/pages.ts';
import { readAll, scoresOf, speedOf } from '../article-scores.ts';
import type { QualitySet } from '../quality.ts';

export const pages: QualitySet = {
  name: 'pages',
  async measure(parts) {
    const all = loadPages(['pages'], parts);
    const split = parts.includes('test') ? 'test' : 'dev, learned from';
    const runs = await readAll(all);
    const kinds = [...new Set(all.map((page) => page.kind))].sort();
    return [
      ...kinds.flatMap((kind) =>
        scoresOf(
          `pages: ${kind}`,
          split,
          all.filter((page) => page.kind === kind),
          runs,
        ),
      ),
      speedOf('pages', split, all.length, runs),
    ];
  },
};

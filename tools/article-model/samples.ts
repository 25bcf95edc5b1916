// A labelled page as the trainer sees it: its blocks, which of them are true, and what each weighs.
import { type Rows, rowsOf } from '../../src/extract/article/model/decide.ts';
import { factsOf, statedOf } from '../../src/extract/article/page/facts.ts';
import { readPage } from '../../src/extract/article/page/tree.ts';
import { type View, viewOf } from '../../src/extract/article/page/view.ts';
import { labelBlocks } from './labels.ts';
import { hostHash, type LabelledPage } from './pages.ts';

export interface Sample extends LabelledPage {
  group: number;
  fold: number;
  view: View;
  labels: number[];
  weights: number[];
  rows: Rows;
  first: number[];
  second: number[];
}

export interface Weighing {
  /** What every block weighs beside its words, and how many of its words count. */
  base: number;
  cap: number;
  /** What a page of the looser labels weighs, by kind of page; one of the strict set weighs 1. */
  pageWeight(page: LabelledPage): number;
}

export function sampleOf(page: LabelledPage, group: number, folds: number, weighing: Weighing): Sample {
  const tree = readPage(page.html);
  const view = viewOf(tree, statedOf(tree, factsOf(tree)));
  const { labels, words } = labelBlocks(view.blockFeatures, page.truth);
  const bodyWords = Math.max(
    1,
    words.reduce((sum, n, i) => sum + n * labels[i]!, 0),
  );
  // The metric counts words and gives every page the same say; so do the weights, with a little for every block whatever its length.
  const weights = words.map(
    (n) => weighing.pageWeight(page) * (weighing.base / words.length + Math.min(n, weighing.cap) / bodyWords),
  );
  return {
    ...page,
    html: '',
    group,
    fold: hostHash(page.host) % folds,
    view,
    labels,
    weights,
    rows: rowsOf(view),
    first: [],
    second: [],
  };
}

// A labelled page as the trainer sees it: its blocks, which of them are true, and what each weighs.
import { kindRow } from '../../src/extract/article/kind/kind-features.ts';
import type { Rows } from '../../src/extract/article/model/decide.ts';
import { readView } from '../../src/extract/article/page/read.ts';
import type { View } from '../../src/extract/article/page/view.ts';
import { labelBlocks } from './labels.ts';
import { hostHash, type LabelledPage } from './pages.ts';

export interface Sample extends LabelledPage {
  group: number;
  fold: number;
  view: View;
  labels: number[];
  weights: number[];
  rows: Rows;
  kindRow: Float64Array;
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
  const { facts, view } = readView(page.html);
  view.isStrict = page.set === 'articles';
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
    rows: NO_ROWS,
    kindRow: kindRow(view, facts, page.url || null),
    first: [],
    second: [],
  };
}

/** Until the kinds of pages are known, which are features of their blocks. */
const NO_ROWS: Rows = { values: new Float64Array(0), at: new Int32Array(0) };

// Trains the two forests of the article extractor and measures them honestly: folds by host, so that no page is ever judged by a model
// that has seen its site, and without the test part of the pages, which is scored once by `npm run quality -- --test`.
//
//   node tools/article-model/train.ts            cross-validates and prints the table
//   node tools/article-model/train.ts --write    also trains on all pages but the test part and writes src/extract/article/weights/*.json
//   node tools/article-model/train.ts --worst 20 also lists the worst pages, --dump DIR writes every block with its verdict
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { KIND_FEATURES } from '../../src/extract/article/kind/kind-features.ts';
import { kindsOf } from '../../src/extract/article/kind/kind-model.ts';
import { PAGE_KINDS, type PageKind } from '../../src/extract/article/kind/kinds.ts';
import {
  addSecondFeatures,
  judge,
  liftUnsure,
  ROW_WIDTH,
  rowsOf,
  setAside,
} from '../../src/extract/article/model/decide.ts';
import { FEATURES } from '../../src/extract/article/model/features.ts';
import { FOREST_DEPTH, type Forest, type ForestJson, forestOf } from '../../src/extract/article/model/forest.ts';
import { firstLook, SECOND_FEATURES } from '../../src/extract/article/model/second.ts';
import { tokenReader } from '../../src/extract/article/page/tokens.ts';
import { type Training, train } from './gbdt.ts';
import { learnTokens } from './learn-tokens.ts';
import { loadPages } from './pages.ts';
import { report } from './report.ts';
import { type Sample, sampleOf } from './samples.ts';

const { values: option } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    worst: { type: 'string', default: '0' },
    dump: { type: 'string' },
    folds: { type: 'string', default: '3' },
    trees: { type: 'string', default: '120' },
    rate: { type: 'string', default: '0.08' },
    columns: { type: 'string', default: '0.4' },
    leaf: { type: 'string', default: '40' },
    l2: { type: 'string', default: '2' },
    // The second set has looser labels; the strict one is what the target is measured on.
    loose: { type: 'string', default: '0.5' },
    others: { type: 'string', default: '0.5' },
    seed: { type: 'string', default: '1' },
    base: { type: 'string', default: '0.6' },
    cap: { type: 'string', default: '60' },
  },
});
const folds = Number(option.folds);
const KIND_TREES = 24;

/** Likelihoods of the kinds by models that have not seen the host, into the views; and the forests of all samples. */
function learnKinds(samples: Sample[]): ForestJson[] {
  const fitKind = (some: Sample[], kind: PageKind, seed: number): ForestJson =>
    forestJson(
      {
        rows: some.map((s) => s.kindRow),
        labels: some.map((s) => Number(s.kind === kind)),
        weights: some.map(() => 1),
        groups: some.map((s) => s.group),
        trees: KIND_TREES,
        depth: FOREST_DEPTH,
        rate: 0.1,
        columns: 0.4,
        bagging: 0.7,
        leafRows: 8,
        l2: 2,
        seed,
      },
      KIND_FEATURES,
    );
  for (let fold = 0; fold < folds; fold++) {
    const forests = PAGE_KINDS.map((kind, at) =>
      forestOf(
        fitKind(
          samples.filter((s) => s.fold !== fold),
          kind,
          41 + 10 * at + fold,
        ),
      ),
    );
    for (const s of samples) if (s.fold === fold) s.view.kinds = kindsOf(s.kindRow, forests);
  }
  return option.write ? PAGE_KINDS.map((kind, at) => fitKind(samples, kind, 121 + at)) : [];
}

function forestJson(training: Training, features: string[]): ForestJson {
  const forest = train(training);
  const round = (n: number, digits: number) => Number(n.toPrecision(digits));
  return {
    features,
    depth: forest.depth,
    bias: round(forest.bias, 6),
    trees: forest.features.map((of, t) => ({
      features: of,
      thresholds: forest.thresholds[t]!.map((n) => round(n, 6)),
      leaves: forest.leaves[t]!.map((n) => round(n, 4)),
    })),
  };
}

function fitForest(samples: Sample[], width: number, seed: number): ForestJson {
  const asked = samples.flatMap((s) =>
    [...s.rows.at].flatMap((at, i) =>
      at < 0
        ? []
        : [{ row: s.rows.values.subarray(at, at + width), label: s.labels[i]!, weight: s.weights[i]!, group: s.group }],
    ),
  );
  return forestJson(
    {
      rows: asked.map((a) => a.row),
      labels: asked.map((a) => a.label),
      weights: asked.map((a) => a.weight),
      groups: asked.map((a) => a.group),
      trees: Number(option.trees),
      depth: FOREST_DEPTH,
      rate: Number(option.rate),
      columns: Number(option.columns),
      bagging: 0.7,
      leafRows: Number(option.leaf),
      l2: Number(option.l2),
      seed: seed + 100 * Number(option.seed),
    },
    [...FEATURES, ...SECOND_FEATURES].slice(0, width),
  );
}

/** Likelihoods by models that have not seen the host of the page. */
function crossValidate(
  samples: Sample[],
  look: (sample: Sample, forest: Forest) => void,
  width: number,
  seed: number,
): void {
  for (let fold = 0; fold < folds; fold++) {
    const others = samples.filter((s) => s.fold !== fold);
    const forest = forestOf(fitForest(others, width, seed + fold));
    for (const sample of samples) if (sample.fold === fold) look(sample, forest);
  }
}

const samples = loadPages(undefined, ['train', 'dev']).map((page, group) =>
  sampleOf(page, group, folds, {
    base: Number(option.base),
    cap: Number(option.cap),
    pageWeight: ({ set, kind }) => (set === 'articles' ? 1 : Number(kind === 'article' ? option.loose : option.others)),
  }),
);
const kindForests = learnKinds(samples);
for (let fold = 0; fold < folds; fold++) {
  const read = tokenReader(learnTokens(samples.filter((s) => s.fold !== fold)));
  for (const s of samples) if (s.fold === fold) s.view.tokens = read(s.view);
}
for (const s of samples) s.rows = rowsOf(s.view);
crossValidate(
  samples,
  (sample, forest) => {
    sample.first = liftUnsure(sample.view, judge(sample.rows, forest));
  },
  FEATURES.length,
  1,
);
const firstForest = option.write ? fitForest(samples, FEATURES.length, 21) : null;
for (const s of samples) {
  setAside(s.rows, s.first);
  addSecondFeatures(s.rows, s.view, firstLook(s.view, s.first));
}
crossValidate(
  samples,
  (sample, forest) => {
    sample.second = judge(sample.rows, forest);
  },
  ROW_WIDTH,
  11,
);
report(samples, Number(option.worst), option.dump);

if (option.write) {
  const dir = join(import.meta.dirname, '../../src/extract/article/weights');
  mkdirSync(dir, { recursive: true });
  // The second look learns from first looks at unseen pages, as it will get them in use.
  writeFileSync(join(dir, 'first.json'), `${JSON.stringify(firstForest)}\n`);
  writeFileSync(join(dir, 'tokens.json'), `${JSON.stringify(learnTokens(samples))}\n`);
  writeFileSync(join(dir, 'kinds.json'), `${JSON.stringify(kindForests)}\n`);
  writeFileSync(join(dir, 'second.json'), `${JSON.stringify(fitForest(samples, ROW_WIDTH, 31))}\n`);
}

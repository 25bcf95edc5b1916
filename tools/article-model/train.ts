// Trains the two forests of the article extractor and measures them honestly: five folds by host, so that no page is ever judged
// by a model that has seen its site.
//
//   node tools/article-model/train.ts            cross-validates and prints the table
//   node tools/article-model/train.ts --write    also trains on all pages and writes src/extract/article/weights/*.json
//   node tools/article-model/train.ts --worst 20 also lists the worst pages, --dump DIR writes every block with its verdict
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  addSecondFeatures,
  decideFrom,
  judge,
  liftUnsure,
  ROW_WIDTH,
  type Rows,
  rowsOf,
  setAside,
} from '../../src/extract/article/model/decide.ts';
import { FEATURES } from '../../src/extract/article/model/features.ts';
import { FOREST_DEPTH, type Forest, type ForestJson, forestOf } from '../../src/extract/article/model/forest.ts';
import { firstLook, SECOND_FEATURES } from '../../src/extract/article/model/second.ts';
import { factsOf, statedOf } from '../../src/extract/article/page/facts.ts';
import { readPage } from '../../src/extract/article/page/tree.ts';
import { type View, viewOf } from '../../src/extract/article/page/view.ts';
import { createSiteMemory } from '../../src/extract/article/site-memory.ts';
import { train } from './gbdt.ts';
import { labelBlocks } from './labels.ts';
import { aggregate, type LabelledPage, loadPages, pageF1, type Score, scorePage } from './pages.ts';

const { values: option } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    worst: { type: 'string', default: '0' },
    dump: { type: 'string' },
    folds: { type: 'string', default: '5' },
    trees: { type: 'string', default: '60' },
    rate: { type: 'string', default: '0.15' },
    columns: { type: 'string', default: '0.4' },
    leaf: { type: 'string', default: '20' },
    l2: { type: 'string', default: '2' },
    // The second set has looser labels; the strict one is what the target is measured on.
    loose: { type: 'string', default: '0.5' },
    seed: { type: 'string', default: '1' },
    // What every block weighs beside its words, and how many of its words count.
    base: { type: 'string', default: '0.6' },
    cap: { type: 'string', default: '60' },
  },
});
const folds = Number(option.folds);

interface Sample extends LabelledPage {
  group: number;
  fold: number;
  view: View;
  labels: number[];
  weights: number[];
  rows: Rows;
  first: number[];
  second: number[];
}

function sampleOf(page: LabelledPage, group: number): Sample {
  const tree = readPage(page.html);
  const view = viewOf(tree, statedOf(tree, factsOf(tree)));
  const { labels, words } = labelBlocks(view.blockFeatures, page.truth);
  const bodyWords = Math.max(
    1,
    words.reduce((sum, n, i) => sum + n * labels[i]!, 0),
  );
  // The metric counts words and gives every page the same say; so do the weights, with a little for every block whatever its length.
  const weights = words.map(
    (n) =>
      (page.set === 'articles' ? 1 : Number(option.loose)) *
      (Number(option.base) / words.length + Math.min(n, Number(option.cap)) / bodyWords),
  );
  const rows = rowsOf(view);
  return { ...page, group, fold: hash(page.host) % folds, view, labels, weights, rows, first: [], second: [] };
}

function hash(text: string): number {
  let h = 7;
  for (let i = 0; i < text.length; i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) >>> 0;
  return h >>> 3;
}

function fitForest(samples: Sample[], width: number, seed: number): ForestJson {
  const asked = samples.flatMap((s) =>
    [...s.rows.at].flatMap((at, i) =>
      at < 0
        ? []
        : [
            {
              row: s.rows.values.subarray(at, at + width),
              label: s.labels[i]!,
              weight: s.weights[i]!,
              group: s.group,
            },
          ],
    ),
  );
  const forest = train({
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
  });
  const names = [...FEATURES, ...SECOND_FEATURES].slice(0, width);
  const round = (n: number) => Number(n.toPrecision(6));
  return {
    features: names,
    depth: forest.depth,
    bias: round(forest.bias),
    trees: forest.features.map((features, t) => ({
      features,
      thresholds: forest.thresholds[t]!.map(round),
      leaves: forest.leaves[t]!.map(round),
    })),
  };
}

/** Likelihoods by models that have not seen the host of the page. */
function crossValidate(
  samples: Sample[],
  look: (sample: Sample, forest: Forest) => void,
  width: number,
  seed: number,
): void {
  for (let fold = 0; fold < folds; fold++) {
    const forest = forestOf(
      fitForest(
        samples.filter((s) => s.fold !== fold),
        width,
        seed + fold,
      ),
    );
    for (const sample of samples) if (sample.fold === fold) look(sample, forest);
  }
}

function report(samples: Sample[]): void {
  const scores = new Map<Sample, Score>();
  for (const sample of samples) {
    const { kept, p, top } = decideFrom(sample.view, sample.second);
    const text = sample.view.blockFeatures.filter((_, i) => kept[i]).map((features) => features.block.text);
    const score = scorePage(sample.truth, text.join('\n'));
    scores.set(sample, score);
    if (option.dump) dump(option.dump, sample, score, p, kept, `${top.tag}.${top.attrs.class ?? ''}`);
  }
  const line = (name: string, some: Sample[]) => {
    const { f1, precision, recall } = aggregate(some.map((s) => scores.get(s)!));
    const lost = some.filter((s) => pageF1(scores.get(s)!) < 0.5).length;
    console.log(
      `${name.padEnd(24)} pages ${String(some.length).padStart(3)}  F1 ${f1.toFixed(4)}  precision ${precision.toFixed(4)}  recall ${recall.toFixed(4)}  under 0.5: ${lost}`,
    );
  };
  for (const set of new Set(samples.map((s) => s.set))) {
    for (let fold = 0; fold < folds; fold++)
      line(
        `${set} fold ${fold + 1}`,
        samples.filter((s) => s.set === set && s.fold === fold),
      );
    line(
      set,
      samples.filter((s) => s.set === set),
    );
  }
  line('all', samples);
  reportMemory(samples, scores);
  const worst = [...scores].sort((a, b) => pageF1(a[1]) - pageF1(b[1])).slice(0, Number(option.worst));
  for (const [s, score] of worst) {
    console.log(
      `${pageF1(score).toFixed(3)} p=${(score.precision ?? 0).toFixed(3)} r=${score.recall.toFixed(3)} ${s.set} ${s.id.slice(0, 8)} ${s.url.slice(0, 100)}`,
    );
  }
}

/** Pages of hosts with two pages or more, alone and with a memory that has read the others first. */
function reportMemory(samples: Sample[], alone: Map<Sample, Score>): void {
  const shared = samples.filter((s) => samples.some((other) => other !== s && other.host === s.host));
  const memory = createSiteMemory();
  for (const s of shared) memory.recognise(s.host, s.url, s.view.blockFeatures);
  const withMemory = shared.map((s) => {
    const { kept } = decideFrom(s.view, s.second);
    const known = memory.recognise(s.host, s.url, s.view.blockFeatures);
    return scorePage(
      s.truth,
      s.view.blockFeatures
        .filter((_, i) => kept[i] && !known[i])
        .map((features) => features.block.text)
        .join('\n'),
    );
  });
  const show = (name: string, scores: Score[]) => {
    const { f1, precision, recall } = aggregate(scores);
    console.log(
      `${name.padEnd(24)} pages ${String(scores.length).padStart(3)}  F1 ${f1.toFixed(4)}  precision ${precision.toFixed(4)}  recall ${recall.toFixed(4)}`,
    );
  };
  show(
    'shared hosts, alone',
    shared.map((s) => alone.get(s)!),
  );
  show('shared hosts, memory', withMemory);
}

function dump(dir: string, sample: Sample, score: Score, p: number[], kept: boolean[], top: string): void {
  mkdirSync(dir, { recursive: true });
  const lines = sample.view.blockFeatures.map(({ block, linkShare }, i) => {
    const path: string[] = [];
    for (let n = block.node; n.parent && path.length < 5; n = n.parent)
      path.push(n.attrs.class ? `${n.tag}.${n.attrs.class.slice(0, 50)}` : n.tag);
    const wrong = sample.labels[i] === Number(kept[i]) ? '  ' : '!!';
    return `${wrong} true ${sample.labels[i]} kept ${Number(kept[i])} first ${sample.first[i]!.toFixed(2)} second ${p[i]!.toFixed(2)} links ${linkShare.toFixed(2)} | ${block.text.slice(0, 160)} || ${path.join(' < ')}`;
  });
  writeFileSync(
    join(dir, `${sample.id.slice(0, 8)}.txt`),
    [sample.url, `${pageF1(score)} ${JSON.stringify(score)} ${top}`, ...lines].join('\n'),
  );
}

const samples = loadPages().map(sampleOf);
crossValidate(
  samples,
  (sample, forest) => {
    sample.first = liftUnsure(sample.view, judge(sample.rows, forest));
  },
  FEATURES.length,
  1,
);
const firstForest = fitForest(samples, FEATURES.length, 21);
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
report(samples);

if (option.write) {
  const dir = join(import.meta.dirname, '../../src/extract/article/weights');
  mkdirSync(dir, { recursive: true });
  // The second look learns from first looks at unseen pages, as it will get them in use.
  writeFileSync(join(dir, 'first.json'), `${JSON.stringify(firstForest)}\n`);
  writeFileSync(join(dir, 'second.json'), `${JSON.stringify(fitForest(samples, ROW_WIDTH, 31))}\n`);
}

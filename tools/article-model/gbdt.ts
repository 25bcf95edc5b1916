// Gradient-boosted decision trees for a yes/no question, small enough to read: histograms, logistic loss, regular depth.
// What a reader would get wrong: the trees are complete (every leaf at the same depth, splits that help nothing send all left),
// so that the weights are flat arrays and reading them needs no pointers.

export interface Forest {
  depth: number;
  /** Added to the sum of the leaves before the logistic function. */
  bias: number;
  /** Per tree, 2^depth - 1 feature positions in heap order. */
  features: number[][];
  /** Per tree, a row goes right where its value is greater than the threshold. */
  thresholds: number[][];
  /** Per tree, 2^depth leaf values. */
  leaves: number[][];
}

export interface Training {
  rows: Float64Array[];
  labels: number[];
  weights: number[];
  trees: number;
  depth: number;
  rate: number;
  /** Share of features each tree may use. */
  columns: number;
  /** Share of groups (pages) each tree learns from. */
  bagging: number;
  groups: number[];
  /** Least weight of a leaf, in units of the mean row weight. */
  leafRows: number;
  l2: number;
  seed: number;
}

const BINS = 48;

export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

export function train(t: Training): Forest {
  const n = t.rows.length;
  const width = t.rows[0]!.length;
  const next = random(t.seed);
  const { codes, cuts } = quantise(t.rows, width);
  const meanWeight = t.weights.reduce((a, b) => a + b, 0) / n;
  const weights = Float64Array.from(t.weights, (w) => w / meanWeight);
  let yes = 0;
  for (let i = 0; i < n; i++) yes += weights[i]! * t.labels[i]!;
  const bias = Math.log((yes + 1) / (n - yes + 1));
  const score = new Float64Array(n).fill(bias);
  const forest: Forest = { depth: t.depth, bias, features: [], thresholds: [], leaves: [] };
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n);
  const labels = Float64Array.from(t.labels);
  const groups = Int32Array.from(t.groups);
  const groupCount = t.groups.reduce((most, group) => Math.max(most, group), 0) + 1;
  for (let tree = 0; tree < t.trees; tree++) {
    const columns: number[] = [];
    for (let f = 0; f < width; f++) if (cuts[f]!.length > 0 && next() < t.columns) columns.push(f);
    const inBag = Array.from({ length: groupCount }, () => next() < t.bagging);
    const sample = rowsWhere(n, (i) => inBag[groups[i]!]!);
    for (const i of sample) {
      const p = 1 / (1 + Math.exp(-score[i]!));
      gradient[i] = (labels[i]! - p) * weights[i]!;
      hessian[i] = p * (1 - p) * weights[i]!;
    }
    const grown = grow(t, codes, cuts, columns, sample, gradient, hessian);
    forest.features.push(grown.features);
    forest.thresholds.push(grown.thresholds);
    forest.leaves.push(grown.leaves);
    for (let i = 0; i < n; i++) score[i]! += leafOf(grown, t.rows[i]!, t.depth);
  }
  return forest;
}

/** Of the first `count` rows, those that are meant, in order; `filter` of typed arrays takes several times as long. */
function rowsWhere(count: number, isMeant: (row: number) => boolean): Int32Array {
  const some = new Int32Array(count);
  let size = 0;
  for (let i = 0; i < count; i++) if (isMeant(i)) some[size++] = i;
  return some.slice(0, size);
}

function splitRows(rows: Int32Array, code: Uint8Array, bin: number): { left: Int32Array; right: Int32Array } {
  const left = new Int32Array(rows.length);
  const right = new Int32Array(rows.length);
  let lefts = 0;
  let rights = 0;
  for (let k = 0; k < rows.length; k++) {
    const row = rows[k]!;
    if (code[row]! <= bin) left[lefts++] = row;
    else right[rights++] = row;
  }
  return { left: left.slice(0, lefts), right: right.slice(0, rights) };
}

// Quantiles of more rows than this are the same.
const QUANTILE_ROWS = 20_000;

function quantise(rows: Float64Array[], width: number): { codes: Uint8Array[]; cuts: number[][] } {
  const codes: Uint8Array[] = [];
  const cuts: number[][] = [];
  for (let f = 0; f < width; f++) {
    const at = cutsOf(rows, f);
    cuts.push(at);
    const code = new Uint8Array(rows.length);
    for (let i = 0; i < rows.length; i++) code[i] = lowerBound(at, rows[i]![f]!);
    codes.push(code);
  }
  return { codes, cuts };
}

/** Between all values of a feature that has few; between the quantiles of one that has many. */
function cutsOf(rows: Float64Array[], f: number): number[] {
  const few = new Set<number>();
  for (let i = 0; i < rows.length && few.size <= BINS; i++) few.add(rows[i]![f]!);
  if (few.size <= BINS) {
    const values = [...few].sort((a, b) => a - b);
    return values.slice(1).map((value, i) => (values[i]! + value) / 2);
  }
  const step = Math.max(1, Math.floor(rows.length / QUANTILE_ROWS));
  const sorted = new Float64Array(Math.ceil(rows.length / step)).map((_, i) => rows[i * step]![f]!).sort();
  const cuts: number[] = [];
  for (let b = 1; b < BINS; b++) {
    const at = Math.floor((b * sorted.length) / BINS);
    const value = sorted[at]!;
    let below = at;
    while (below > 0 && sorted[below] === value) below--;
    const cut = (sorted[below]! + value) / 2;
    if (sorted[below]! < value && (cuts.length === 0 || cut > cuts[cuts.length - 1]!)) cuts.push(cut);
  }
  return cuts;
}

/** Number of sorted values below `value`. */
function lowerBound(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (sorted[mid]! < value) low = mid + 1;
    else high = mid;
  }
  return low;
}

interface Grown {
  features: number[];
  thresholds: number[];
  leaves: number[];
}

/** What a node of a tree holds: its rows, and by column and bin the sums of gradient, hessian and rows. */
interface Members {
  rows: Int32Array;
  sums: Float64Array;
}

const SUMS = 3;
const COLUMN = BINS * SUMS;

function grow(
  t: Training,
  codes: Uint8Array[],
  cuts: number[][],
  columns: number[],
  sample: Int32Array,
  g: Float64Array,
  h: Float64Array,
): Grown {
  const inner = 2 ** t.depth - 1;
  const features = new Array<number>(inner).fill(0);
  const thresholds = new Array<number>(inner).fill(Number.MAX_VALUE);
  const nothing: Members = { rows: new Int32Array(0), sums: new Float64Array(0) };
  let members: Members[] = [{ rows: sample, sums: sumsOf(codes, columns, sample, g, h) }];
  for (let level = 0; level < t.depth; level++) {
    const isLast = level === t.depth - 1;
    members = members.flatMap((node, k) => {
      const slot = 2 ** level - 1 + k;
      const split = bestSplit(t, columns, node);
      if (!split) return [node, nothing];
      features[slot] = split.feature;
      thresholds[slot] = cuts[split.feature]![split.bin]!;
      const code = codes[split.feature]!;
      const { left, right } = splitRows(node.rows, code, split.bin);
      if (isLast)
        return [
          { rows: left, sums: nothing.sums },
          { rows: right, sums: nothing.sums },
        ];
      // Only the smaller side is summed up; the other is what is left of both.
      const small = sumsOf(codes, columns, left.length < right.length ? left : right, g, h);
      const large = node.sums.map((sum, i) => sum - small[i]!);
      return left.length < right.length
        ? [
            { rows: left, sums: small },
            { rows: right, sums: large },
          ]
        : [
            { rows: left, sums: large },
            { rows: right, sums: small },
          ];
    });
  }
  const leaves = members.map(({ rows }) => {
    let sumG = 0;
    let sumH = 0;
    for (const i of rows) {
      sumG += g[i]!;
      sumH += h[i]!;
    }
    return (t.rate * sumG) / (sumH + t.l2);
  });
  return { features, thresholds, leaves };
}

function sumsOf(
  codes: Uint8Array[],
  columns: number[],
  rows: Int32Array,
  g: Float64Array,
  h: Float64Array,
): Float64Array {
  const sums = new Float64Array(columns.length * COLUMN);
  const ownG = new Float64Array(rows.length);
  const ownH = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) {
    ownG[k] = g[rows[k]!]!;
    ownH[k] = h[rows[k]!]!;
  }
  for (let c = 0; c < columns.length; c++) {
    const code = codes[columns[c]!]!;
    const base = c * COLUMN;
    for (let k = 0; k < rows.length; k++) {
      const at = base + code[rows[k]!]! * SUMS;
      sums[at]! += ownG[k]!;
      sums[at + 1]! += ownH[k]!;
      sums[at + 2]!++;
    }
  }
  return sums;
}

function bestSplit(t: Training, columns: number[], { rows, sums }: Members): { feature: number; bin: number } | null {
  if (rows.length < 4) return null;
  let best: { feature: number; bin: number } | null = null;
  let bestGain = 1e-6;
  for (let c = 0; c < columns.length; c++) {
    const base = c * COLUMN;
    let allG = 0;
    let allH = 0;
    for (let at = base; at < base + COLUMN; at += SUMS) {
      allG += sums[at]!;
      allH += sums[at + 1]!;
    }
    const whole = (allG * allG) / (allH + t.l2);
    let leftG = 0;
    let leftH = 0;
    let left = 0;
    for (let bin = 0; bin < BINS; bin++) {
      leftG += sums[base + bin * SUMS]!;
      leftH += sums[base + bin * SUMS + 1]!;
      left += sums[base + bin * SUMS + 2]!;
      if (left < t.leafRows || rows.length - left < t.leafRows) continue;
      const rightG = allG - leftG;
      const rightH = allH - leftH;
      const gain = (leftG * leftG) / (leftH + t.l2) + (rightG * rightG) / (rightH + t.l2) - whole;
      if (gain > bestGain) {
        bestGain = gain;
        best = { feature: columns[c]!, bin };
      }
    }
  }
  return best;
}

function leafOf(tree: Grown, row: Float64Array, depth: number): number {
  let at = 0;
  for (let level = 0; level < depth; level++) at = 2 * at + (row[tree.features[at]!]! > tree.thresholds[at]! ? 2 : 1);
  return tree.leaves[at - (2 ** depth - 1)]!;
}

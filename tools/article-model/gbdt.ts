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
  const groupCount = Math.max(...t.groups) + 1;
  for (let tree = 0; tree < t.trees; tree++) {
    for (let i = 0; i < n; i++) {
      const p = 1 / (1 + Math.exp(-score[i]!));
      gradient[i] = (t.labels[i]! - p) * weights[i]!;
      hessian[i] = p * (1 - p) * weights[i]!;
    }
    const columns: number[] = [];
    for (let f = 0; f < width; f++) if (cuts[f]!.length > 0 && next() < t.columns) columns.push(f);
    const inBag = Array.from({ length: groupCount }, () => next() < t.bagging);
    const sample: number[] = [];
    for (let i = 0; i < n; i++) if (inBag[t.groups[i]!]) sample.push(i);
    const grown = grow(t, codes, cuts, columns, sample, gradient, hessian);
    forest.features.push(grown.features);
    forest.thresholds.push(grown.thresholds);
    forest.leaves.push(grown.leaves);
    for (let i = 0; i < n; i++) score[i]! += leafOf(grown, t.rows[i]!, t.depth);
  }
  return forest;
}

function quantise(rows: Float64Array[], width: number): { codes: Uint8Array[]; cuts: number[][] } {
  const codes: Uint8Array[] = [];
  const cuts: number[][] = [];
  for (let f = 0; f < width; f++) {
    const sorted = Float64Array.from(rows, (r) => r[f]!).sort();
    const edges: number[] = [];
    for (let b = 1; b < BINS; b++) {
      const value = sorted[Math.floor((b * sorted.length) / BINS)]!;
      if (edges.length === 0 ? value > sorted[0]! : value > edges[edges.length - 1]!) edges.push(value);
    }
    // Rare values at the ends would fall between the quantiles: each still gets an edge.
    const distinct = [...new Set(sorted)];
    const steps = distinct.length <= BINS ? distinct.slice(1) : edges;
    const at = steps.map((value) => {
      const below = distinct[lowerBound(distinct, value) - 1]!;
      return (below + value) / 2;
    });
    cuts.push(at);
    codes.push(Uint8Array.from(rows, (r) => lowerBound(at, r[f]!)));
  }
  return { codes, cuts };
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

function grow(
  t: Training,
  codes: Uint8Array[],
  cuts: number[][],
  columns: number[],
  sample: number[],
  g: Float64Array,
  h: Float64Array,
): Grown {
  const inner = 2 ** t.depth - 1;
  const features = new Array<number>(inner).fill(0);
  const thresholds = new Array<number>(inner).fill(Number.MAX_VALUE);
  let members: number[][] = [sample];
  for (let level = 0; level < t.depth; level++) {
    const nextMembers: number[][] = [];
    members.forEach((rows, k) => {
      const slot = 2 ** level - 1 + k;
      const split = bestSplit(t, codes, columns, rows, g, h);
      if (!split) {
        nextMembers.push(rows, []);
        return;
      }
      features[slot] = split.feature;
      thresholds[slot] = cuts[split.feature]![split.bin]!;
      const code = codes[split.feature]!;
      nextMembers.push(
        rows.filter((i) => code[i]! <= split.bin),
        rows.filter((i) => code[i]! > split.bin),
      );
    });
    members = nextMembers;
  }
  const leaves = members.map((rows) => {
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

function bestSplit(
  t: Training,
  codes: Uint8Array[],
  columns: number[],
  rows: number[],
  g: Float64Array,
  h: Float64Array,
): { feature: number; bin: number } | null {
  if (rows.length < 4) return null;
  let best: { feature: number; bin: number } | null = null;
  let bestGain = 1e-6;
  const sums = new Float64Array(BINS * 3 + 3);
  for (const feature of columns) {
    sums.fill(0);
    const code = codes[feature]!;
    let allG = 0;
    let allH = 0;
    for (const i of rows) {
      const at = code[i]! * 3;
      sums[at]! += g[i]!;
      sums[at + 1]! += h[i]!;
      sums[at + 2]!++;
      allG += g[i]!;
      allH += h[i]!;
    }
    let leftG = 0;
    let leftH = 0;
    let left = 0;
    const whole = (allG * allG) / (allH + t.l2);
    for (let bin = 0; bin < BINS; bin++) {
      leftG += sums[bin * 3]!;
      leftH += sums[bin * 3 + 1]!;
      left += sums[bin * 3 + 2]!;
      if (left < t.leafRows || rows.length - left < t.leafRows) continue;
      const rightG = allG - leftG;
      const rightH = allH - leftH;
      const gain = (leftG * leftG) / (leftH + t.l2) + (rightG * rightG) / (rightH + t.l2) - whole;
      if (gain > bestGain) {
        bestGain = gain;
        best = { feature, bin };
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

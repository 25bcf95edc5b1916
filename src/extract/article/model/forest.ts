// Reads a trained forest: complete trees in flat arrays, so a row falls through by arithmetic alone.
// What a reader would get wrong: the steps of four trees are written out side by side, and which way a row goes is a number and not a branch. All
// blocks of a page go through 120 trees; one tree after the other, the processor mostly waits, and a loop for the steps or a branch it cannot guess
// is twice as slow.

/** As tools/article-model/train.ts writes it. */
export interface ForestJson {
  features: string[];
  depth: number;
  bias: number;
  trees: { features: number[]; thresholds: number[]; leaves: number[] }[];
}

/** From the row that begins at `at` to the probability of yes. */
export type Forest = (values: Float64Array, at: number) => number;

export const FOREST_DEPTH = 4;
const SIDE_BY_SIDE = 4;

export function forestOf({ depth, bias, trees }: ForestJson): Forest {
  if (depth !== FOREST_DEPTH) throw new RangeError(`trees of depth ${depth} cannot be read, only of ${FOREST_DEPTH}`);
  const count = Math.ceil(trees.length / SIDE_BY_SIDE) * SIDE_BY_SIDE;
  const [first, second, third, fourth] = [0, 1, 2, 3].map((level) => levelOf(trees, count, level)) as [
    Level,
    Level,
    Level,
    Level,
  ];
  // Trees that only fill up the last four have leaves of nothing.
  const leaves = new Float64Array(count << FOREST_DEPTH);
  trees.forEach((tree, t) => {
    leaves.set(tree.leaves, t << FOREST_DEPTH);
  });
  const [f1, f2, f3, f4] = [first.features, second.features, third.features, fourth.features];
  const [t1, t2, t3, t4] = [first.thresholds, second.thresholds, third.thresholds, fourth.thresholds];
  return (values, at) => {
    let sum = bias;
    for (let tree = 0; tree < count; tree += SIDE_BY_SIDE) {
      let a = 2 * tree + Number(values[at + f1[tree]!]! > t1[tree]!);
      let b = 2 * (tree + 1) + Number(values[at + f1[tree + 1]!]! > t1[tree + 1]!);
      let c = 2 * (tree + 2) + Number(values[at + f1[tree + 2]!]! > t1[tree + 2]!);
      let d = 2 * (tree + 3) + Number(values[at + f1[tree + 3]!]! > t1[tree + 3]!);
      a = 2 * a + Number(values[at + f2[a]!]! > t2[a]!);
      b = 2 * b + Number(values[at + f2[b]!]! > t2[b]!);
      c = 2 * c + Number(values[at + f2[c]!]! > t2[c]!);
      d = 2 * d + Number(values[at + f2[d]!]! > t2[d]!);
      a = 2 * a + Number(values[at + f3[a]!]! > t3[a]!);
      b = 2 * b + Number(values[at + f3[b]!]! > t3[b]!);
      c = 2 * c + Number(values[at + f3[c]!]! > t3[c]!);
      d = 2 * d + Number(values[at + f3[d]!]! > t3[d]!);
      a = 2 * a + Number(values[at + f4[a]!]! > t4[a]!);
      b = 2 * b + Number(values[at + f4[b]!]! > t4[b]!);
      c = 2 * c + Number(values[at + f4[c]!]! > t4[c]!);
      d = 2 * d + Number(values[at + f4[d]!]! > t4[d]!);
      // One by one: another order of adding would be another sum.
      sum += leaves[a]!;
      sum += leaves[b]!;
      sum += leaves[c]!;
      sum += leaves[d]!;
    }
    return 1 / (1 + Math.exp(-sum));
  };
}

interface Level {
  features: Int32Array;
  thresholds: Float64Array;
}

/** The splits of one level of all trees, so that from place p the row goes on to 2p or 2p + 1 of the next, and at last of the leaves. */
function levelOf(trees: ForestJson['trees'], count: number, level: number): Level {
  const width = 1 << level;
  const features = new Int32Array(count * width);
  const thresholds = new Float64Array(count * width);
  trees.forEach((tree, t) => {
    features.set(tree.features.slice(width - 1, 2 * width - 1), t * width);
    thresholds.set(tree.thresholds.slice(width - 1, 2 * width - 1), t * width);
  });
  return { features, thresholds };
}

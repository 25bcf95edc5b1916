// Reads a trained forest: complete trees in flat arrays, so a row falls through by arithmetic alone.
// What a reader would get wrong: the four steps are written out, and which way a row goes is a number and not a branch. A loop for them, or a
// branch no processor can guess, makes it twice as slow, and all blocks of a page go through 120 trees.

/** As bench/articles/train.ts writes it. */
export interface ForestJson {
  features: string[];
  depth: number;
  bias: number;
  trees: { features: number[]; thresholds: number[]; leaves: number[] }[];
}

/** From the row that begins at `at` to the probability of yes. */
export type Forest = (values: Float64Array, at: number) => number;

export const FOREST_DEPTH = 4;
// As many places for splits as for leaves (one stays empty), so that both begin at the same multiple.
const WIDTH = 1 << FOREST_DEPTH;

export function forestOf({ depth, bias, trees }: ForestJson): Forest {
  if (depth !== FOREST_DEPTH) throw new RangeError(`trees of depth ${depth} cannot be read, only of ${FOREST_DEPTH}`);
  const features = new Int32Array(trees.length * WIDTH);
  const thresholds = new Float64Array(trees.length * WIDTH);
  const leaves = new Float64Array(trees.length * WIDTH);
  trees.forEach((tree, t) => {
    features.set(tree.features, t * WIDTH);
    thresholds.set(tree.thresholds, t * WIDTH);
    leaves.set(tree.leaves, t * WIDTH);
  });
  return (values, at) => {
    let sum = bias;
    for (let tree = 0; tree < leaves.length; tree += WIDTH) {
      let split = 1 + Number(values[at + features[tree]!]! > thresholds[tree]!);
      split = 2 * split + 1 + Number(values[at + features[tree + split]!]! > thresholds[tree + split]!);
      split = 2 * split + 1 + Number(values[at + features[tree + split]!]! > thresholds[tree + split]!);
      split = 2 * split + 1 + Number(values[at + features[tree + split]!]! > thresholds[tree + split]!);
      sum += leaves[tree + split - WIDTH + 1]!;
    }
    return 1 / (1 + Math.exp(-sum));
  };
}

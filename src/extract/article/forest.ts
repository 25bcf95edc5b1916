// Reads a trained forest: complete trees in flat arrays, so a row falls through by arithmetic alone.

/** As bench/articles/train.ts writes it. */
export interface ForestJson {
  features: string[];
  depth: number;
  bias: number;
  trees: { features: number[]; thresholds: number[]; leaves: number[] }[];
}

export type Forest = (row: Float64Array) => number;

/** A function from a row of features to the probability of yes. */
export function forestOf(json: ForestJson): Forest {
  const { depth, bias, trees } = json;
  const inner = 2 ** depth - 1;
  const width = inner + 1;
  const features = new Int16Array(trees.length * inner);
  const thresholds = new Float64Array(trees.length * inner);
  const leaves = new Float64Array(trees.length * width);
  trees.forEach((tree, t) => {
    features.set(tree.features, t * inner);
    thresholds.set(tree.thresholds, t * inner);
    leaves.set(tree.leaves, t * width);
  });
  return (row) => {
    let sum = bias;
    for (let t = 0, base = 0; t < trees.length; t++, base += inner) {
      let at = 0;
      while (at < inner) at = 2 * at + (row[features[base + at]!]! > thresholds[base + at]! ? 2 : 1);
      sum += leaves[t * width + at - inner]!;
    }
    return 1 / (1 + Math.exp(-sum));
  };
}

/** Positions of the features a forest asks about; a split that sends all rows left asks nothing. */
export function questionsOf({ trees }: ForestJson): Set<number> {
  return new Set(trees.flatMap((tree) => tree.features.filter((_, i) => tree.thresholds[i]! < 1e300)));
}

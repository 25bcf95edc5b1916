// Which element holds the article: the one whose blocks gain the most, when every block votes with its length.
import type { TreeNode } from '../page/tree.ts';
import type { View } from '../page/view.ts';

/** `gains` is what keeping each block brings: positive for text of the article, negative for the rest. */
export function pickContainer({ page, blockFeatures }: View, gains: number[]): TreeNode {
  const sums = new Float64Array(page.nodes.length);
  blockFeatures.forEach(({ block }, i) => {
    sums[block.node.index]! += gains[i]!;
  });
  let best = page.nodes[0]!;
  for (let i = page.nodes.length - 1; i > 0; i--) {
    const node = page.nodes[i]!;
    sums[node.parent!.index]! += sums[i]!;
  }
  // Document order with >=: of equal sums the innermost wins, so wrappers around it are not taken.
  for (const node of page.nodes) if (sums[node.index]! >= sums[best.index]!) best = node;
  return best;
}

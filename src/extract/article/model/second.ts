// The second look at a block: the same features, and what the first look thought of the blocks around it.
// As with features.ts, the order is part of the trained weights.

import type { TreeNode } from '../page/tree.ts';
import type { BlockFeatures, View } from '../page/view.ts';
import { pickContainer } from './pick.ts';

/** The first look at a whole page. */
export interface FirstLook {
  /** Probability of each block to be body. */
  p: number[];
  top: TreeNode;
  /** Characters of likely body before each block, and in all. */
  before: Float64Array;
  total: number;
  byNode: Means;
  byStyle: Means;
}

/** By node or style signature: the sum of likelihoods weighted by length, then the length, alternating. */
type Means = Float64Array;

const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const LONGEST_VOTE = 400;
// A block that is no body costs little: inside the chosen element it is left out anyway.
const COST_OF_OTHERS = 0.1;

/** What having a block in the chosen element brings, by its length and likelihood. */
export const gainsOf = (view: View, p: number[]): number[] =>
  view.blockFeatures.map(
    (s, i) => Math.min(LONGEST_VOTE, s.chars) * (p[i]! > 0.5 ? p[i]! - 0.5 : COST_OF_OTHERS * (p[i]! - 0.5)),
  );

export function firstLook(view: View, p: number[]): FirstLook {
  const { blockFeatures, page } = view;
  const top = pickContainer(view, gainsOf(view, p));
  const before = new Float64Array(blockFeatures.length + 1);
  const byNode: Means = new Float64Array(2 * page.nodes.length);
  const byStyle: Means = new Float64Array(2 * blockFeatures.length);
  blockFeatures.forEach((features, i) => {
    before[i + 1] = before[i]! + (p[i]! > 0.5 ? features.chars : 0);
    add(byStyle, features.styleSignature, p[i]!, features.chars);
    add(byNode, features.block.node.index, p[i]!, features.chars);
  });
  for (let i = page.nodes.length - 1; i > 0; i--) {
    const up = page.nodes[i]!.parent!.index;
    byNode[2 * up]! += byNode[2 * i]!;
    byNode[2 * up + 1]! += byNode[2 * i + 1]!;
  }
  return { p, top, before, total: Math.max(1, before[blockFeatures.length]!), byNode, byStyle };
}

function add(means: Means, at: number, p: number, chars: number): void {
  means[2 * at]! += p * chars;
  means[2 * at + 1]! += chars;
}

const mean = (means: Means, at: number): number => (means[2 * at + 1] === 0 ? 0 : means[2 * at]! / means[2 * at + 1]!);
const isHeading = (features: BlockFeatures) => HEADINGS.has(features.block.node.tag);

const NEIGHBOURS = [-3, -2, -1, 1, 2, 3];

export const SECOND_FEATURES: string[] = [
  'p',
  ...NEIGHBOURS.map((step) => `p${step}`),
  'p:afterHeadings',
  'p:beforeHeadings',
  'inTop',
  'bodyBefore',
  'bodyAfter',
  'node:p',
  'up1:p',
  'up2:p',
  'up1:bodyShare',
  'up2:bodyShare',
  'style:p',
  'style:bodyShare',
  'levelsToTop',
];

/** The second features of a block, from `at` on in the row that has the first ones; returns the place behind them. */
export function fillSecond(
  row: Float64Array,
  at: number,
  features: BlockFeatures,
  view: View,
  look: FirstLook,
): number {
  const { p, before, total, byNode, byStyle } = look;
  const { node } = features.block;
  const up1 = (node.parent ?? node).index;
  const up2 = (node.parent?.parent ?? node).index;
  let i = at;
  row[i++] = p[features.at]!;
  for (let n = 0; n < NEIGHBOURS.length; n++) row[i++] = p[features.at + NEIGHBOURS[n]!] ?? 0;
  row[i++] = beyondHeadings(features, view, look, 1);
  row[i++] = beyondHeadings(features, view, look, -1);
  row[i++] = isInside(features, look.top) ? 1 : 0;
  row[i++] = before[features.at]! / total;
  row[i++] = (total - before[features.at + 1]!) / total;
  row[i++] = mean(byNode, node.index);
  row[i++] = mean(byNode, up1);
  row[i++] = mean(byNode, up2);
  row[i++] = byNode[2 * up1]! / total;
  row[i++] = byNode[2 * up2]! / total;
  row[i++] = mean(byStyle, features.styleSignature);
  row[i++] = byStyle[2 * features.styleSignature]! / total;
  row[i++] = levelsTo(features, look.top);
  return i;
}

export const isInside = (features: BlockFeatures, top: TreeNode): boolean =>
  features.block.from >= top.index && features.block.from < top.end;

function beyondHeadings(features: BlockFeatures, view: View, look: FirstLook, step: number): number {
  let at = features.at + step;
  for (let i = 0; i < 3 && view.blockFeatures[at] && isHeading(view.blockFeatures[at]!); i++) at += step;
  return look.p[at] ?? 0;
}

function levelsTo(features: BlockFeatures, top: TreeNode): number {
  let node: TreeNode | null = features.block.node;
  for (let levels = 0; levels < 5 && node; levels++, node = node.parent) if (node === top) return levels;
  return 5;
}

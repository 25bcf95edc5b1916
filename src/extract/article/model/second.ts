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
  /** By the run of alike blocks in a row that a block is in, and by the section from one heading to the next. */
  byRun: Means;
  run: Int32Array;
  runBlocks: Int32Array;
  bySection: Means;
  section: Int32Array;
  /** Running sums over the blocks, for the surroundings of each: likelihood by length, and length. */
  sums: Float64Array;
  chars: Float64Array;
  /** Blocks since the likely body before, and until the next. */
  gapBefore: Int32Array;
  gapAfter: Int32Array;
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
  return {
    p,
    top,
    before,
    total: Math.max(1, before[blockFeatures.length]!),
    byNode,
    byStyle,
    ...stretchesOf(view, p),
  };
}

const FAR = 30;

/** What stands in a row: blocks of one style side by side, the sections between headings, the gaps in the likely body. */
function stretchesOf(
  { blockFeatures }: View,
  p: number[],
): Pick<
  FirstLook,
  'byRun' | 'run' | 'runBlocks' | 'bySection' | 'section' | 'sums' | 'chars' | 'gapBefore' | 'gapAfter'
> {
  const count = blockFeatures.length;
  const byRun: Means = new Float64Array(2 * count);
  const run = new Int32Array(count);
  const runBlocks = new Int32Array(count);
  const bySection: Means = new Float64Array(2 * count + 2);
  const section = new Int32Array(count);
  const sums = new Float64Array(count + 1);
  const chars = new Float64Array(count + 1);
  const gapBefore = new Int32Array(count);
  const gapAfter = new Int32Array(count);
  let gap = FAR;
  for (let i = 0; i < count; i++) {
    const features = blockFeatures[i]!;
    const before = blockFeatures[i - 1];
    const goesOn =
      before !== undefined &&
      before.styleSignature === features.styleSignature &&
      (before.block.node.parent === features.block.node.parent ||
        before.block.node.parent?.parent === features.block.node.parent?.parent);
    run[i] = i === 0 ? 0 : run[i - 1]! + (goesOn ? 0 : 1);
    section[i] = i === 0 ? 0 : section[i - 1]! + (isHeading(features) ? 1 : 0);
    add(byRun, run[i]!, p[i]!, features.chars);
    add(bySection, section[i]!, p[i]!, features.chars);
    runBlocks[run[i]!]!++;
    sums[i + 1] = sums[i]! + p[i]! * features.chars;
    chars[i + 1] = chars[i]! + features.chars;
    gapBefore[i] = gap;
    gap = p[i]! > 0.5 ? 0 : Math.min(FAR, gap + 1);
  }
  gap = FAR;
  for (let i = count - 1; i >= 0; i--) {
    gapAfter[i] = gap;
    gap = p[i]! > 0.5 ? 0 : Math.min(FAR, gap + 1);
  }
  return { byRun, run, runBlocks, bySection, section, sums, chars, gapBefore, gapAfter };
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
  'up3:p',
  'up4:p',
  'run:p',
  'run:blocks',
  'section:p',
  'section:before',
  'section:after',
  'around4:p',
  'around12:p',
  'gapBefore',
  'gapAfter',
  'page:body',
  'page:share',
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
  const up3 = up2Parent(node);
  row[i++] = mean(byNode, up3.index);
  row[i++] = mean(byNode, (up3.parent ?? up3).index);
  const { at: place } = features;
  const section = look.section[place]!;
  row[i++] = mean(look.byRun, look.run[place]!);
  row[i++] = Math.min(40, look.runBlocks[look.run[place]!]!);
  row[i++] = mean(look.bySection, section);
  row[i++] = section === 0 ? 0 : mean(look.bySection, section - 1);
  row[i++] = mean(look.bySection, section + 1);
  row[i++] = around(look, place, 4);
  row[i++] = around(look, place, 12);
  row[i++] = look.gapBefore[place]!;
  row[i++] = look.gapAfter[place]!;
  row[i++] = Math.min(20_000, total);
  row[i++] = Math.min(2, total / view.m.totalProse);
  return i;
}

const up2Parent = (node: TreeNode): TreeNode => {
  const up2 = node.parent?.parent ?? node;
  return up2.parent ?? up2;
};

/** Mean likelihood, by length, of a block and as many before and after it. */
function around({ sums, chars }: FirstLook, at: number, reach: number): number {
  const from = Math.max(0, at - reach);
  const to = Math.min(sums.length - 1, at + reach + 1);
  return (sums[to]! - sums[from]!) / Math.max(1, chars[to]! - chars[from]!);
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

// Which blocks of a page are the body of its article. Two trained looks at every block: the first by what it is and where it
// stands, the second knowing what the first thought of its neighbours, its run and its section; then a cut for the page.
// What a reader would get wrong: there are hardly any rules here for bylines or promotions. Those are learned from labelled pages
// (tools/article-model/train.ts); what this file holds is what a vote over single blocks cannot know, and the few sure things.

import { bitOf } from '../page/lexicon.ts';
import { IN } from '../page/measure.ts';
import type { TokenScores } from '../page/tokens.ts';
import type { TreeNode } from '../page/tree.ts';
import type { BlockFeatures, View } from '../page/view.ts';
import { FEATURES, fillFeatures } from './features.ts';
import type { Forest } from './forest.ts';
import { pickContainer } from './pick.ts';
import { type FirstLook, fillSecond, firstLook, gainsOf, isInside, SECOND_FEATURES } from './second.ts';

export interface Models {
  first: Forest;
  second: Forest;
  readTokens: (view: View) => TokenScores;
}

export interface Decision {
  /** By block of the page: likelihood to be body, and whether it is taken. */
  p: number[];
  kept: boolean[];
}

const MENU_LIKELIHOOD = 0.001;
const SURE_ENOUGH = 0.7;
const VOTER_CHARS = 60;
const SMALL_CELL_CHARS = 80;

export function decide(view: View, models: Models): Decision {
  view.tokens = models.readTokens(view);
  const rows = rowsOf(view, roomFor);
  const first = liftUnsure(view, judge(rows, models.first));
  setAside(rows, first);
  addSecondFeatures(rows, view, firstLook(view, first));
  return decideFrom(view, judge(rows, models.second));
}

// Rows are done with when the page is decided: getting and clearing memory for those of every page takes longer than half of what is written there.
const KEPT_ROWS = 128;
let kept = new Float64Array(0);

function roomFor(size: number): Float64Array {
  if (size > KEPT_ROWS * ROW_WIDTH) return new Float64Array(size);
  if (kept.length < size) kept = new Float64Array(size);
  return kept;
}

// What the first look finds this unlikely was never body when looked at again.
const NOT_AGAIN = 0.01;

/** Blocks that need no second look join the menus. */
export function setAside({ at }: Rows, first: number[]): void {
  for (let i = 0; i < at.length; i++) if (at[i]! >= 0 && first[i]! < NOT_AGAIN) at[i] = -1;
}

/** The features of all blocks that are a question, in one array: one for each block costs as much as computing them. */
export interface Rows {
  values: Float64Array;
  /** By block of the page, where its row begins, with room for the second features; -1 for menus, which are no question. */
  at: Int32Array;
}

export const ROW_WIDTH = FEATURES.length + SECOND_FEATURES.length;

/** `room` gives an array of at least that size, whatever is in it: all of a row is written before it is read. */
export function rowsOf(view: View, room = (size: number): Float64Array => new Float64Array(size)): Rows {
  const { blockFeatures } = view;
  const at = new Int32Array(blockFeatures.length).fill(-1);
  let size = 0;
  for (let i = 0; i < blockFeatures.length; i++) {
    if (blockFeatures[i]!.isMenu) continue;
    at[i] = size;
    size += ROW_WIDTH;
  }
  const values = room(size);
  for (let i = 0; i < blockFeatures.length; i++) if (at[i]! >= 0) fillFeatures(values, at[i]!, blockFeatures[i]!, view);
  return { values, at };
}

export function judge({ values, at }: Rows, forest: Forest): number[] {
  const likelihoods: number[] = [];
  for (const place of at) likelihoods.push(place < 0 ? MENU_LIKELIHOOD : forest(values, place));
  return likelihoods;
}

export function addSecondFeatures({ values, at }: Rows, view: View, look: FirstLook): void {
  for (let i = 0; i < at.length; i++)
    if (at[i]! >= 0) fillSecond(values, at[i]! + FEATURES.length, view.blockFeatures[i]!, view, look);
}

/** From likelihoods to a choice. */
export function decideFrom(view: View, likelihoods: number[]): Decision {
  const p = tablesAsOne(view, likelihoods).map((one, i) => (isNeverBody(view.blockFeatures[i]!, view) ? 0 : one));
  const cut = cutOf(view, p);
  return {
    p,
    kept: withoutOutliers(
      view,
      p,
      p.map((one) => one > cut),
    ),
  };
}

const NEARLY_ALL = 0.8;

/** What stands apart from the element that holds nearly all of the text is let go; where the text is in several places, nothing is. */
function withoutOutliers(view: View, p: number[], kept: boolean[]): boolean[] {
  const top = pickContainer(view, gainsOf(view, p));
  let all = 0;
  let inside = 0;
  view.blockFeatures.forEach((features, i) => {
    if (!kept[i]) return;
    all += features.words;
    if (isInside(features, top)) inside += features.words;
  });
  if (inside < NEARLY_ALL * all) return kept;
  return kept.map((one, i) => one && isInside(view.blockFeatures[i]!, top));
}

const LOWEST_CUT = 0.2;
const HIGHEST_CUT = 0.6;

/**
 * Where to cut a page: so that the F1 to be expected of what is kept is the highest. On a page where all is clear that is near a half; where little
 * is likely, the likeliest is kept, since nothing would be worse.
 */
function cutOf({ blockFeatures }: View, p: number[]): number {
  const ranked = p.flatMap((one, i) => (one > NOT_AGAIN ? [i] : [])).sort((a, b) => p[b]! - p[a]!);
  let wanted = 0;
  for (const i of ranked) wanted += p[i]! * blockFeatures[i]!.words;
  let hit = 0;
  let given = 0;
  let best = 0;
  let cut = HIGHEST_CUT;
  for (const i of ranked) {
    hit += p[i]! * blockFeatures[i]!.words;
    given += blockFeatures[i]!.words;
    const expected = (2 * hit) / (given + wanted);
    if (expected <= best) continue;
    best = expected;
    cut = p[i]! - Number.EPSILON;
  }
  return Math.max(LOWEST_CUT, Math.min(HIGHEST_CUT, cut));
}

const CAPTION = bitOf('caption');
const CREDIT_AT_END =
  /[([](?:image|photo|picture|pic|credit|foto|bild|imagen|crédito|source|getty|reuters|ap photo)s?\b[^)\]]{0,60}[)\]]\s*$|(?:photos?|images?) (?:©|by|via|courtesy)[^.]{2,50}$/i;
/** More than the longest credit takes. */
const CREDIT_CHARS = 80;
const LINK_ONLY_WORDS = 40;

/** What no article counts as its text, said plainly because the labelled pages have too few of each kind to learn it from. */
function isNeverBody(features: BlockFeatures, view: View): boolean {
  const { node, text } = features.block;
  const place = view.m.place[node.index]!;
  if ((place & (IN.quote | IN.table)) !== 0) return false;
  if ((place & IN.caption) !== 0 || (view.m.strong[node.index]! & CAPTION) !== 0) return true;
  if (features.words < LINK_ONLY_WORDS && features.linkShare > 0.9 && (node.tag === 'p' || node.tag === 'div'))
    return true;
  return features.words < LINK_ONLY_WORDS && CREDIT_AT_END.test(text.slice(-CREDIT_CHARS));
}

/** On a page where nothing is likely, the likeliest is still the best guess: all are raised until one counts. */
export function liftUnsure(view: View, p: number[]): number[] {
  let best = 0;
  view.blockFeatures.forEach((features, i) => {
    if (features.chars >= VOTER_CHARS && p[i]! > best) best = p[i]!;
  });
  if (best >= SURE_ENOUGH || best === 0) return p;
  const shift = logit(SURE_ENOUGH) - logit(best);
  return p.map((one) => 1 / (1 + Math.exp(-logit(one) - shift)));
}

const logit = (p: number): number => Math.log(p / (1 - p));

/** The cells of a table of figures stand or fall together: no single "0" or "12" says anything. */
function tablesAsOne(view: View, p: number[]): number[] {
  const tables = new Map<TreeNode, BlockFeatures[]>();
  for (const features of view.blockFeatures) {
    if ((view.m.place[features.block.node.index]! & IN.table) === 0) continue;
    const table = tableOf(features.block.node);
    if (table) {
      const cells = tables.get(table);
      if (cells) cells.push(features);
      else tables.set(table, [features]);
    }
  }
  if (tables.size === 0) return p;
  const out = [...p];
  for (const cells of tables.values()) {
    const chars = cells.reduce((sum, cell) => sum + cell.chars, 0);
    if (cells.length < 4 || chars / cells.length > SMALL_CELL_CHARS) continue;
    const mean = cells.reduce((sum, cell) => sum + p[cell.at]! * cell.chars, 0) / chars;
    for (const cell of cells) out[cell.at] = mean;
  }
  return out;
}

function tableOf(node: TreeNode): TreeNode | null {
  let up: TreeNode | null = node;
  for (let level = 0; up && level < 6; level++, up = up.parent) if (up.tag === 'table') return up;
  return null;
}

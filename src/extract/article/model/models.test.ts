import { expect, test } from 'vitest';
import { readPage } from '../page/tree.ts';
import { viewOf } from '../page/view.ts';
import first from '../weights/first.json' with { type: 'json' };
import second from '../weights/second.json' with { type: 'json' };
import { ROW_WIDTH } from './decide.ts';
import { FEATURES, fillFeatures } from './features.ts';
import { forestOf } from './forest.ts';
import { fillSecond, firstLook, SECOND_FEATURES } from './second.ts';

test('the weights were trained on the features as they are now, in this order', () => {
  expect(first.features).toEqual(FEATURES);
  expect(second.features).toEqual([...FEATURES, ...SECOND_FEATURES]);
});

test('a row falls through a tree by its thresholds', () => {
  const forest = forestOf({
    features: ['a', 'b', 'c', 'd'],
    depth: 4,
    bias: 0,
    // One question a level, so the leaf is the number whose bits are the answers.
    trees: [
      {
        features: [0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3],
        thresholds: Array(15).fill(0.5),
        leaves: Array.from({ length: 16 }, (_, leaf) => leaf / 4),
      },
    ],
  });
  for (let leaf = 0; leaf < 16; leaf++) {
    const row = [leaf >> 3, (leaf >> 2) & 1, (leaf >> 1) & 1, leaf & 1];
    expect(forest(Float64Array.of(9, ...row), 1)).toBeCloseTo(1 / (1 + Math.exp(-leaf / 4)));
  }
});

test('every name of a feature has its value, and no value is without a name', () => {
  const page = readPage('<h1>Ferries return</h1><p>After nine years the boats are back, and the harbour is glad.</p>');
  const view = viewOf(page, { title: 'ferries return' });
  const row = new Float64Array(ROW_WIDTH + 1).fill(-1);
  expect(fillFeatures(row, 0, view.blockFeatures[1]!, view)).toBe(FEATURES.length);
  expect(fillSecond(row, FEATURES.length, view.blockFeatures[1]!, view, firstLook(view, [0.2, 0.9]))).toBe(ROW_WIDTH);
  expect(row[ROW_WIDTH]).toBe(-1);
  const value = (name: string) => row[[...FEATURES, ...SECOND_FEATURES].indexOf(name)];
  expect(value('words')).toBe(12);
  expect(value('isP')).toBe(1);
  expect(value('signs:text')).toBe(0);
  expect(value('position')).toBe(0.5);
  expect(value('near-1:chars')).toBe(14);
  expect(value('p')).toBe(0.9);
  expect(value('levelsToTop')).toBe(0);
});

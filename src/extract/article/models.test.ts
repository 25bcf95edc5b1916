import { expect, test } from 'vitest';
import { FEATURES } from './features.ts';
import { forestOf } from './forest.ts';
import { SECOND_FEATURES } from './second.ts';
import first from './weights/first.json' with { type: 'json' };
import second from './weights/second.json' with { type: 'json' };

const names = (list: [string, ...unknown[]][]) => list.map(([name]) => name);

test('the weights were trained on the features as they are now, in this order', () => {
  expect(first.features).toEqual(names(FEATURES));
  expect(second.features).toEqual([...names(FEATURES), ...names(SECOND_FEATURES)]);
});

test('a row falls through a tree by its thresholds', () => {
  const forest = forestOf({
    features: ['a', 'b'],
    depth: 2,
    bias: 0,
    trees: [{ features: [0, 1, 1], thresholds: [0.5, 2, 3], leaves: [-4, -2, 2, 4] }],
  });
  const p = (a: number, b: number) => forest(Float64Array.of(a, b));
  expect(p(0, 1)).toBeCloseTo(1 / (1 + Math.exp(4)));
  expect(p(0, 3)).toBeCloseTo(1 / (1 + Math.exp(2)));
  expect(p(1, 3)).toBeCloseTo(1 / (1 + Math.exp(-2)));
  expect(p(1, 4)).toBeCloseTo(1 / (1 + Math.exp(-4)));
});

import { expect, test } from 'vitest';
import { roughSize } from './rough-size.ts';

test.each([
  { a: 1, b: [true, null, 'text'], c: { d: 'x'.repeat(1_000) } },
  Array.from({ length: 100 }, (_, n) => ({ title: `posting ${n}`, salary: null, tags: ['a', 'b'] })),
  'ä'.repeat(50),
  12_345,
])('it is near to what JSON takes', (value) => {
  const ratio = roughSize(value) / JSON.stringify(value).length;
  expect(ratio).toBeGreaterThan(0.7);
  expect(ratio).toBeLessThan(1.4);
});

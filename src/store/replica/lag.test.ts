import { expect, test } from 'vitest';
import { createLag, walPosition } from './lag.ts';

test('a replica that has all is not behind, however long nothing is written', () => {
  const lag = createLag();
  lag.note(100n, 100n, 0);
  lag.note(100n, 100n, 60_000);
  expect(lag.ms(120_000)).toBe(0);
});

test('it is as old as the oldest position that it has not reached', () => {
  const lag = createLag();
  lag.note(100n, 90n, 1_000);
  lag.note(110n, 95n, 2_000);
  expect(lag.ms(5_000)).toBe(4_000);
  lag.note(120n, 105n, 5_000);
  expect(lag.ms(6_000)).toBe(4_000);
  lag.note(120n, 120n, 7_000);
  expect(lag.ms(8_000)).toBe(0);
});

test('without the primary nothing is newer than what is known, and memory is bounded', () => {
  const lag = createLag();
  lag.note(null, 90n, 0);
  expect(lag.ms(9_000)).toBe(0);
  for (let n = 1; n < 10_000; n++) lag.note(BigInt(n), 0n, n);
  expect(lag.ms(10_000)).toBe(9_999);
});

test('positions are compared as numbers', () => {
  expect(walPosition('1/0')).toBe(2n ** 32n);
  expect(walPosition('A/0') > walPosition('9/FFFFFFFF')).toBe(true);
});

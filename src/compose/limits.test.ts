import { expect, test } from 'vitest';
import { connectionsOf, hintsOf, readLimits } from './limits.ts';

test('a machine with room needs no hint', () => {
  expect(hintsOf({ descriptors: 65_536, somaxconn: 4_096 })).toEqual([]);
  expect(hintsOf({ descriptors: null, somaxconn: null })).toEqual([]);
});

test('few descriptors and a short backlog are said with what to change', () => {
  const hints = hintsOf({ descriptors: 1_024, somaxconn: 128 });
  expect(hints).toHaveLength(2);
  expect(hints[0]).toMatch(/768 connections.*ulimit -n.*--processes/);
  expect(hints[1]).toMatch(/128 connections.*somaxconn=4096/);
});

test('some descriptors are kept for the store and the wire, and one connection is always possible', () => {
  expect(connectionsOf({ descriptors: 20_000, somaxconn: null })).toBe(19_744);
  expect(connectionsOf({ descriptors: 64, somaxconn: null })).toBe(1);
});

test('the limits of this process are read', async () => {
  const { descriptors } = await readLimits();
  expect(descriptors === null || descriptors > 0).toBe(true);
});

import { expect, test } from 'vitest';
import { createArrived } from './arrived.ts';

/** A table, and what has not been written into it yet. Unpacking takes a moment, and finds what had arrived when it began. */
function world() {
  const arrivals: string[] = [];
  const table = new Set<string>();
  let unpackings = 0;
  const arrived = createArrived(async () => {
    unpackings++;
    const found = arrivals.splice(0, 2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const one of found) table.add(one);
    return new Set(found);
  });
  const find = (name: string) => arrived.find(name, async () => (table.has(name) ? name : null));
  return { arrivals, table, arrived, find, unpackings: () => unpackings };
}

test('what is there is read without unpacking', async () => {
  const { table, find, unpackings } = world();
  table.add('a');
  expect(await find('a')).toBe('a');
  expect(unpackings()).toBe(0);
});

test('what is not there is unpacked for, and no further than needed', async () => {
  const { arrivals, find } = world();
  arrivals.push('a', 'b', 'c', 'd', 'e', 'f');
  expect(await find('c')).toBe('c');
  expect(arrivals).toEqual(['e', 'f']);
});

test('what is nowhere is not found', async () => {
  const { arrivals, find } = world();
  arrivals.push('a', 'b', 'c');
  expect(await find('z')).toBeNull();
  expect(arrivals).toEqual([]);
});

test('what arrives while an unpacking is under way is found by who asks after it', async () => {
  const { arrivals, find } = world();
  const earlier = find('nothing');
  await new Promise((resolve) => setTimeout(resolve, 1));
  arrivals.push('late');
  expect(await find('late')).toBe('late');
  expect(await earlier).toBeNull();
});

test('a hundred who miss the same thing unpack once or twice', async () => {
  const { arrivals, find, unpackings } = world();
  arrivals.push('a');
  expect(new Set(await Promise.all(Array.from({ length: 100 }, () => find('a'))))).toEqual(new Set(['a']));
  expect(unpackings()).toBeLessThanOrEqual(2);
});

test('who waits does not read after every piece that is not what is sought', async () => {
  const { arrivals, table, arrived, unpackings } = world();
  arrivals.push(...Array.from({ length: 40 }, (_, n) => `other ${n}`), 'a');
  let reads = 0;
  const read = async () => {
    reads++;
    return table.has('a') ? 'a' : null;
  };
  expect(await arrived.find('a', read)).toBe('a');
  expect(unpackings()).toBe(21);
  // The first, the last, and one each 200 ms if this machine is slow.
  expect(reads).toBeLessThan(unpackings() / 2);
});

test('what another process has unpacked is found while there is still something to unpack', async () => {
  const { arrivals, table, find } = world();
  arrivals.push(...Array.from({ length: 1_000 }, (_, n) => `other ${n}`));
  setTimeout(() => table.add('theirs'), 20);
  expect(await find('theirs')).toBe('theirs');
  expect(arrivals.length).toBeGreaterThan(0);
});

test('a list has everything', async () => {
  const { arrivals, table, arrived } = world();
  arrivals.push('a', 'b', 'c', 'd', 'e');
  expect(await arrived.all(async () => [...table])).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a failure is told to who asked, and the next one tries again', async () => {
  let tries = 0;
  const arrived = createArrived(async () => {
    if (++tries === 1) throw new Error('away');
    return new Set();
  });
  const read = async () => null;
  await expect(arrived.find('a', read)).rejects.toThrow('away');
  expect(await arrived.find('a', read)).toBeNull();
});

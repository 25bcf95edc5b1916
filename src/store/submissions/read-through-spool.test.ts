import { expect, test } from 'vitest';
import { createReadThroughSpool } from './read-through-spool.ts';

/** A table, and what has not been written into it yet. Unpacking takes a moment, and finds what had arrived when it began. */
function world() {
  const arrivals: string[] = [];
  const table = new Set<string>();
  let unpackings = 0;
  const arrived = createReadThroughSpool(async () => {
    unpackings++;
    const found = arrivals.splice(0, 2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const one of found) table.add(one);
    return found.length;
  });
  const find = (name: string) => arrived.find(async () => (table.has(name) ? name : null));
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

test('a list has everything', async () => {
  const { arrivals, table, arrived } = world();
  arrivals.push('a', 'b', 'c', 'd', 'e');
  expect(await arrived.all(async () => [...table])).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('a failure is told to who asked, and the next one tries again', async () => {
  let tries = 0;
  const arrived = createReadThroughSpool(async () => {
    if (++tries === 1) throw new Error('away');
    return 0;
  });
  const read = async () => null;
  await expect(arrived.find(read)).rejects.toThrow('away');
  expect(await arrived.find(read)).toBeNull();
});

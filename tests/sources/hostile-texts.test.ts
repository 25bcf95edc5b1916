// A part of `npm run bench -- readers`, chosen by a seed: whatever a page puts into a text, reading it takes time in proportion.
import { expect, test } from 'vitest';
import { randomOf } from '../support/mutate-html.ts';
import { growthOf, isTooSteep, positionsIn, UNITS } from '../support/readers/mutations.ts';
import { allReaders } from '../support/readers/readers.ts';

const CHARS = 60_000;
const EACH = 3;

test('H6: every reader takes time in proportion to a hostile text', async () => {
  const next = randomOf(Number(process.env.FUZZ_SEED ?? 1));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const steep: string[] = [];
  const readers = await allReaders();
  expect(readers.length).toBeGreaterThan(50);
  for (const reader of readers) {
    const places = positionsIn(reader.text);
    for (let n = 0; n < EACH; n++) {
      const mutation = { ...pick(places), unit: pick(UNITS) };
      const growth = await growthOf(reader, mutation, CHARS);
      if (await isTooSteep(reader, mutation, CHARS, growth))
        steep.push(`${reader.name}: ${JSON.stringify(mutation.unit)} at ${mutation.at}: ${JSON.stringify(growth)}`);
    }
  }
  expect(steep).toEqual([]);
});

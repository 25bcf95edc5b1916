import { expect, test } from 'vitest';
import { createAnnounce } from './announce.ts';

const signal = new AbortController().signal;

test('batches shrink when they take long or fail, and grow again', async () => {
  const batches: number[] = [];
  let waiting = 800;
  let clock = 0;
  const announce = createAnnounce({
    now: () => clock,
    onAnnounced: () => {},
    store: {
      async announcePostings({ batch }) {
        batches.push(batch);
        // Many alerts match the first ones.
        const perPostingMs = waiting > 700 ? 50 : waiting > 600 ? 15 : 0;
        if (batch * perPostingMs > 3_000) throw new Error('statement timeout');
        const taken = Math.min(batch, waiting);
        clock += taken * perPostingMs;
        waiting -= taken;
        return { taken, news: taken, matches: 0 };
      },
    },
  });
  await expect(announce(signal, () => {})).rejects.toThrow('statement timeout');
  await announce(signal, () => {});
  expect(waiting).toBe(0);
  expect(batches).toEqual([200, 50, 25, 25, 25, 50, 50, 50, 100, 200, 200, 200]);
});

import { expect, test } from 'vitest';
import { createDiskWatch, FULL_BYTES, NEARLY_FULL_BYTES } from './disk.ts';

const watchOf = (hasStore: boolean) => {
  const disk = { free: 2 * NEARLY_FULL_BYTES };
  const watch = createDiskWatch({
    folders: ['/a', '/b'],
    hasStore,
    free: async (folder) => (folder === '/b' ? disk.free : 3 * NEARLY_FULL_BYTES),
    now: () => new Date('2026-11-16T12:00:00Z'),
  });
  return { disk, watch };
};

test('it warns before the disk is full, then refuses, and accepts again when there is space', async () => {
  const { disk, watch } = watchOf(true);
  expect(await watch.look()).toEqual({ status: 'up', detail: '2.0 GB free on the disk of WINDROW_HOME' });
  disk.free = NEARLY_FULL_BYTES - 1;
  expect(await watch.look()).toMatchObject({
    status: 'degraded',
    detail: expect.stringContaining('Only 1023 MB free'),
  });
  expect(watch.refusal).toBeNull();
  disk.free = FULL_BYTES - 1;
  expect(await watch.look()).toMatchObject({
    status: 'down',
    detail: expect.stringContaining('is full since 2026-11-16T12:00:00.000Z (63 MB free)'),
  });
  expect(watch.refusal).toContain('Free some space');
  disk.free = FULL_BYTES;
  await watch.look();
  expect(watch.refusal).toBeNull();
});

test('a full disk without a store on it refuses nothing', async () => {
  const { disk, watch } = watchOf(false);
  disk.free = 0;
  expect(await watch.look()).toMatchObject({ status: 'degraded', detail: expect.stringContaining('Archive') });
  expect(watch.refusal).toBeNull();
});

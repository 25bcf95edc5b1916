import { expect, test } from 'vitest';
import type { Log } from '../../observe/log.ts';
import { live } from './lifetime.ts';

function memoryLog(): { log: Log; events: string[] } {
  const events: string[] = [];
  const at = (event: string, fields: { part?: unknown } = {}) => {
    events.push(fields.part === undefined ? event : `${event} ${String(fields.part)}`);
  };
  const log: Log = { debug: at, info: at, warn: at, error: at, isOn: () => true, with: () => log, flush: () => {} };
  return { log, events };
}

test('parts are stopped the other way round, one after another', async () => {
  const order: string[] = [];
  const code = await live(memoryLog().log, async (life) => {
    for (const name of ['store', 'wire', 'worker', 'api'])
      life.own(name, async () => {
        order.push(`${name} …`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(name);
      });
    life.finish();
  });
  expect(code).toBe(0);
  expect(order).toEqual(['api …', 'api', 'worker …', 'worker', 'wire …', 'wire', 'store …', 'store']);
});

test('a part that does not stop, or fails to, holds up nobody', async () => {
  const { log, events } = memoryLog();
  let isStoreStopped = false;
  await live(log, async (life) => {
    life.own('store', async () => {
      isStoreStopped = true;
    });
    life.own('stuck', () => new Promise(() => {}), 10);
    life.own('broken', () => Promise.reject(new Error('no')));
    life.finish();
  });
  expect(isStoreStopped).toBe(true);
  expect(events).toContain('process.part_stuck stuck');
  expect(events).toContain('process.part_stop_failed broken');
});

test('a start that fails stops what was started and throws its error', async () => {
  const order: string[] = [];
  const living = live(memoryLog().log, async (life) => {
    life.own('store', async () => void order.push('store'));
    throw new Error('the port is in use');
  });
  await expect(living).rejects.toThrow('the port is in use');
  expect(order).toEqual(['store']);
});

test('a lost part ends the process with code 1, in order', async () => {
  const { log, events } = memoryLog();
  const code = await live(log, async (life) => {
    life.own('store', async () => {});
    setImmediate(() => life.fail('embedded store', new Error('died')));
  });
  expect(code).toBe(1);
  expect(events).toEqual(['process.part_lost embedded store', 'process.part_stopped store', 'process.stopped']);
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { sealTask } from '../../../src/model/task/messages.ts';
import { defineSource } from '../../../src/sources/define.ts';
import type { Web } from '../../../src/web/port.ts';
import { createMemoryWire } from '../../../src/wire/memory.ts';
import { runHere } from '../../../src/worker/run-source.ts';
import { startWorker } from '../../../src/worker/worker.ts';

const sealed = (id: string, crashes: number) =>
  sealTask(id, JSON.stringify({ task_id: id, run_id: 'job_1', scraper_type: 'plain', params: {}, timeout: 30 }), {
    attempt: 1,
    failures: 0,
    crashes,
  });

test('suspects that run in other processes keep no slot from other tasks', async () => {
  const wire = createMemoryWire();
  const suspects: string[] = [];
  let begun: (id: string) => void = () => {};
  const plain = new Promise<string>((resolve) => {
    begun = resolve;
  });
  const worker = startWorker({
    name: 'w',
    wire,
    lanes: ['http'],
    slots: 2,
    runSource: runHere((name) =>
      defineSource({
        name,
        title: name,
        kind: 'article',
        lane: 'http',
        hosts: [],
        pace: { concurrency: 1, delayMs: 0 },
        params: z.object({}),
        async *scrape() {
          begun(name);
          yield { url: '', title: null, content: '', author: null, published_at: null, language: null, image: null };
        },
      }),
    ),
    webFor: () => ({ ledger: {} }) as Web,
    isolation: {
      run: ({ task, signal }) =>
        new Promise((resolve) => {
          suspects.push(task.task_id);
          signal.addEventListener('abort', () => resolve(null), { once: true });
        }),
      close: async () => {},
    },
    heartbeatMs: 10,
    version: '0',
    log: () => {},
  });
  const ids = ['a', 'b', 'c'];
  await wire.sendTasks('http', 'medium', [...ids.slice(0, 2).map((id) => sealed(id, 2)), sealed(ids[2]!, 1)]);
  expect(await plain).toBe('plain');
  expect(suspects).toEqual(['a', 'b']);
  await worker.drain(0);
  await wire.close();
});

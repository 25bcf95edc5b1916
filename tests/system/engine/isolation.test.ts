// The process in which suspects run, and the worker it belongs to: neither is taken down by the other's end.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { TaskMessage } from '../../../src/model/task/messages.ts';
import { createIsolation } from '../../../src/worker/isolation.ts';
import { forNode, RoleProcess } from '../../support/processes.ts';

const script = new URL('../../support/roles/orphan.ts', import.meta.url);
const task: TaskMessage = {
  task_id: '00000000-0000-4000-8000-000000000001',
  run_id: 'job_000000000000',
  scraper_type: 'article',
  params: {},
  priority: 5,
  created_at: '',
  timeout: 30,
  retry_count: 0,
  max_retries: 3,
  request_id: null,
  attempt: 1,
  suspect: true,
};

test('an attempt that ends after its worker is gone is no error of the process it ran in', async () => {
  const child = fork(script, { env: forNode(), silent: true });
  const role = new RoleProcess('orphan', child);
  child.send({ type: 'run', task, worker: 'w' });
  await role.waitForLine(/under way/);
  const ended = once(child, 'exit');
  child.disconnect();
  await role.waitForLine(/still here/);
  expect(role.output.trim().split('\n')).toEqual(['under way', 'orphaned', 'orphaned', 'still here']);
  expect(await ended).toEqual([0, null]);
});

test('a process that ended under a task says so once, and the next task gets a new one', async () => {
  const isolation = createIsolation({
    script: new URL('../../support/roles/sudden-end.ts', import.meta.url),
    setting: null,
  });
  const parts: unknown[] = [];
  const run = () =>
    isolation.run({ task, worker: 'w', signal: new AbortController().signal, onPart: (part) => parts.push(part) });
  for (let n = 0; n < 2; n++) expect(await run()).toMatchObject({ status: 'failed', error: { code: 'crashed' } });
  expect(parts).toEqual([]);
  await isolation.close();
});

test('suspects run side by side, each in a process of its own; more than there are processes wait for one', async () => {
  const isolation = createIsolation({
    script: new URL('../../support/roles/endless-suspects.ts', import.meta.url),
    setting: null,
    processes: 2,
  });
  const begun: { task_id: string; process: number }[] = [];
  let tell: () => void = () => {};
  const begin = (n: number) => {
    const stop = new AbortController();
    const one = { ...task, task_id: `00000000-0000-4000-8000-00000000000${n}` };
    const ended = isolation.run({
      task: one,
      worker: 'w',
      signal: stop.signal,
      onPart(part) {
        begun.push(part as unknown as (typeof begun)[number]);
        tell();
      },
    });
    return { id: one.task_id, stop, ended };
  };
  const untilBegun = async (count: number) => {
    while (begun.length < count)
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
  };
  const [first, , third] = [begin(1), begin(2), begin(3)];
  await untilBegun(2);
  expect(begun.map((one) => one.task_id)).not.toContain(third!.id);
  expect(new Set(begun.map((one) => one.process)).size).toBe(2);
  first!.stop.abort();
  expect(await first!.ended).toBeNull();
  await untilBegun(3);
  expect(begun[2]).toEqual({
    ...begun[2],
    task_id: third!.id,
    process: begun.find((one) => one.task_id === first!.id)!.process,
  });
  await isolation.close();
});

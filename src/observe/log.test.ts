import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function captured(level: 'info' | 'debug' = 'info') {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level, to: { write: (line) => void lines.push(JSON.parse(line)) } });
  return { lines, log };
}

test('a line carries time, level, event and its fields', () => {
  const { lines, log } = captured();
  log.info('run.accepted', { run_id: 'job_1', request_id: 'r1' });
  expect(lines).toEqual([
    { ts: expect.any(String), level: 'info', event: 'run.accepted', run_id: 'job_1', request_id: 'r1' },
  ]);
  expect(new Date(String(lines[0]!.ts)).toISOString()).toBe(lines[0]!.ts);
});

test('a bound log adds its fields to every line and hides secrets in both', () => {
  const { lines, log } = captured();
  log.with({ worker: 'w1', api_key: 'k' }).warn('task.failed', { authorization: 'Bearer x', task_id: 't' });
  expect(lines[0]).toMatchObject({ worker: 'w1', api_key: '[redacted]', authorization: '[redacted]', task_id: 't' });
});

test('lines below the level are not written', () => {
  const { lines, log } = captured('info');
  log.debug('request.done');
  expect(lines).toEqual([]);
  expect(log.isOn('debug')).toBe(false);
});

test('A6: whatever a text has in it, a line is one line', () => {
  const written: string[] = [];
  const log = createLog({ level: 'info', to: { write: (line) => void written.push(line) } });
  log.info('run.accepted', { note: 'a\n{"level":"error"}\r\u001b[31m' });
  expect(written).toHaveLength(1);
  expect(written[0]!.trimEnd()).not.toMatch(/\p{Cc}/u);
});

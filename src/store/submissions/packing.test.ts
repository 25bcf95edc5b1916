import { expect, test } from 'vitest';
import { pack, unpack } from './packing.ts';
import type { NewTask, Submission } from './submit.ts';

const task = (n: number, more: Partial<NewTask> = {}): NewTask => ({
  key: `key-${n}`,
  source: 'article',
  lane: 'http',
  params: { url: `https://a.example/${n}`, odd: 'a\0b \ud800 "quoted" {,}' },
  priority: 5,
  maxRetries: 3,
  timeoutSeconds: 60,
  ref: { url: `https://a.example/${n}`, source: null },
  ...more,
});
const submission = (n: number, tasks: NewTask[], more: Partial<Submission> = {}): Submission => ({
  runId: `job_${n}`,
  kind: 'article',
  itemKind: 'article',
  trigger: 'manual',
  requestId: 'req-1',
  options: { max_age_seconds: null },
  tasks,
  maxAgeSeconds: null,
  idempotency: null,
  ...more,
});

test('what is unpacked is what was packed', () => {
  const batch = [
    submission(1, [task(1), task(2)]),
    submission(2, [task(3, { priority: 1 }), task(4, { source: 'indeed', lane: 'browser', backoff: 'company' })], {
      requestId: null,
      maxAgeSeconds: 900,
      turns: 'widening',
      reportsAges: true,
    }),
    submission(3, [task(5, { maxRetries: 0 }), task(6, { timeoutSeconds: 5 }), task(7)]),
  ];
  expect(unpack(pack(batch))).toEqual(batch);
});

test('one submission is a line, and is unpacked without the others', () => {
  const batch = [
    submission(1, [task(1)], { options: { text: 'two\nlines\r\u2028' } }),
    submission(2, [task(2), task(3)]),
  ];
  const [common, ...lines] = pack(batch).split('\n');
  expect(lines).toHaveLength(2);
  expect(lines.map((line) => unpack(`${common}\n${line}`))).toEqual(batch.map((one) => [one]));
});

test('what tasks have in common is written once', () => {
  const text = pack([submission(1, [task(1), task(2)]), submission(2, [task(3)])]);
  expect(text.split('"lane"')).toHaveLength(2);
});

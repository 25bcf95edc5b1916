// A1: whatever is sent, the answer is a 4xx with a problem document, soon. Seeded, so that a failure can be run again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryInUse } from '../../support/memory.ts';
import { type Random, seeded } from '../../support/random.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

const CASES = Number(process.env.FUZZ_CASES ?? 1_000);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115);

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld({ isWithWorker: false, bodyLimitBytes: 2 * 1024 * 1024 });
});
afterAll(() => world?.stop());

interface Case {
  body: string;
  type: string;
}

const VALID = '{"articles":[{"url":"https://example.com/a","source":"S","priority":5}],"max_age_seconds":60}';

/** Each makes a body that no server may accept. */
const KINDS: ((roll: Random) => Case)[] = [
  (roll) => json(VALID.slice(0, 1 + roll.below(VALID.length - 1))),
  (roll) => json(`{"articles":${any(roll, 3)}}`, isNoList),
  (roll) => json(`{"articles":[{"url":${any(roll, 1)}}]}`, isNoUrl),
  (roll) =>
    json(
      `{"articles":[{"url":"https://example.com","priority":${roll.pick(['0', '11', '1.5', '"5"', 'null', '1e400', '-1', '{}', '99999999999999999999'])}}]}`,
    ),
  (roll) =>
    json(
      `{"articles":[{"url":"https://example.com"}],"max_age_seconds":${roll.pick(['-1', '"60"', '1.5', '1e400', '[]', 'true'])}}`,
    ),
  (roll) => json(`{"articles":[{"url":"${'x'.repeat(roll.below(1_000_000))}"}]}`),
  (roll) => json(`{"articles":[{"url":"https://example.com","source":"${'s'.repeat(201 + roll.below(100_000))}"}]}`),
  (roll) => json('['.repeat(1 + roll.below(10_000))),
  (roll) => deep(1 + roll.below(10_000)),
  (roll) => json(`{"${roll.pick(['__proto__', 'constructor', 'prototype'])}":{"prototype":{"x":1}},"articles":[]}`),
  (roll) =>
    json(
      roll.pick([
        'NaN',
        'Infinity',
        'undefined',
        "{'articles':[]}",
        '{"articles":[],}',
        '\u0000',
        '\ufeff',
        '"\\ud800"',
        '{"articles":[{"url":"\\ud800"}]}',
      ]),
    ),
  (roll) =>
    json(
      `{"articles":[{"url":"${roll.pick(['javascript:alert(1)', 'file:///etc/passwd', 'ftp://x', 'data:,x', '//x', 'https://', 'http://a b', 'http://[::', 'https://u:p@x.example'])}"}]}`,
    ),
  (roll) =>
    json(Buffer.from(Array.from({ length: 1 + roll.below(200) }, () => 128 + roll.below(128))).toString('latin1')),
  (roll) => json(`{"articles":[${'{},'.repeat(roll.below(50_000))}{}]}`),
  (roll) => json(`{"articles":[{"url":"https://example.com/1"},{"url":"https://example.com/1#${roll.below(9)}"}]}`),
  (roll) => ({
    body: VALID,
    type: roll.pick(['text/plain', 'application/xml', 'multipart/form-data', 'application/jsonx', 'image/png', 'x']),
  }),
];

const json = (body: string, isBad: (body: string) => boolean = () => true): Case =>
  isBad(body) ? { body, type: 'application/json' } : { body: '{', type: 'application/json' };
const deep = (depth: number): Case => json(`{"articles":${'['.repeat(depth)}${']'.repeat(depth)}}`);
const isNoList = (body: string) => !Array.isArray(JSON.parse(body).articles) || JSON.parse(body).articles.length === 0;
const isNoUrl = (body: string) => !String(JSON.parse(body).articles[0].url).startsWith('http');

function any(roll: Random, depth: number): string {
  const simple = [
    '1',
    '-0',
    '1e308',
    '""',
    '"x"',
    'true',
    'null',
    '{}',
    '[]',
    '"<script>"',
    '"\\u0000"',
    `"${"'; drop table runs; --"}"`,
  ];
  if (depth === 0 || roll.chance(0.5)) return roll.pick(simple);
  return `{"a":${any(roll, depth - 1)},"b":${any(roll, depth - 1)}}`;
}

test(`A1: ${CASES} bad bodies are each refused with a problem document, within a second of computing`, {
  timeout: 120_000,
}, async () => {
  const roll = seeded(SEED);
  const before = await memoryInUse();
  for (let number = 0; number < CASES; number++) {
    const { body, type } = KINDS[number % KINDS.length]!(roll);
    // CPU, not the clock: the machine may be busy.
    const started = process.cpuUsage();
    const reply = await world.call('POST', '/jobs/submit', body, { 'content-type': type });
    const what = `seed ${SEED}, case ${number}: ${body.slice(0, 120)}`;
    expect(reply.status, what).toBeGreaterThanOrEqual(400);
    expect(reply.status, what).toBeLessThan(500);
    expect(reply.headers.get('content-type'), what).toContain('application/problem+json');
    expect(reply.body, what).toMatchObject({
      type: expect.any(String),
      status: reply.status,
      detail: expect.any(String),
    });
    expect(reply.body.errors.length, what).toBeLessThanOrEqual(100);
    expect(process.cpuUsage(started).user / 1_000, what).toBeLessThan(1_000);
  }
  expect((await world.call('GET', '/jobs/')).body.total).toBe(0);
  expect((await memoryInUse()).heapMb / before.heapMb).toBeLessThan(2);
});

test('A1, A3, A7: odd parameters, ids and paths are refused and never break anything', async () => {
  const odd = [
    "'",
    '"',
    ';--',
    '$1',
    '\\',
    '%25_',
    '%00',
    '%ff',
    '<script>',
    '../../etc/passwd',
    '\u202e',
    'x'.repeat(5_000),
    '-1',
    '1e9',
    'null',
  ];
  const paths = [
    '/jobs/?limit=@',
    '/jobs/?skip=@',
    '/jobs/?cursor=@',
    '/jobs/?status_filter=@',
    '/jobs/@/status',
    '/jobs/@/results',
    '/dead-letters?source=@',
    '/dead-letters?category=@',
    '/dead-letters?cursor=@',
    '/dead-letters/@',
    '/jobs/?@=1',
  ];
  for (const path of paths) {
    for (const value of odd) {
      const text = value.startsWith('%') ? value : encodeURIComponent(value);
      const reply = await world.call('GET', path.replace('@', text));
      // Some of them are names that could exist; then there is just nothing under them.
      expect(reply.status, `${path} with ${value}: ${reply.text.slice(0, 200)}`).toBeLessThan(500);
      if (reply.status !== 200) expect(reply.headers.get('content-type')).toContain('application/problem+json');
      else expect(`${path} ${value}`).toMatch(/source=@ (1e9|null|x+)$/);
    }
  }
});

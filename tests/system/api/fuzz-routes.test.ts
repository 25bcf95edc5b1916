// Every route, with requests made from its own examples and something odd put into them: no answer is a 5xx, the server lives, and its memory stays flat.
// New routes are in it by themselves. FUZZ_CASES and FUZZ_SEED as in fuzz.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryInUse } from '../../support/memory.ts';
import { type Random, seeded } from '../../support/random.ts';
import { type ApiWorld, startApiWorld } from './api-world.ts';

const CASES = Number(process.env.FUZZ_CASES ?? 1_500);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_116);

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: { enum?: unknown[]; example?: unknown };
  example?: unknown;
}
interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  example: unknown;
}

const ODD: unknown[] = [
  '',
  ' ',
  'a\0b',
  '\ud800',
  '\u202e<script>alert(1)</script>',
  "'; drop table runs; --",
  '%00',
  '../../../etc/passwd',
  '$1',
  '{}',
  'x'.repeat(5_000),
  '🧵'.repeat(500),
  '9'.repeat(400),
  '0001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'https://example.com/\0',
  'https://[::1',
  'http://169.254.169.254/latest/meta-data',
  '* * * * *',
  '0 0 31 2 *',
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  null,
  [],
  {},
  [null],
  { a: { b: [1] } },
  Array.from({ length: 300 }, () => 'x'),
];

let world: ApiWorld;
let operations: Operation[];
beforeAll(async () => {
  const receivers = { problemOf: async () => null, secret: async () => 'whsec_AAAA', max: 100 };
  world = await startApiWorld({ isWithWorker: false, bodyLimitBytes: 2 * 1024 * 1024, receivers });
  const { body } = await world.call('GET', '/openapi.json');
  const hidden = world.api.routes.filter((one) => one.isHidden);
  operations = [
    ...operationsOf(body),
    ...hidden.map(({ method, path }) => ({ method, path, parameters: [], example: undefined })),
  ];
});
afterAll(() => world?.stop());

interface Described {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

function operationsOf(document: { paths: Record<string, Record<string, Described>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(?:get|post|put|patch|delete)$/.test(method))
      .map(([method, { parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        parameters,
        example: requestBody?.content['application/json']?.example,
      })),
  );
}

/** A copy with odd values in some places, and sometimes a field too many or too few. */
function bent(value: unknown, roll: Random): unknown {
  if (roll.chance(0.12)) return roll.pick(ODD);
  if (Array.isArray(value)) return value.map((one) => bent(one, roll));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(() => !roll.chance(0.05))
    .map(([name, one]) => [name, bent(one, roll)]);
  return Object.fromEntries(roll.chance(0.03) ? [...entries, ['a\0b', 1]] : entries);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value));

function addressOf({ path, parameters }: Operation, roll: Random): string {
  const shown = ({ schema, example }: Parameter): string =>
    textOf(roll.chance(0.5) ? roll.pick(ODD) : (example ?? schema.example ?? roll.pick(schema.enum ?? ['x', '1'])));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(shown(parameters.find((one) => one.name === name)!) || '-'),
  );
  const query = parameters
    .filter((one) => one.in === 'query' && roll.chance(0.4))
    .map((one) => `${one.name}=${encodeURIComponent(shown(one))}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** As text, now and then cut off or with bytes that are no JSON. */
function bodyOf(example: unknown, roll: Random): string {
  const text = JSON.stringify(bent(example, roll));
  if (roll.chance(0.05)) return text.slice(0, roll.below(text.length));
  return roll.chance(0.02) ? `\ufeff${text}\ud800` : text;
}

const TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/yaml',
  'multipart/form-data',
  'x',
  '*/*',
];

function headersOf(roll: Random): Record<string, string> {
  return {
    ...(roll.chance(0.05) ? { 'content-type': roll.pick(TYPES) } : {}),
    ...(roll.chance(0.05) ? { 'idempotency-key': 'k'.repeat(roll.below(400)) } : {}),
    ...(roll.chance(0.05)
      ? { accept: roll.pick(['text/csv', 'application/x-ndjson', '*/*;q=x', 'x'.repeat(500)]) }
      : {}),
    ...(roll.chance(0.02) ? { 'x-request-id': '\t%0d%0a<script>'.repeat(roll.below(30)) } : {}),
    ...(roll.chance(0.02) ? { 'if-none-match': '"'.repeat(roll.below(50)) } : {}),
  };
}

test(`A1: ${CASES} odd requests over every route: no 5xx, no crash, memory flat`, { timeout: 600_000 }, async () => {
  const roll = seeded(SEED);
  expect(operations.length).toBeGreaterThan(60);
  const broken: string[] = [];
  const memory = [];
  // The first quarter fills what is meant to be kept: caches, compiled validators, label sets of metrics.
  const measured = [0.25, 0.625, 1].map((part) => Math.floor(CASES * part) - 1);
  for (let number = 0; number < CASES; number++) {
    const operation = operations[number % operations.length]!;
    const address = addressOf(operation, roll);
    const body = operation.example === undefined ? undefined : bodyOf(operation.example, roll);
    const headers = headersOf(roll);
    const reply = await world.call(operation.method, address, body, headers);
    if (reply.status >= 500)
      broken.push(
        [
          reply.status,
          operation.method,
          address,
          body,
          JSON.stringify(headers),
          reply.text,
          JSON.stringify(world.lines),
        ]
          .map((part) => String(part).slice(0, 600))
          .join(' '),
      );
    // The log of the world keeps everything.
    world.lines.length = 0;
    if (measured.includes(number)) memory.push(await memoryInUse());
  }
  expect(broken, `seed ${SEED}`).toEqual([]);
  expect((await world.call('GET', '/livez')).status).toBe(200);
  console.info(`${CASES} requests over ${operations.length} routes, memory: ${JSON.stringify(memory)}`);
  const [begin, , end] = memory;
  expect(end!.heapMb / begin!.heapMb, JSON.stringify(memory)).toBeLessThan(1.25);
  expect(end!.rssMb / begin!.rssMb, JSON.stringify(memory)).toBeLessThan(1.5);
});

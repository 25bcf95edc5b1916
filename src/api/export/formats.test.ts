import { expect, test } from 'vitest';
import { startStream } from './export.ts';
import { anyFormatOf, formatOf, PARQUET, XLSX } from './formats.ts';

test.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['text/csv;q=0.5, application/x-ndjson;q=0.9', 'ndjson'],
  ['application/json, text/csv;q=0.9', 'json'],
  ['text/html', 'json'],
  ['text/csv;q=0', 'json'],
])('Accept %s means %s', (accept, format) => {
  expect(formatOf(accept)).toBe(format);
});

test.each([
  [PARQUET, 'parquet'],
  [`text/csv;q=0.5, ${XLSX}`, 'xlsx'],
  ['text/csv', 'csv'],
  [undefined, 'json'],
])('where there are files, Accept %s means %s', (accept, format) => {
  expect(anyFormatOf(accept)).toBe(format);
});

test('a stream asks for the next part only when the last was taken', async () => {
  let asked = 0;
  async function* parts() {
    for (let n = 0; n < 100; n++) {
      asked++;
      yield 'x'.repeat(64 * 1024);
    }
  }
  const stream = await startStream(parts());
  stream.read(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBeLessThan(6);
  stream.destroy();
});

test('an error before the first part comes before the stream', async () => {
  // biome-ignore lint/correctness/useYield: it fails before it can
  async function* parts(): AsyncGenerator<string> {
    throw new Error('the store is down');
  }
  await expect(startStream(parts())).rejects.toThrow('the store is down');
});

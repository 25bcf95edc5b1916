import { expect, test } from 'vitest';
import { uuleAt, uuleOf } from './uule.ts';

test.each([
  ['New York,New York,United States', 'w+CAIQICIfTmV3IFlvcmssTmV3IFlvcmssVW5pdGVkIFN0YXRlcw=='],
  ['10001,New York,United States', 'w+CAIQICIcMTAwMDEsTmV3IFlvcmssVW5pdGVkIFN0YXRlcw=='],
])('%s', (name, uule) => {
  expect(uuleOf(name)).toBe(uule);
});

/** Reads the message back the long way. */
function decode(uule: string): string {
  const bytes = Buffer.from(uule.slice(2), 'base64');
  expect([...bytes.subarray(0, 5)]).toEqual([8, 2, 16, 32, 34]);
  let [length, shift, at] = [0, 0, 5];
  for (; ; at++) {
    length |= (bytes[at]! & 0x7f) << shift;
    shift += 7;
    if (bytes[at]! < 0x80) break;
  }
  expect(bytes.length).toBe(at + 1 + length);
  return bytes.subarray(at + 1).toString('utf8');
}

test('lengths are counted in bytes and may take more than one', () => {
  for (const name of [
    'São Paulo,State of São Paulo,Brazil',
    'x'.repeat(63),
    'x'.repeat(64),
    'é'.repeat(70),
    'x'.repeat(20_000),
  ])
    expect(decode(uuleOf(name))).toBe(name);
});

test('a spot is told as text', () => {
  const text = Buffer.from(
    uuleAt({ latitude: 40.7506, longitude: -73.9972, timestampMs: 1_700_000_000_000 }).slice(2),
    'base64url',
  ).toString();
  expect(text).toContain('latitude_e7:407506000\nlongitude_e7:-739972000\n');
  expect(text).toContain('timestamp:1700000000000000\n');
});

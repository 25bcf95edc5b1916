import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

const place = (text: string) => {
  const fault = jsonFault(text);
  return fault && `${fault.line}:${fault.column}${fault.isCutOff ? ' cut off' : ''}`;
};

test.each([
  ['{"a": x}', '1:7'],
  ['{"a": 1,}', '1:9'],
  ["{'a': 1}", '1:2'],
  ['{\n  "a": 1\n  "b": 2\n}', '3:3'],
  ['[1, 2', '1:6 cut off'],
  ['{"a": "b', '1:9 cut off'],
  ['{"a": "\\x"}', '1:8'],
  ['{"a": "tab\there"}', '1:11'],
  ['{"a" 1}', '1:6'],
  ['[01]', '1:3'],
  ['[1]]', '1:4'],
  ['[,1]', '1:2'],
  ['{1: 2}', '1:2'],
  ['{"a": [1}', '1:9'],
  ['nope', '1:1'],
  ['{} {}', '1:4'],
  [' ', '1:2 cut off'],
])('%j goes wrong at %s', (text, where) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(place(text)).toBe(where);
});

test.each(['{}', '[]', ' {"a": [1, -0.5e+3, true, null, "\\u00e9\\"", {"b": {}}]} ', '"x"', '0', '\ufeff{"a":1}'])(
  '%j is JSON',
  (text) => {
    expect(place(text)).toBeNull();
  },
);

test('what Node takes and refuses, it takes and refuses, whatever is cut out or put in', () => {
  const whole = '{"a": [1, -2.5e3, "b\\n", {"c": null}], "d": true}';
  for (let at = 0; at < whole.length; at++) {
    for (const text of [
      whole.slice(0, at),
      whole.slice(0, at) + whole.slice(at + 1),
      `${whole.slice(0, at)},${whole.slice(at)}`,
    ]) {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(jsonFault(text) === null, text).toBe(isJson);
    }
  }
});

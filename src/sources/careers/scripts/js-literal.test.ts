import { expect, test } from 'vitest';
import { parse } from '../../../extract/html/html.ts';
import { literalAt } from './js-literal.ts';
import { scriptValues, valueAfter } from './script-values.ts';

const value = (text: string) => literalAt(text, 0)?.value;

test('what scripts write and JSON does not allow', () => {
  expect(value(`{a: 1, 'b': "x", c_$: [!0, !1, undefined, void 0,], /* note */ d: -1.5e2, // end\n }`)).toEqual({
    a: 1,
    b: 'x',
    c_$: [true, false, null, null],
    d: -150,
  });
  expect(
    value(String.raw`'it\'s \u00e9 \x41 \n\
end'`),
  ).toBe("it's é A \nend");
  expect(value('`plain`')).toBe('plain');
  expect(value('{"a":{"b":[{"c":"]}"}]}}')).toEqual({ a: { b: [{ c: ']}' }] } });
});

test.each(['{a: call()}', `\`\${x}\``, '{a 1}', '[1 2]', '"open', '{', '', 'x', "'\\u12'", '['.repeat(300)])(
  '%j is no literal',
  (text) => expect(literalAt(text, 0)).toBeNull(),
);

test('the end of a value is where the script goes on', () => {
  const script = 'var a = {x: "};"}; b()';
  expect(literalAt(script, 8)?.end).toBe(script.indexOf('; b()'));
});

test('names that belong to objects are names like any other', () => {
  expect(Object.keys(value('{"__proto__": {"a": 1}, "constructor": 2}') as object)).toEqual([
    '__proto__',
    'constructor',
  ]);
  expect(({} as { a?: unknown }).a).toBeUndefined();
});

test('values of a page, those of JSON scripts first', () => {
  const page = `<script>window.a = {n: 1}; var b = [2]; c = JSON.parse('{"n":3}')</script>
    <script type="application/json">{"n":4}</script><script src="x.js">window.d = {n: 5}</script>`;
  expect([...scriptValues(parse(page))]).toEqual([{ n: 4 }, { n: 1 }, [2], { n: 3 }]);
  expect(valueAfter(page, 'window.a')).toEqual({ n: 1 });
  expect(valueAfter(page, 'c = ')).toEqual({ n: 3 });
  expect(valueAfter(page, 'nowhere')).toBeNull();
});

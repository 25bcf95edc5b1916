// Values as scripts write them: JSON, and what JSON does not allow (names without quotes, single quotes, a comma at the end, `undefined`, `!0`, comments).
// Nothing is run: what is no literal ends the reading. Linear in the text, and bounded in depth.

const MAX_DEPTH = 200;
const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '0': '\0' };
const WORDS: [word: string, value: unknown][] = [
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', null],
  ['void 0', null],
  ['NaN', null],
  ['!0', true],
  ['!1', false],
];

class NoLiteral extends Error {}

/** The value that begins at `from`, and where it ends; null where there is no literal. */
export function literalAt(text: string, from: number): { value: unknown; end: number } | null {
  let at = from;

  const fail = (): never => {
    throw new NoLiteral();
  };
  const skipSpace = (): void => {
    for (;;) {
      const char = text.charCodeAt(at);
      if (char === 32 || (char >= 9 && char <= 13) || char === 0xa0 || char === 0xfeff) at++;
      else if (char === 47 && text[at + 1] === '/') at = endOr(text.indexOf('\n', at), text.length);
      else if (char === 47 && text[at + 1] === '*') at = endOr(text.indexOf('*/', at + 2), text.length - 2) + 2;
      else return;
    }
  };
  const string = (quote: string): string => {
    let out = '';
    for (let start = ++at; ; at++) {
      const char = text[at];
      if (char === undefined || (quote === '`' && char === '$' && text[at + 1] === '{')) fail();
      if (char === quote) {
        out += text.slice(start, at++);
        return out;
      }
      if (char !== '\\') continue;
      out += text.slice(start, at);
      out += escaped();
      start = at + 1;
    }
  };
  /** `at` stands on the backslash, and then on the last character of the escape. */
  const escaped = (): string => {
    const char = text[++at] ?? fail();
    const width = char === 'u' ? 4 : char === 'x' ? 2 : 0;
    if (width === 0) return char === '\n' ? '' : (ESCAPES[char] ?? char);
    const code = text.slice(at + 1, at + 1 + width);
    if (code.length < width || !/^[\da-f]+$/i.test(code)) fail();
    at += width;
    return String.fromCharCode(Number.parseInt(code, 16));
  };
  const name = (): string => {
    const char = text[at];
    if (char === '"' || char === "'") return string(char);
    const start = at;
    while (at < text.length && /[\w$\u0080-\uffff]/.test(text[at]!)) at++;
    return at === start ? fail() : text.slice(start, at);
  };
  const bare = (): unknown => {
    for (const [word, meaning] of WORDS)
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    const number = /[-+]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:e[-+]?\d{1,3})?/iy;
    number.lastIndex = at;
    const [digits] = number.exec(text) ?? fail();
    at += digits.length;
    return Number(digits);
  };
  const list = (depth: number): unknown[] => {
    const found: unknown[] = [];
    for (at++, skipSpace(); text[at] !== ']'; skipSpace()) {
      found.push(value(depth + 1));
      skipSpace();
      if (text[at] === ',') at++;
      else if (text[at] !== ']') fail();
    }
    at++;
    return found;
  };
  const record = (depth: number): Record<string, unknown> => {
    const found: [string, unknown][] = [];
    for (at++, skipSpace(); text[at] !== '}'; skipSpace()) {
      const key = name();
      skipSpace();
      if (text[at++] !== ':') fail();
      found.push([key, value(depth + 1)]);
      skipSpace();
      if (text[at] === ',') at++;
      else if (text[at] !== '}') fail();
    }
    at++;
    return Object.fromEntries(found);
  };
  const value = (depth: number): unknown => {
    skipSpace();
    const char = text[at];
    if (depth > MAX_DEPTH) fail();
    if (char === '{') return record(depth);
    if (char === '[') return list(depth);
    return char === '"' || char === "'" || char === '`' ? string(char) : bare();
  };

  try {
    return { value: value(0), end: at };
  } catch (error) {
    if (error instanceof NoLiteral) return null;
    throw error;
  }
}

const endOr = (found: number, otherwise: number): number => (found < 0 ? otherwise : found);

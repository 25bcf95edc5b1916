// Where a text stops being JSON. Node's own message has a position for some errors and a part of the text for others, and that text may be a secret that
// must not get into a log. Used only when a body was refused.

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

export interface JsonFault {
  line: number;
  column: number;
  /** It would be JSON if it went on. */
  isCutOff: boolean;
}

/** Null when the text is JSON. */
export function jsonFault(text: string): JsonFault | null {
  const at = faultAt(text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text);
  if (at === null) return null;
  const before = text.slice(0, at);
  const newline = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: at - newline, isCutOff: at >= text.length };
}

/** What may come next: `first` is what may stand behind an opening bracket, which also takes the closing one. */
type Next = 'value' | 'first' | 'key' | 'colon' | 'more';

function faultAt(text: string): number | null {
  const closers: string[] = [];
  let next: Next = 'value';
  let at = 0;
  for (;;) {
    at = end(SPACE, text, at)!;
    const char = text[at];
    const closer = closers.at(-1);
    if (char === undefined) return next === 'more' && closer === undefined ? null : at;
    if (closer !== undefined && char === closer && (next === 'first' || next === 'more')) {
      closers.pop();
      next = 'more';
      at += 1;
    } else if (next === 'more') {
      if (char !== ',' || closer === undefined) return at;
      next = closer === '}' ? 'key' : 'value';
      at += 1;
    } else if (next === 'colon') {
      if (char !== ':') return at;
      next = 'value';
      at += 1;
    } else if (next === 'key' || (next === 'first' && closer === '}')) {
      if (char !== '"') return at;
      const string = endOfString(text, at);
      if (!string.isWhole) return string.at;
      next = 'colon';
      at = string.at;
    } else if (char === '{' || char === '[') {
      closers.push(char === '{' ? '}' : ']');
      next = 'first';
      at += 1;
    } else if (char === '"') {
      const string = endOfString(text, at);
      if (!string.isWhole) return string.at;
      next = 'more';
      at = string.at;
    } else {
      const after = end(SCALAR, text, at);
      if (after === null) return at;
      next = 'more';
      at = after;
    }
  }
}

function end(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Behind the closing quote, or where it is none any more. */
function endOfString(text: string, from: number): { at: number; isWhole: boolean } {
  for (let at = from + 1; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { at: at + 1, isWhole: true };
    if (code < 0x20) return { at, isWhole: false };
    if (code !== 0x5c) at += 1;
    else {
      const after = end(ESCAPE, text, at);
      if (after === null) return { at, isWhole: false };
      at = after;
    }
  }
  return { at: text.length, isWhole: false };
}

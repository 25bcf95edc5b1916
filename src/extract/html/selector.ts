// What a selector asks of an element, worked out once for each selector. Sources ask mostly for `h3.title` and its like, ten times a card: those are
// answered here without a pattern; everything else is left to css.ts.
import type { AnyNode } from 'domhandler';
import { createMemo } from '../../model/memo.ts';
import { type CompiledSelector, compileSelector, type Test } from './css.ts';

const SIMPLE = /^[a-z][a-z0-9]*(?:\.[a-z_][\w-]*)*$|^(?:\.[a-z_][\w-]*)+$/i;
const tests = createMemo<CompiledSelector>(2_000);

/** `within`: anything of the page that will be searched. */
export function testOf(selector: string, within: AnyNode | undefined): Test {
  const { test, startsIn } = tests(selector, (own) => {
    const test = simple(own);
    return test === null ? compileSelector(own) : { test, startsIn() {} };
  });
  startsIn(within);
  return test;
}

/** Names and classes, one or several with commas; null for anything with more to it. */
function simple(selector: string): Test | null {
  const parts = selector.split(',').map((part) => part.trim());
  if (!parts.every((part) => SIMPLE.test(part))) return null;
  const each = parts.map((part) => {
    const [name = '', ...classes] = part.split('.');
    return nameAndClasses(name.toLowerCase(), classes);
  });
  return each.length === 1 ? each[0]! : (element) => each.some((test) => test(element));
}

function nameAndClasses(name: string, classes: string[]): Test {
  return (element) => {
    if (name !== '' && element.name !== name) return false;
    if (classes.length === 0) return true;
    const worn = element.attribs.class;
    if (worn === undefined) return false;
    for (const one of classes) if (!holdsWord(worn, one)) return false;
    return true;
  };
}

function holdsWord(list: string, word: string): boolean {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word, at + 1)) {
    const end = at + word.length;
    if ((at === 0 || isSpace(list.charCodeAt(at - 1))) && (end === list.length || isSpace(list.charCodeAt(end))))
      return true;
  }
  return false;
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

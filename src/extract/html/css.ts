// Selectors that people configure, on pages that nobody knows. css-select answers them; here it is kept from taking quadratic time: the place of an
// element among its siblings and what stands before it are worked out once for all of them, and everything else has a budget of steps by the size of
// the page, past which the selector is refused.
// What a reader would get wrong: what was worked out is kept by element, so a tree must not be changed once a selector was tried on it.
import { compile } from 'css-select';
import { isTraversal, parse, type Selector, SelectorType } from 'css-what';
import { type AnyNode, type Element, hasChildren, isTag, isText } from 'domhandler';
import * as domutils from 'domutils';
import nthCheck from 'nth-check';
import { AppError } from '../../model/errors.ts';

export type Test = (element: Element) => boolean;

const MAX_CHARS = 500;
/** Names, classes, attributes and combinators of all alternatives. */
const MAX_PARTS = 60;
/** `:has` and `:not` inside each other. */
const MAX_NESTING = 3;
/** On one page: some for all, and more for each element that is asked about. An element has a dozen parents, and seldom a hundred. */
const FREE_STEPS = 2_000_000;
const STEPS_PER_ELEMENT = 300;
/** Text that is looked through in the time of a step. */
const CHARS_PER_STEP = 32;

/** What is wrong with a selector, for the person who wrote it; null where nothing is. */
export function selectorProblem(selector: string): string | null {
  if (selector.length > MAX_CHARS) return `has to be at most ${MAX_CHARS} characters long`;
  try {
    const alternatives = parse(selector);
    const count = { parts: 0 };
    const found = alternatives.map((parts) => partsProblem(parts, 0, count)).find((problem) => problem !== null);
    if (found) return found;
    compile<AnyNode, Element>(alternatives);
    return null;
  } catch (error) {
    return `is not a CSS selector: ${(error as Error).message}`;
  }
}

function partsProblem(parts: readonly Selector[], nesting: number, count: { parts: number }): string | null {
  for (const part of parts) {
    count.parts += 1;
    if (count.parts > MAX_PARTS) return `has to have at most ${MAX_PARTS} parts. Use a class or an id`;
    if (part.type !== 'pseudo' || part.data === null) continue;
    if (typeof part.data === 'string') {
      if (part.name.startsWith('nth-') && / of /i.test(part.data))
        return `has :${part.name}(… of …), which is not supported. Use a class, or :${part.name}(…) alone`;
      continue;
    }
    if (nesting >= MAX_NESTING) return `has more than ${MAX_NESTING} of :has, :not and :is inside each other`;
    if (part.name === 'has' && nesting > 0) return 'has :has inside another selector, which is not supported';
    for (const inner of part.data) {
      const problem = partsProblem(inner, nesting + 1, count);
      if (problem !== null) return problem;
    }
  }
  return null;
}

interface Budget {
  page: AnyNode | null;
  left: number;
}

export interface CompiledSelector {
  test: Test;
  /** Called before each search, with anything of the page that is searched. */
  startsIn(node: AnyNode | undefined): void;
}

export function compileSelector(selector: string): CompiledSelector {
  const alternatives = parse(selector);
  // What looks at nothing but the element itself needs no budget.
  if (!alternatives.flat().some((part) => part.type === 'pseudo' || isTraversal(part)))
    return { test: compile<AnyNode, Element>(alternatives), startsIn() {} };
  const budget: Budget = { page: null, left: FREE_STEPS };
  const spend = (steps: number): void => {
    budget.left -= steps;
    if (budget.left < 0)
      throw new AppError(
        'layout_changed',
        `The selector "${selector.slice(0, 200)}" takes too long on this page. Use a class or an id instead of :has, :contains and long chains`,
      );
  };
  const pseudos: Record<string, (element: Element, value?: string | null) => boolean> = { ...POSITIONS };
  const adapter = countingAdapter(spend);
  const options = { adapter, pseudos };
  const test = compile<AnyNode, Element>(
    alternatives.map((parts) => withoutSiblings(parts)),
    options,
  );

  /** `a ~ b` as b with a property of its own, which is worked out once for all siblings. Inside `:has` names are relative, and left as they are. */
  function withoutSiblings(parts: Selector[]): Selector[] {
    const inner = parts.map((part) =>
      part.type === 'pseudo' && part.name !== 'has' && Array.isArray(part.data)
        ? { ...part, data: part.data.map(withoutSiblings) }
        : part,
    );
    const at = inner.findLastIndex((part) => part.type === 'sibling');
    if (at <= 0) return inner;
    const before = compile<AnyNode, Element>([withoutSiblings(inner.slice(0, at))], options);
    const name = `stands-after-${Object.keys(pseudos).length}`;
    pseudos[name] = standsAfter(before);
    return [{ type: SelectorType.Pseudo, name, data: null }, ...inner.slice(at + 1)];
  }

  return {
    test(element) {
      budget.left += STEPS_PER_ELEMENT;
      return test(element);
    },
    startsIn(node) {
      let page = node ?? null;
      while (page?.parent) page = page.parent;
      if (budget.page === page) return;
      budget.page = page;
      budget.left = FREE_STEPS;
    },
  };
}

function countingAdapter(spend: (steps: number) => void) {
  return {
    ...domutils,
    isTag(node: AnyNode): node is Element {
      spend(1);
      return isTag(node);
    },
    getText(node: AnyNode): string {
      let text = '';
      const open = [node];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        spend(1 + (isText(next) ? next.data.length / CHARS_PER_STEP : 0));
        if (isText(next)) text += next.data;
        else if (hasChildren(next)) for (const child of next.children.toReversed()) open.push(child);
      }
      return text;
    },
  };
}

const siblingsOf = (element: Element): Element[] =>
  (element.parent === null ? domutils.getSiblings(element) : element.parent.children).filter(isTag);

function standsAfter(before: Test): (element: Element) => boolean {
  const known = new WeakMap<Element, boolean>();
  return (element) => {
    const answer = known.get(element);
    if (answer !== undefined) return answer;
    let isAfter = false;
    for (const sibling of siblingsOf(element)) {
      known.set(sibling, isAfter);
      isAfter ||= before(sibling);
    }
    return known.get(element) ?? false;
  };
}

/** From 0, from either end, among all siblings and among those of its name. */
interface Position {
  index: number;
  fromEnd: number;
  ofType: number;
  ofTypeFromEnd: number;
}

const positions = new WeakMap<Element, Position>();

function positionOf(element: Element): Position {
  const known = positions.get(element);
  if (known !== undefined) return known;
  const siblings = siblingsOf(element);
  const counts = new Map<string, number>();
  const places = siblings.map((sibling, index) => {
    const ofType = counts.get(sibling.name) ?? 0;
    counts.set(sibling.name, ofType + 1);
    return { index, ofType };
  });
  for (const [n, sibling] of siblings.entries()) {
    const { index, ofType } = places[n]!;
    const fromEnd = siblings.length - 1 - index;
    positions.set(sibling, { index, fromEnd, ofType, ofTypeFromEnd: counts.get(sibling.name)! - 1 - ofType });
  }
  return positions.get(element)!;
}

const nth = (which: keyof Position) => {
  const checks = new Map<string, (index: number) => boolean>();
  // Selectors are few: they are kept by the memo of selectors, or written in a source.
  return (element: Element, rule?: string | null): boolean => {
    const key = rule ?? '';
    const check = checks.get(key) ?? nthCheck(key);
    if (checks.size < 1_000) checks.set(key, check);
    return check(positionOf(element)[which]);
  };
};

const POSITIONS = {
  'nth-child': nth('index'),
  'nth-last-child': nth('fromEnd'),
  'nth-of-type': nth('ofType'),
  'nth-last-of-type': nth('ofTypeFromEnd'),
  'first-child': (element: Element) => positionOf(element).index === 0,
  'last-child': (element: Element) => positionOf(element).fromEnd === 0,
  'first-of-type': (element: Element) => positionOf(element).ofType === 0,
  'last-of-type': (element: Element) => positionOf(element).ofTypeFromEnd === 0,
  'only-child': (element: Element) => positionOf(element).index + positionOf(element).fromEnd === 0,
  'only-of-type': (element: Element) => positionOf(element).ofType + positionOf(element).ofTypeFromEnd === 0,
};

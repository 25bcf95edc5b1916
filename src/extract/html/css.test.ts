import { selectAll } from 'css-select';
import { expect, test } from 'vitest';
import { selectorProblem } from './css.ts';
import { all, parse } from './html.ts';

const PAGE = parse(
  `<main><h2>A</h2><p class="x">1</p>text<p>2</p><div><p>3</p><b>4</b></div><p id="last">5</p></main>
<ul>${'<li><a href="/j">job</a><span>Berlin</span></li>'.repeat(7)}<li class="ad"></li></ul>`,
);

test('positions and siblings are found as css-select finds them', () => {
  for (const selector of [
    'li:nth-child(2n+1)',
    'li:nth-child(odd) > a',
    'p:nth-of-type(2)',
    'p:nth-last-of-type(1)',
    'li:nth-last-child(-n+3)',
    'p:first-child, p:last-child',
    'p:first-of-type',
    'p:last-of-type',
    'b:only-of-type',
    'a:only-child',
    'li:first-child ~ li',
    'h2 ~ p:not(.x)',
    'h2 ~ p ~ div > b',
    'main > p.x + p ~ #last',
    'p:not(h2 ~ p)',
    'ul:has(li ~ .ad) a',
    'ul:has(> .ad) span',
    'li:has(+ .ad)',
    'main:contains("4") p',
    'main p, ul li.ad',
  ])
    expect([selector, all(PAGE, selector)]).toEqual([selector, selectAll(selector, PAGE)]);
});

const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  try {
    work();
  } catch (error) {
    expect(String(error)).toMatch(/takes too long on this page\. Use a class or an id/);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

test.each([
  ['li:nth-child(7)', 'li'],
  ['li:nth-last-of-type(2n)', 'li'],
  ['p:only-of-type, li:last-of-type', 'li'],
  ['.none ~ li', 'li'],
  ['li ~ .none', 'li'],
  ['.none + li', 'li'],
  ['li:has(~ .none)', 'li'],
  ['li:has(+ .none)', 'li'],
  ['ul:has(> .none) li', 'li'],
  ['li:not(:contains("none"))', 'li'],
  ['div:contains("deep")', 'deep'],
  ['div div div div div div p', 'deep'],
  ['div:has(i) div:has(b) div:has(.none)', 'deep'],
])('A13: %s takes time in proportion to a page of %s, or is refused', (selector, kind) => {
  const page = (n: number) =>
    kind === 'li'
      ? `<ul>${'<li>x</li>'.repeat(n)}</ul>`
      : `${'<div>'.repeat(1_200)}${'<i>deep</i>'.repeat(n)}${'</div>'.repeat(1_200)}`;
  const [small, large] = [2_000, 16_000].map((n) => {
    const tree = parse(page(n));
    return cpuMs(() => all(tree, selector));
  });
  // Eight times the page: 64 times the time if it were quadratic.
  expect(large! / (small! + 20)).toBeLessThan(24);
});

test('A13: a selector that is too long, too nested or not one is refused with a reason', () => {
  expect(selectorProblem('h2 > a[href^="/jobs/"]:not(.closed)')).toBeNull();
  expect(selectorProblem('li:has(> a.job)')).toBeNull();
  expect(selectorProblem('li[')).toMatch(/^is not a CSS selector: /);
  expect(selectorProblem('li:nth-child(what)')).toMatch(/^is not a CSS selector: /);
  expect(selectorProblem('a::before')).toMatch(/^is not a CSS selector: /);
  expect(selectorProblem('a,'.repeat(200))).toMatch(/at most 60 parts|not a CSS selector/);
  expect(selectorProblem('a '.repeat(80))).toMatch(/at most 60 parts\. Use a class or an id/);
  expect(selectorProblem('x'.repeat(501))).toMatch(/at most 500 characters/);
  expect(selectorProblem(`${':not('.repeat(9)}a${')'.repeat(9)}`)).toMatch(/more than 3 of :has, :not and :is/);
  expect(selectorProblem('a:not(:has(b))')).toMatch(/:has inside another selector/);
  expect(selectorProblem('li:nth-child(2 of .a)')).toMatch(/is not supported\. Use a class/);
});

import { compile } from 'css-select';
import { expect, test } from 'vitest';
import { all, one, parse } from './html.ts';
import { testOf } from './selector.ts';

const PAGE =
  parse(`<div class="card  big-card"><H3 class="title\n wide">A</H3><a class="big" href="/a">x</a><template><a class="big">no</a></template></div>
<div class="Card"><h3>B</h3><time class="date--new">now</time></div>`);

test('names and classes are answered as css-select answers them', () => {
  const elements = all(PAGE, '*');
  for (const selector of [
    'div',
    'H3',
    '.card',
    '.big',
    '.card.big-card',
    'h3.title.wide',
    'h3.wid',
    'a.big, time',
    '.Card',
  ])
    expect([selector, elements.filter(testOf(selector, PAGE))]).toEqual([selector, elements.filter(compile(selector))]);
});

test('what has more to it than names and classes is left to css-select', () => {
  expect(one(PAGE, 'div > a[href^="/"]')?.attribs.href).toBe('/a');
  expect(all(PAGE, 'div:has(time) h3')).toHaveLength(1);
});

test('what a template holds is not found, and a scope in a list counts itself', () => {
  expect(all(PAGE, 'a.big')).toHaveLength(1);
  const card = one(PAGE, '.card')!;
  expect([one(card, '.card'), one([card], '.card')]).toEqual([null, card]);
});

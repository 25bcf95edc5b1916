import { expect, test } from 'vitest';
import { readView } from './read.ts';
import { lineWords, nameWords, tokenReader, tokensOf } from './tokens.ts';

test('class names are words of letters, parted at capitals and marks; a pair never spans two names', () => {
  expect(tokensOf(nameWords('elementor-post__excerpt relatedPosts mt-4'))).toEqual([
    'elementor',
    'post',
    'elementor post',
    'excerpt',
    'post excerpt',
    'related',
    'posts',
    'related posts',
    'mt',
  ]);
});

test('a short line is its words between marks, all numbers alike; a long one says nothing', () => {
  expect(lineWords('Read 5 More')).toEqual(['^', 'read', '0', 'more', '$']);
  expect(lineWords('word '.repeat(40))).toEqual([]);
});

test('a block is scored by the names of all elements around it and by its own words', () => {
  const { view } = readView(
    '<body class="card"><main><p>A text that is long enough to hold most of what there is on this page, and goes on.</p></main><div class="teaser card"><p class="lead">Read more</p></div>',
  );
  const scores = tokenReader({
    classes: { card: -1, 'teaser card': 9, lead: 0.5 },
    texts: { 'read more': -2, more: 1 },
  })(view);
  const last = view.blockFeatures.at(-1)!;
  const { index, parent } = last.block.node;
  expect([scores.own[index], scores.own[parent!.index], scores.path[index], scores.text[last.at]]).toEqual([
    0.5, -1, -0.5, -1,
  ]);
  expect(scores.path[view.blockFeatures[0]!.block.node.index]).toBe(0);
});

import { expect, test } from 'vitest';
import { readView } from './read.ts';

const LONG =
  'The ferry was out of service for nine long years, and on the islands people had learned to live without it, as one learns to live without a tooth.';
const texts = (html: string) => readView(html).view.blockFeatures.map((features) => features.block.text);

test('a forum that leaves its posts to a script is read from the data it sends along', () => {
  const topic = JSON.stringify({
    title: 'Ferries',
    post_stream: { posts: [1, 2, 3].map((n) => ({ username: `user${n}`, cooked: `<p>${LONG} ${n}</p>` })) },
  });
  const preloaded = JSON.stringify({ topic_12: topic }).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  expect(
    texts(
      `<html><head><title>Ferries</title></head><body><div id="d" data-preloaded="${preloaded}"></div></body></html>`,
    ),
  ).toEqual(expect.arrayContaining(['Ferries', `${LONG} 1`, 'user2', `${LONG} 3`]));
});

test('what is for readers without scripts is read only where there is no other text', () => {
  const noscript = `<noscript><p>${LONG} Quietly.</p><p>${LONG} Twice.</p></noscript>`;
  expect(texts(`<body>${noscript}</body>`)).toContain(`${LONG} Quietly.`);
  expect(texts(`<body><p>${LONG}</p><p>${LONG} Indeed.</p><p>${LONG} Well.</p>${noscript}</body>`)).not.toContain(
    `${LONG} Quietly.`,
  );
});

test('panels that are folded up among the text are part of it, hidden copies and windows over it are not', () => {
  const html = `<body><div class="popup" style="display:none"><p>${LONG} In a window.</p></div>
    <main><p>${LONG} First.</p><p>It is back. ${LONG}</p>
      <div class="panel" style="display:none"><p>Folded up. ${LONG}</p></div>
      <div style="display:none"><p>${LONG} First.</p></div></main></body>`;
  expect(texts(html)).toEqual([`${LONG} First.`, `It is back. ${LONG}`, `Folded up. ${LONG}`]);
});

test('what a framework streams into a hidden element is shown', () => {
  expect(texts(`<body><p>${LONG}</p><div hidden id="S:0"><p>Streamed. ${LONG}</p></div></body>`)).toContain(
    `Streamed. ${LONG}`,
  );
});

test('white space of code stays, and that around it goes', () => {
  expect(texts('<pre><code><span>if (a)\n</span>\n<span>  b()</span>  \n</code></pre>')).toEqual(['if (a)\n\n  b()']);
});

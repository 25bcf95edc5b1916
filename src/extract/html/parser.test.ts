import { readFileSync } from 'node:fs';
import { type Handler, Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { createParser } from './parser.ts';

/** All that a handler can be told, with where it was. */
function recorder(): {
  events: unknown[];
  handler: Partial<Handler>;
  parser: { startIndex: number; endIndex: number };
} {
  const events: unknown[] = [];
  const self = { events, handler: {} as Record<string, unknown>, parser: { startIndex: 0, endIndex: 0 } };
  const names = [
    'onopentagname',
    'onattribute',
    'ontext',
    'onclosetag',
    'oncomment',
    'onprocessinginstruction',
    'onend',
  ];
  for (const name of names)
    self.handler[name] = (...args: unknown[]) =>
      events.push([name, ...args, self.parser.startIndex, self.parser.endIndex]);
  return self as ReturnType<typeof recorder>;
}

function eventsOf(make: (handler: Partial<Handler>) => Parser, html: string, pieces: number): unknown[] {
  const log = recorder();
  const parser = make(log.handler);
  log.parser = parser;
  const size = Math.ceil(html.length / pieces) || 1;
  for (let at = 0; at < html.length; at += size) parser.write(html.slice(at, at + size));
  parser.end();
  return log.events;
}

const plain = (handler: Partial<Handler>): Parser => new Parser(handler);

const PAGES = [
  '<!doctype html><HTML Lang=en><body CLASS="a &amp; b" onclick=\'x("<p>")\' data-x=1&amp;2 hidden>Tom &amp; J&eacuterry &nope; &lt;p&gt;<p>one<p>two</p></p></br>',
  '<title>a &amp; <b>b</title><textarea>&lt;</textarea><script>if (a < b && c) "</scrip>" </script><style>p > a {}</style><!-- a - b -- c --><!-->x-->',
  '<svg viewBox="0"><clipPath><title>t</title><foreignObject><P>x</P></foreignObject></clipPath><image/></svg><image src=a><math><mi>x</mi></math>',
  '<a href="x"><a href=y>two</a><form><form><input type=password></form><![CDATA[ x ]]><?php echo 1 ?>',
  '“curly” <ARTICLE Class="Übung">é <time DateTime="2024">now</time> a&',
  'only text',
  '<p class="never closed &am',
  '<!-- never closed',
  '<!-- closed -- late -->',
  '<plaintext>a<b>&amp;',
];

test.each(PAGES)('the same events as of the library: %s', (html) => {
  for (const pieces of [1, 2, 7, html.length])
    expect(eventsOf(createParser, html, pieces)).toEqual(eventsOf(plain, html, pieces));
});

test('the same events for pages with holes in them', () => {
  const source = PAGES.toReversed().join('">-->') + readFileSync(new URL('./parser.ts', import.meta.url), 'utf8');
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return seed % below;
  };
  for (let i = 0; i < 300; i++) {
    const from = random(source.length);
    const html = source.slice(0, from) + source.slice(from + random(40), from + 40 + random(600));
    const pieces = 1 + random(3);
    expect(eventsOf(createParser, html, pieces)).toEqual(eventsOf(plain, html, pieces));
  }
});

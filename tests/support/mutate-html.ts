// Pages broken on purpose, the same ones for the same seed: cuts, tags that never close or never opened, odd bytes, depth, size.
export function randomOf(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

type Mutation = (html: string, random: () => number) => string;

const at = (html: string, random: () => number) => Math.floor(random() * (html.length + 1));
const insert = (html: string, random: () => number, what: string) => {
  const place = at(html, random);
  return html.slice(0, place) + what + html.slice(place);
};
const pick = <T>(list: T[], random: () => number): T => list[Math.floor(random() * list.length)]!;

const TAGS =
  'p div span a b i li ul ol table tr td h1 h2 article main section aside nav form script style template noscript svg math select option textarea title head body html iframe blockquote pre figure time'.split(
    ' ',
  );
const ODD = [
  '\u0000',
  '\ufffd',
  '\ud800',
  '\u202e',
  '\u00ad',
  '&',
  '&#',
  '&#xffffffff;',
  '&nbsp',
  '&#0;',
  '<',
  '>',
  '"',
  "'",
  '<!',
  '<!--',
  '-->',
  '<?',
  ']]>',
  '<![CDATA[',
  '</',
  '<a href=',
  '=',
  '\t\r\n',
];

const MUTATIONS: Mutation[] = [
  (html, random) => {
    const from = at(html, random);
    return html.slice(0, from) + html.slice(from + Math.floor(random() * 2_000));
  },
  (html, random) => {
    const from = at(html, random);
    return insert(html, random, html.slice(from, from + Math.floor(random() * 3_000)));
  },
  (html, random) => html.slice(0, at(html, random)),
  (html, random) => insert(html, random, `<${pick(TAGS, random)}>`),
  (html, random) => insert(html, random, `</${pick(TAGS, random)}>`),
  (html, random) => insert(html, random, pick(ODD, random)),
  (html, random) => insert(html, random, `<${pick(TAGS, random)}>`.repeat(Math.floor(random() * 400))),
  (html, random) =>
    insert(html, random, `<p class="${'x '.repeat(Math.floor(random() * 2_000))}" style="display:none">`),
  (html, random) =>
    insert(html, random, `<script>${'var a="<p>not text</p>";'.repeat(Math.floor(random() * 200))}</script>`),
  (html, random) =>
    insert(
      html,
      random,
      `<script type="application/ld+json">${pick(['{', '[]', '{"@graph":[{"@type":"Article","headline":7,"author":[null,{"name":{}}],"datePublished":"yesterdayish"}]}', '{"@type":["NewsArticle"],"author":{"@id":"#me"},"articleBody":{}}', 'null'], random)}</script>`,
    ),
  (html, random) => {
    const tag = pick(TAGS, random);
    return html.replaceAll(`</${tag}>`, '');
  },
  (html, random) => {
    const tag = pick(TAGS, random);
    return html.replaceAll(`<${tag}`, `<${pick(TAGS, random)}`);
  },
];

/** One to six mutations of a page. */
export function mutate(html: string, seed: number): string {
  const random = randomOf(seed);
  let out = html;
  for (let n = 1 + Math.floor(random() * 6); n > 0; n--) out = pick(MUTATIONS, random)(out, random);
  return out;
}

/** A tag left in plain text. */
export const MARKUP =
  /<\/?(?:p|div|span|a|b|i|li|ul|ol|table|tr|td|h[1-6]|article|main|section|script|style|img|br)(?:\s[^<>]*)?>/i;

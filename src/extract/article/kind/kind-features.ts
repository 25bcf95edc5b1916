// What a page as a whole looks like, as a row of numbers: its address, what it states, and how its blocks are made. The order is part of
// the trained weights, as with features.ts.
// What a reader would get wrong: no sign decides alone. Shops have blogs, forums state articles, and half of all pages state nothing.
import { typesOf } from '../../html/structured.ts';
import type { Facts } from '../page/facts.ts';
import { meaningBits } from '../page/lexicon.ts';
import { IN } from '../page/measure.ts';
import type { View } from '../page/view.ts';

/** Words of paths and hosts, by what they speak for. */
const ADDRESS_WORDS: Record<string, string> = {
  article:
    'article articles blog blogs news post posts story stories magazine insights artikel noticias actualites beitrag opinion',
  forum:
    'forum forums thread threads topic viewtopic showthread t d discussion discussions question questions community boards board comments answers qa discuss bbs foro',
  documentation:
    'doc docs documentation reference api guide guides manual man tutorial tutorials learn wiki book handbook latest stable usersguide developer developers help faq kb support readthedocs',
  product: 'product products produkt produkte producto prod p dp item items sku app shop store',
  collection: 'collection collections category categories c shop store browse l parts kategorie categoria brands',
  listing:
    'tag tags topics section sections archive archives author authors directory jobs search list index page reviews recipes courses programs',
  service:
    'service services solutions solution pricing features platform about consulting course program locations plans insurance contact',
};
const ADDRESS_KINDS = Object.keys(ADDRESS_WORDS);
const addressBits = new Map<string, number>();
ADDRESS_KINDS.forEach((kind, at) => {
  for (const word of ADDRESS_WORDS[kind]!.split(' ')) addressBits.set(word, (addressBits.get(word) ?? 0) | (1 << at));
});

const STATED_TYPES: Record<string, RegExp> = {
  article: /(?:News|Blog|Opinion|Reportage|^)(?:Article|Posting)$|^Recipe$/,
  forum: /^(?:DiscussionForumPosting|QAPage|Question)$/,
  product: /^(?:Product|ProductGroup|Offer|VideoGame|Book)$/,
  list: /^(?:ItemList|CollectionPage|SearchResultsPage|ProfilePage|OfferCatalog)$/,
  firm: /^(?:Service|LocalBusiness|ProfessionalService|Course|SoftwareApplication|WebApplication|FinancialProduct)$/,
  technical: /^(?:TechArticle|APIReference|HowTo|SoftwareSourceCode|FAQPage)$/,
};
const STATED_KINDS = Object.keys(STATED_TYPES);

const GENERATORS: RegExp[] = [
  /discourse|xenforo|phpbb|vbulletin|invision|nodebb|flarum|mybb|smf/i,
  /docusaurus|sphinx|mkdocs|mdbook|gitbook|vuepress|vitepress|rustdoc|mediawiki|doxygen|antora|hugo/i,
  /woocommerce|shopify|magento|prestashop|shopware/i,
];

/** Short lines that only shops, forums or firms have. */
const LINE_SIGNS: RegExp[] = [
  /^(?:add to (?:cart|bag|basket)|in den (?:warenkorb|einkaufswagen)|ajouter au panier|a[ñn]adir (?:al carrito|a la cesta)|buy now|out of stock|in stock|sold out|sku\b|quantity\b|qty\b|free shipping|write a review|sort by|filter(?:s| by)?\b|compare\b)/i,
  /^(?:repl(?:y|ies)\b|quote\b|last edited|joined\b|solved\b|original poster|op\b|thread starter|senior member|member\b|moderator|views?\b|upvote|points?\b|\d+ (?:repl|like|vote|answer|comment|post|view|point))/i,
  /^(?:get started|contact (?:us|sales)|request (?:a|your)|book (?:a|an|now)|free (?:quote|trial|demo)|get (?:a|your) (?:free )?(?:quote|demo)|our (?:services|team|clients|work)|pricing\b|learn more|sign up|apply now|testimonials?)/i,
];
const SHORT_LINE_CHARS = 40;
const PRICE = /^(?:from |ab )?(?:[$€£¥]|us\$|usd|eur|chf)\s?\d|\d(?:[.,]\d\d)\s?(?:[$€£]|eur|usd|zł|kr)$/i;
const NAMED = meaningBits('comment');
const BYLINE = meaningBits('byline');
const DATED = meaningBits('date');

export const KIND_FEATURES: string[] = [
  ...ADDRESS_KINDS.map((kind) => `path:${kind}`),
  ...ADDRESS_KINDS.map((kind) => `host:${kind}`),
  'segments',
  'isRoot',
  'hasDate',
  'lastWords',
  'lastDigits',
  'hasQuery',
  ...STATED_KINDS.map((kind) => `states:${kind}`),
  'states:products',
  'og:article',
  'og:product',
  'og:website',
  'published',
  'generator:forum',
  'generator:docs',
  'generator:shop',
  'blocks',
  'menus',
  'prose',
  'proseBlocks',
  'meanProse',
  'longestProse',
  'headings',
  'linkedHeadings',
  'listProse',
  'code',
  'cells',
  'links',
  'mostAlike',
  'mostAlikeProse',
  'prices',
  'lines:shop',
  'lines:forum',
  'lines:firm',
  'comments',
  'bylines',
  'dates',
  'questions',
  'hasTitle',
  'titleWords',
];

/** One row for the page. */
export function kindRow(view: View, facts: Facts, url: string | null): Float64Array {
  const row = new Float64Array(KIND_FEATURES.length);
  fillAddress(row, url);
  fillStated(row, STATED_AT, facts);
  fillBlocks(row, BLOCKS_AT, view);
  return row;
}

const STATED_AT = KIND_FEATURES.indexOf(`states:${STATED_KINDS[0]}`);
const BLOCKS_AT = KIND_FEATURES.indexOf('blocks');
const has = (yes: boolean): number => (yes ? 1 : 0);

function fillAddress(row: Float64Array, url: string | null): void {
  if (url === null) return;
  const address = /^https?:\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(url);
  if (!address) return;
  const [, host = '', path = '', query = ''] = address;
  const bits = (text: string) =>
    text
      .toLowerCase()
      .split(/[^a-z]+/)
      .reduce((all, word) => all | (addressBits.get(word) ?? 0), 0);
  const segments = path.split('/').filter((segment) => segment !== '');
  // The words of a headline in the address mean nothing: only short segments name a part of the site.
  const named = bits(segments.filter((segment) => segment.split(/[-_]/).length <= 2).join('/'));
  const hosted = bits(host);
  for (let kind = 0; kind < ADDRESS_KINDS.length; kind++) {
    row[kind] = (named >> kind) & 1;
    row[ADDRESS_KINDS.length + kind] = (hosted >> kind) & 1;
  }
  const last = segments.at(-1) ?? '';
  let at = 2 * ADDRESS_KINDS.length;
  row[at++] = Math.min(8, segments.length);
  row[at++] = has(segments.length === 0);
  row[at++] = has(/\/(?:19|20)\d\d[/-]\d\d?(?:[/-]|$)/.test(path));
  row[at++] = Math.min(12, last.split(/[-_]/).length);
  row[at++] = has(/\d{3}/.test(last));
  row[at++] = has(query.length > 1);
}

function fillStated(row: Float64Array, from: number, facts: Facts): void {
  let at = from;
  let products = 0;
  for (const node of facts.ld) {
    for (const type of typesOf(node)) {
      for (let kind = 0; kind < STATED_KINDS.length; kind++)
        if (STATED_TYPES[STATED_KINDS[kind]!]!.test(type)) row[at + kind] = 1;
      if (type === 'Product') products++;
    }
  }
  at += STATED_KINDS.length;
  row[at++] = Math.min(5, products);
  const type = facts.meta('og:type')?.value.toLowerCase() ?? '';
  row[at++] = has(type === 'article');
  row[at++] = has(type.includes('product'));
  row[at++] = has(type === 'website');
  row[at++] = has(facts.meta('article:published_time', 'datepublished', 'pubdate', 'publish_date') !== null);
  const generator = facts.metas('generator').join(' ');
  for (const sign of GENERATORS) row[at++] = has(sign.test(generator));
}

function fillBlocks(row: Float64Array, from: number, view: View): void {
  const { blockFeatures, m } = view;
  let menus = 0;
  let prose = 0;
  let proseBlocks = 0;
  let longest = 0;
  let headings = 0;
  let linkedHeadings = 0;
  let listProse = 0;
  let code = 0;
  let cells = 0;
  let chars = 0;
  let linked = 0;
  let mostAlike = 0;
  let mostAlikeProse = 0;
  let prices = 0;
  const lines = [0, 0, 0];
  let comments = 0;
  let bylines = 0;
  let dates = 0;
  let questions = 0;
  for (const features of blockFeatures) {
    chars += features.chars;
    linked += features.linkShare * features.chars;
    if (features.isMenu) menus++;
    const { index } = features.block.node;
    const place = m.place[index]!;
    const strong = m.strong[index]!;
    if ((strong & NAMED) !== 0) comments += features.chars;
    if ((strong & BYLINE) !== 0) bylines++;
    if ((strong & DATED) !== 0) dates++;
    if ((place & IN.heading) !== 0) {
      headings++;
      if (features.linkShare > 0.8) linkedHeadings++;
    }
    if ((place & IN.pre) !== 0) code += features.chars;
    if ((place & IN.table) !== 0) cells++;
    if (features.chars <= SHORT_LINE_CHARS) {
      const { text } = features.block;
      if (PRICE.test(text)) prices++;
      for (let sign = 0; sign < LINE_SIGNS.length; sign++) if (LINE_SIGNS[sign]!.test(text)) lines[sign]!++;
    }
    if (features.isMenu) continue;
    if (features.alikeBlocks > mostAlike) mostAlike = features.alikeBlocks;
    if (features.alike > mostAlikeProse) mostAlikeProse = features.alike;
    if (!features.isProse) continue;
    prose += features.chars;
    proseBlocks++;
    if (features.chars > longest) longest = features.chars;
    if ((place & IN.list) !== 0) listProse += features.chars;
    if (features.block.text.endsWith('?')) questions++;
  }
  let at = from;
  const log = (n: number) => Math.log2(1 + n);
  row[at++] = log(blockFeatures.length);
  row[at++] = menus / Math.max(1, blockFeatures.length);
  row[at++] = log(prose);
  row[at++] = log(proseBlocks);
  row[at++] = prose / Math.max(1, proseBlocks);
  row[at++] = longest;
  row[at++] = headings;
  row[at++] = linkedHeadings;
  row[at++] = listProse / Math.max(1, prose);
  row[at++] = code / Math.max(1, chars);
  row[at++] = log(cells);
  row[at++] = linked / Math.max(1, chars);
  row[at++] = log(mostAlike);
  row[at++] = mostAlikeProse;
  row[at++] = prices;
  for (const count of lines) row[at++] = count;
  row[at++] = comments / Math.max(1, chars);
  row[at++] = log(bylines);
  row[at++] = log(dates);
  row[at++] = questions;
  row[at++] = has(view.titleAt >= 0);
  row[at++] = view.stated.title === '' ? 0 : view.stated.title.split(' ').length;
}

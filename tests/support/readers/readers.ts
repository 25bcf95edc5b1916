// Every reader of what others wrote, with a text of the kind it expects: sources on answers of the sandbox, and the parsers of single fields.
import { extractArticle } from '../../../src/extract/article/index.ts';
import { parseDate } from '../../../src/extract/dates.ts';
import { parse } from '../../../src/extract/html/html.ts';
import { parseLocation } from '../../../src/extract/location/location.ts';
import { parsePrice } from '../../../src/extract/money/money.ts';
import { describe } from '../../../src/extract/posting/description.ts';
import { experienceYears } from '../../../src/extract/posting/experience.ts';
import { postedDate } from '../../../src/extract/posting/posted-date.ts';
import { skillsIn } from '../../../src/extract/posting/skills.ts';
import { productIn } from '../../../src/extract/product/product-structured.ts';
import { parseRating } from '../../../src/extract/product/rating.ts';
import { parseUnitPrice } from '../../../src/extract/product/unit-price.ts';
import { parseSalary } from '../../../src/extract/salary/salary.ts';
import { asAppError } from '../../../src/model/errors.ts';
import { parseSize } from '../../../src/model/product/size.ts';
import { canonicalUrl } from '../../../src/model/url.ts';
import { comeetToken } from '../../../src/sandbox/careers/comeet.ts';
import { SOURCES } from '../../../src/sources/built-in.ts';
import { findingsOn } from '../../../src/sources/careers/detect.ts';
import { diagnose, recognise } from '../../../src/web/blocks/blocks.ts';
import { parseRobotsTxt } from '../../../src/web/robots/robots-txt.ts';
import { VENDORS } from '../worlds/vendors.ts';
import { sandboxWeb } from './sandbox-web.ts';

export interface Reader {
  name: string;
  /** What is mutated. */
  text: string;
  read(text: string): unknown;
}

const JOBS = { search_term: 'nurse', location: 'Austin', results_wanted: 3, linkedin_fetch_description: true };
const LISTED = {
  item: 'li.job',
  fields: { title: 'h3 a', url: 'h3 a@href', location: '.place', posted: 'time' },
  next: 'a[rel=next]',
};
/** Read otherwise where no key of theirs is set. */
const KEYLESS = ['indeed', 'ziprecruiter'];
const SOURCE_PARAMS: Record<string, Record<string, unknown>> = {
  indeed: JOBS,
  linkedin: JOBS,
  glassdoor: JOBS,
  'google-jobs': JOBS,
  ziprecruiter: JOBS,
  naukri: { ...JOBS, search_term: 'engineer', location: 'Pune' },
  bayt: JOBS,
  bdjobs: JOBS,
  ...Object.fromEntries(VENDORS.map(({ source, board }) => [source, board('aldermoor')])),
  comeet: { uid: '30.005', token: comeetToken('30.005') },
  rss: { url: 'https://oakhaven-rss.hiring.example/jobs/feed.xml' },
  static: { url: 'https://aldermoor-jsonld.hiring.example/careers' },
  playwright: { url: 'https://oakhaven-60-list.hiring.example/careers', ...LISTED },
  api: {
    url: 'https://oakhaven-40-api.hiring.example/api/openings?page={page}&size=10',
    items: 'result.rows',
    total: 'result.count',
    paging: { kind: 'page', size: 10 },
    fields: {
      id: 'key',
      title: 'attributes.name',
      url: { text: 'https://oakhaven.example/jobs/{attributes.slug}' },
      location: 'attributes.offices.*.name',
      posted: 'attributes.opened',
      description: 'attributes.body',
      salary_min: 'pay.min',
    },
  },
  sitemap: { url: 'https://aldermoor-sitemap.hiring.example/sitemap.xml' },
  embedded: {
    url: 'https://aldermoor-state.hiring.example/careers',
    items: 'openings',
    fields: { id: 'ref', title: 'name', url: 'slug', location: 'where', description: 'body', posted: 'opened' },
  },
  shopify: { shop: 'corner-basket.myshopify.com', item: 'milk' },
  woocommerce: { shop: 'pantry.woo.example', item: 'honey' },
  magento: { shop: 'pantry.magento.example', item: 'honey' },
  'sap-commerce': { shop: 'shop.occ.example', site: 'pantry', item: 'honey' },
  target: { item: 'milk', zipcode: '10001' },
  walmart: { item: 'milk', zipcode: '10001' },
  kroger: { item: 'bread', zipcode: '45202' },
  serpapi: { item: 'milk', zipcode: '10001' },
  'google-shopping': { item: 'milk', zipcode: '10001' },
  'open-food-facts': { item: 'milk' },
  'open-prices': { item: 'Red Apples', zipcode: '38000' },
};
/** Items are read no further: what follows is the same again. */
const ITEMS = 3;
const ANSWERS = 3;
const NOW_MS = Date.UTC(2026, 10, 15);

const SALARY = 'Pay: $120,000 - $150,000 per year plus bonus, 401(k) with 4 % match';
const FIELDS: Reader[] = [
  { name: 'date', text: 'Published on Tuesday, 3 March 2026 at 14:05', read: (text) => parseDate(text) },
  { name: 'posted date', text: 'Posted 3 days ago', read: (text) => postedDate(text, NOW_MS) },
  {
    name: 'salary label',
    text: SALARY,
    read: (text) => parseSalary(text, { country: 'US', strictness: 'label', source: 'employer' }),
  },
  {
    name: 'salary text',
    text: SALARY,
    read: (text) => parseSalary(text, { country: null, strictness: 'text', source: 'description' }),
  },
  { name: 'location', text: 'Berlin, Germany or Remote (EU), Paris / London', read: (text) => parseLocation(text) },
  { name: 'price', text: 'from 1.299,00 € instead of 1.499,00 € incl. VAT', read: (text) => parsePrice(text) },
  { name: 'rating', text: '4.5 out of 5 stars (1,234 reviews)', read: parseRating },
  { name: 'size', text: 'Organic whole milk, 6 x 1.5 l, 2 pack', read: (text) => parseSize(text) },
  { name: 'unit price', text: '$0.12 / fl oz, 1 kg = 3,99 €', read: (text) => parseUnitPrice(text, {}) },
  { name: 'experience', text: 'You have 3-5 years of experience in welding', read: (text) => experienceYears(text) },
  { name: 'skills', text: 'Python, C++, Node.js and PostgreSQL', read: skillsIn },
  { name: 'description', text: '<h2>About</h2><p>We weld.</p><ul><li>a</li><li>b</li></ul>', read: describe },
  {
    name: 'url',
    text: 'https://jobs.example/a/b?utm_source=x&id=3#top',
    read: (text) => (URL.canParse(text) ? canonicalUrl(text) : null),
  },
  {
    name: 'robots.txt',
    text: 'User-agent: *\nDisallow: /a/*/b$\nAllow: /a/\nCrawl-delay: 3\nSitemap: https://a.example/s.xml\n',
    read: (text) => parseRobotsTxt(text).isAllowed(`https://a.example/${'a/'.repeat(500)}`, 'Windrow'),
  },
];

const pageOf = (text: string) => ({
  url: 'https://a.example/',
  status: 200,
  headers: { 'content-type': 'text/html' },
  text,
});

async function textAt(url: string): Promise<string> {
  return (await sandboxWeb((text) => text).get(url)).text;
}

export async function allReaders(): Promise<Reader[]> {
  const articleUrl = 'https://harbour-courier.example/2026/11/the-bridge';
  const article = await textAt(articleUrl);
  const careers = await textAt('https://aldermoor-jsonld.hiring.example/careers');
  const product = await textAt('https://shop.example/p/milk/0');
  const readers: Reader[] = [
    ...FIELDS,
    { name: 'article', text: article, read: (text) => extractArticle(text, articleUrl) },
    { name: 'product page', text: product, read: (text) => productIn(parse(text), 'https://shop.example/p/milk/0') },
    {
      name: 'career page detection',
      text: careers,
      read: (text) => findingsOn({ asked: 'https://a.example/', url: 'https://a.example/', text }),
    },
    {
      name: 'block detection',
      text: '<html><head><title>Just a moment</title></head><body><p>Checking</p></body></html>',
      read: (text) => recognise(pageOf(text)) ?? diagnose(pageOf(text)),
    },
  ];
  const all = Object.entries(SOURCE_PARAMS).map(([source, params]) => ({
    name: source,
    source,
    params,
    isKeyless: false,
  }));
  const keyless = all
    .filter(({ source }) => KEYLESS.includes(source))
    .map((one) => ({ ...one, name: `${one.name} without a key`, isKeyless: true }));
  for (const one of [...all, ...keyless])
    for (let number = 0; number < ANSWERS; number++) {
      let own: string | undefined;
      const given = run(one, (text, n) => {
        if (n === number) own = text;
        return text;
      });
      // Some want more of the web than this one has: what they asked until then is read all the same.
      await given.catch((error: unknown) => asAppError(error));
      if (own === undefined || own === '') break;
      const text = own;
      readers.push({
        name: number === 0 ? one.name : `${one.name}, answer ${number + 1}`,
        text,
        read: (mutated) => run(one, (given, n) => (n === number ? mutated : given)),
      });
    }
  return readers;
}

interface Asked {
  source: string;
  params: Record<string, unknown>;
  isKeyless: boolean;
}

async function run({ source: name, params, isKeyless }: Asked, change: (text: string, number: number) => string) {
  const source = SOURCES.get(name)!;
  let items = 0;
  for await (const _ of source.scrape(source.params.parse(params), sandboxWeb(change, isKeyless)))
    if (++items >= ITEMS) break;
}

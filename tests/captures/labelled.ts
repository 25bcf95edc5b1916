// Lists with known answers: prices, ratings in pieces of real pages, UULE values, robots.txt rules. Each says how many of them we get right.
import { readFileSync } from 'node:fs';
import { all, parse } from '../../src/extract/html/html.ts';
import { parsePrice } from '../../src/extract/money/money.ts';
import { ratingIn } from '../../src/extract/product/rating.ts';
import { uuleAt, uuleOf } from '../../src/sources/shopping/google/uule.ts';
import { parseRobotsTxt } from '../../src/web/robots/robots-txt.ts';

export interface Counted {
  right: number;
  of: number;
}

export function scoreUule(file: string): Counted {
  const { v1, v2 } = JSON.parse(readFileSync(file, 'utf8')) as {
    v1: { canonical_name: string; uule: string }[];
    v2: { text: string; uule: string }[];
  };
  const field = (text: string, name: string) => Number(new RegExp(`${name}:(-?\\d+)`).exec(text)?.[1]);
  const spot = (text: string) => ({
    latitude: field(text, 'latitude_e7') / 1e7,
    longitude: field(text, 'longitude_e7') / 1e7,
    timestampMs: field(text, 'timestamp') / 1_000,
  });
  const right =
    v1.filter((one) => uuleOf(one.canonical_name) === one.uule).length +
    v2.filter((one) => uuleAt(spot(one.text)) === one.uule).length;
  return { right, of: v1.length + v2.length };
}

export function scoreRatings(file: string): Counted {
  const cases = JSON.parse(readFileSync(file, 'utf8')) as { html: string; ratingValue: number | null }[];
  const right = cases.filter(({ html, ratingValue }) => {
    const [element] = all(parse(html), '*');
    return ((element && ratingIn(element)?.value) ?? null) === ratingValue;
  }).length;
  return { right, of: cases.length };
}

interface PriceCase {
  input: string | null;
  currencyHint?: string | null;
  decimalSeparator?: string | null;
  amount: string | null;
  currency: string | null;
}

/** Right when the amount is equal and the currency can be the same. */
export function scorePrices(file: string): Counted {
  const cases = JSON.parse(readFileSync(file, 'utf8')) as PriceCase[];
  const right = cases.filter(({ input, currencyHint, decimalSeparator, amount, currency }) => {
    const found = parsePrice(input, currencyHint, { decimalSeparator: decimalSeparator ?? undefined });
    return plain(found.amount) === plain(amount) && isSameCurrency(found.currency, found.codes, currency);
  }).length;
  return { right, of: cases.length };
}

const plain = (value: string | null): string | undefined =>
  value
    ?.replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^0+(?=\d)/, '');

function isSameCurrency(found: string | null, codes: readonly string[], wanted: string | null): boolean {
  if (found === null || wanted === null) return found === wanted;
  // What the written form of the answer may mean, by the same table.
  return found === wanted || parsePrice(null, wanted).codes.some((code) => codes.includes(code));
}

interface RobotsCase {
  robots: string;
  agent: string;
  url?: string;
  allowed?: boolean;
  crawlDelay?: number | null;
}

export function scoreRobots(file: string): Counted {
  const cases = JSON.parse(readFileSync(file, 'utf8')) as RobotsCase[];
  const right = cases.filter(({ robots: text, agent, url, allowed, crawlDelay }) => {
    const robots = parseRobotsTxt(text);
    return url === undefined
      ? robots.crawlDelaySeconds(agent) === (crawlDelay ?? null)
      : robots.isAllowed(url, agent) === allowed;
  }).length;
  return { right, of: cases.length };
}

// Two more lists with known answers: UULE values, and ratings in pieces of real pages.
import { readFileSync } from 'node:fs';
import { all, parse } from '../../src/extract/html/html.ts';
import { ratingIn } from '../../src/extract/product/rating.ts';
import { uuleAt, uuleOf } from '../../src/sources/shopping/google/uule.ts';

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

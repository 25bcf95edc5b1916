// The sentence Google writes for screen readers on a result: title, price, seller, delivery, returns, rating, reviews. It is the most stable part of
// the page. It is localised, so pages are asked for in English; in another language nothing is recognised and the fields are read instead.
// What a reader would get wrong: two spaces, not the first full stop, end the title ("St. Ives Oat Soap.  Current price: $4.").

import { parseReviewCount } from '../../../extract/product/rating.ts';
import { stripEnd } from '../../../extract/strip.ts';

export interface LabelFacts {
  title: string;
  price: string | null;
  oldPrice: string | null;
  seller: string | null;
  condition: 'used' | 'refurbished' | null;
  /** Lines about delivery, stores and returns, as they stand. */
  lines: string[];
  badges: string[];
  rating: number | null;
  reviews: { count: number; isRounded: boolean } | null;
}

const PRICE = /^(?:current price|price|now):?\s(.+)$/i;
const PRICE_NOW = /^(\D{0,4}\d[\d.,\s]{0,20}\D{0,4})\snow$/i;
const OLD_PRICE = /^(?:was|old price was|original price|usually|typically|list price|maximum retail price):?\s(.+)$/i;
const RATED = /^rated (\d(?:\.\d+)?) out of 5/i;
const REVIEWS = /^\(?([\d.,]+\s?[KM]?\+?)\)?\s+(?:user |product )?(?:reviews?|ratings?)/i;
const CONDITION = /^(used|pre-owned|refurbished|renewed)$/i;
const BADGE =
  /^(?:low price|great price|best price|sale|price drop|deal|special offer|top rated|trending|\d{1,2}% off.*|.{1,60} off(?: with .+)?|also nearby|nearby, .+|small business)$/i;
const LINE = /\b(?:deliver|get it|shipping|ships|arrives|pick ?up|in store|in-store|nearby|returns?)\b/i;

/** Null when the label is not the sentence. */
export function readLabel(label: string): LabelFacts | null {
  const text = label.replace(/[\u00a0\u202f]/g, ' ').trim();
  const priceAt = text.search(/\s(?:Current price|Price):\s/i);
  if (priceAt < 0) return null;
  const gapAt = text.slice(0, priceAt + 1).search(/\.? {2,}/);
  const titleEnd = gapAt < 0 ? priceAt : gapAt;
  const title = stripEnd(text.slice(0, titleEnd), '. \n\t');
  if (title === '') return null;
  const facts: LabelFacts = {
    title,
    price: null,
    oldPrice: null,
    seller: null,
    condition: null,
    lines: [],
    badges: [],
    rating: null,
    reviews: null,
  };
  for (const piece of pieces(text.slice(titleEnd))) take(piece, facts);
  return facts.price === null ? null : facts;
}

function pieces(text: string): string[] {
  return text
    .replace(/^[.\s]+/, '')
    .split(/\.\s+|\.$/)
    .map((piece) => piece.trim())
    .filter(Boolean);
}

function take(piece: string, facts: LabelFacts): void {
  const old = OLD_PRICE.exec(piece)?.[1];
  const price = old === undefined ? (PRICE.exec(piece)?.[1] ?? PRICE_NOW.exec(piece)?.[1]) : undefined;
  const rated = RATED.exec(piece)?.[1];
  const reviews = REVIEWS.exec(piece)?.[1];
  const condition = CONDITION.exec(piece)?.[1];
  if (old !== undefined) facts.oldPrice ??= old;
  else if (price !== undefined) facts.price ??= price;
  else if (rated !== undefined) facts.rating = Number(rated);
  else if (reviews !== undefined) facts.reviews = parseReviewCount(reviews);
  else if (condition !== undefined) facts.condition = /refurbished|renewed/i.test(condition) ? 'refurbished' : 'used';
  else if (BADGE.test(piece)) facts.badges.push(piece);
  else if (facts.seller !== null || LINE.test(piece)) facts.lines.push(piece);
  // The first piece behind the price that is none of these names the seller.
  else if (facts.price !== null) facts.seller = piece.replace(/(?:&|\band) more$/i, '').trimEnd();
}

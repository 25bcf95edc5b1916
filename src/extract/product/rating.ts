// Ratings and review counts as pages show them. A rating is out of five; "(1.8K)" is marked as rounded.
// What a reader would get wrong: the number in front is not always the rating (`2 reviews, 4.5 out of 5`), and "4 of 5 stars" is not "4 of 5
// questions answered": a bare number counts only when it stands alone.
import { all, attr, type Element, text } from '../html/html.ts';

export interface Rating {
  value: number;
  /** The best one can get, where the page says so. */
  best: number | null;
}

const N = String.raw`(\d{1,3}(?:[.,]\d{1,4})?)`;
const OUT_OF = new RegExp(
  `${N}\\s{0,9}(?:(?:stars?|étoiles?|sterne|/|out of|of|von|sur|su|de|van|av|z|из|trên|☆|★)\\s{0,9}){1,3}(?:a possible |maximum |max\\.? )?(\\d{1,3})(?:[.,]0{1,4})?(?![\\d.,]{0,9}\\d)`,
  'iu',
);
const BEST_FIRST = new RegExp(`(\\d{1,3})\\s*(?:つ星のうち|点中|分满分|中)\\s*${N}`, 'u');
const NAMED = new RegExp(
  `(?:rating|rated|average|score|bewertung|note|valoración|avaliação|оценка|рейтинг|estrellas|ster)[^\\d%]{0,24}${N}(?!\\s*(?:%|reviews?|ratings?|votes?|\\d))`,
  'iu',
);
const STARS = new RegExp(`${N}\\s*[- ]?(?:stars?|étoiles?|sterne|estrellas|estrelas|★|☆)`, 'iu');
const AVERAGE = new RegExp(`^\\P{L}*?${N}\\s*(?:average|avg|ø|durchschnitt|\\||\\(\\d+\\))`, 'iu');
const ALONE = new RegExp(`^[^\\p{L}\\d]*${N}[^\\p{L}\\d%]*$`, 'u');
const PERCENT = /^[^\p{L}\d]*(\d{1,3}(?:[.,]\d+)?)\s*%[^\p{L}\d]*$/u;

const MAX_CHARS = 500;

/** The rating a text states; null when it states none. */
export function parseRating(text: string | null | undefined): Rating | null {
  if (!text) return null;
  const shown = text.slice(0, MAX_CHARS);
  const outOf = OUT_OF.exec(shown);
  if (outOf) return checked(outOf[1]!, outOf[2]!);
  const bestFirst = BEST_FIRST.exec(shown);
  if (bestFirst) return checked(bestFirst[2]!, bestFirst[1]!);
  for (const form of [STARS, NAMED, AVERAGE, ALONE]) {
    const value = form.exec(shown)?.[1];
    if (value !== undefined) return checked(value, null);
  }
  const percent = PERCENT.exec(shown)?.[1];
  return percent === undefined ? null : checked(percent, '100');
}

function checked(value: string, best: string | null): Rating | null {
  const rating = { value: Number(value.replace(',', '.')), best: best === null ? null : Number(best) };
  // "5 out of 3 reviews": what stands behind is no best.
  if (rating.best !== null && rating.best < rating.value) rating.best = null;
  return rating.value <= 100 ? rating : null;
}

/** In steps of five: 9 of 10 is 4.5. A rating above five with no best is out of ten, or of a hundred. */
export function outOfFive({ value, best }: Rating): number {
  const top = best ?? (value <= 5 ? 5 : value <= 10 ? 10 : 100);
  return Math.round((Math.min(value, top) / top) * 5 * 100) / 100;
}

const ATTRIBUTES = [
  'content',
  'aria-label',
  'title',
  'alt',
  'data-rating',
  'data-score',
  'data-value',
  'value',
  'data-rate',
  'rating',
  'data-average',
];

/** The rating an element of a page shows, by what it says, its labels, or how full its stars are. */
export function ratingIn(element: Element): Rating | null {
  const elements = [element, ...all(element.children, '*').slice(0, 60)];
  const said = parseRating(text(element));
  if (said?.best) return said;
  for (const one of elements)
    for (const name of ATTRIBUTES) {
      const found = parseRating(attr(one, name));
      if (found) return said && said.value === found.value ? found : (said ?? found);
    }
  if (said) return said;
  for (const one of elements) {
    const width = /width\s*:\s*(\d{1,3}(?:\.\d+)?)\s*%/.exec(attr(one, 'style') ?? '')?.[1];
    if (width !== undefined) return checked(width, '100');
  }
  return null;
}

export interface ReviewCount {
  count: number;
  isRounded: boolean;
}

const COUNT = /(\d{1,3}(?:[ ,.\u00a0']\d{3})+|\d+(?:[.,]\d+)?)\s*(k|million|mil|tsd|tys|thousand|万|m)?\s*(\+)?/iu;
const SCALES: Record<string, number> = {
  k: 1e3,
  mil: 1e3,
  tsd: 1e3,
  tys: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  万: 1e4,
};

/** How many reviews `(1.8K)`, `9k+` or `19,204 reviews` are. */
export function parseReviewCount(shown: string | null | undefined): ReviewCount | null {
  const match = COUNT.exec((shown ?? '').slice(0, MAX_CHARS));
  if (!match) return null;
  const scale = SCALES[match[2]?.toLowerCase() ?? ''];
  if (scale === undefined) {
    const count = Number(match[1]!.replace(/\D/g, ''));
    return /[.,]\d{1,2}$/.test(match[1]!) || !Number.isSafeInteger(count)
      ? null
      : { count, isRounded: match[3] !== undefined };
  }
  const count = Math.round(Number(match[1]!.replace(',', '.')) * scale);
  return Number.isSafeInteger(count) ? { count, isRounded: true } : null;
}

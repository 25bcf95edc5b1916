// The size of a package from its name: `2 x 500 ml`, `12 pk / 12 fl oz cans`, `½ gallon`, `5 dozen-count`.
// What a reader would get wrong: a total in brackets is said twice, not packed twice; `2%` and `98 % lean` are no sizes; and `12 ct, 24 oz` of
// something solid usually gives the weight of all twelve, so it is not multiplied.
import type { Size, Unit } from './product.ts';
import { type Base, baseOf, ounceOf, UNIT_PATTERN, unitOf } from './units.ts';

const FRACTIONS: Record<string, number> = {
  '½': 1 / 2,
  '¼': 1 / 4,
  '¾': 3 / 4,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
  '⅛': 1 / 8,
  '⅜': 3 / 8,
  '⅝': 5 / 8,
  '⅞': 7 / 8,
};
const NUMBER = String.raw`(?:\d+\s+)?\d+\/[234568](?![\d.])|\d*\s?[½¼¾⅓⅔⅛⅜⅝⅞]|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+|half`;
const MEASURE = new RegExp(
  `(?<=^|[^\\p{L}\\d.,/$€£]|\\d[x×*/])(${NUMBER})\\s?-?\\s?(${UNIT_PATTERN})\\.?(?![\\p{L}%])`,
  'giu',
);
/** `6 x 32 oz`, `6/32 oz`; `pack of 6`; a count before what is packed. */
const TIMES = /(?<![\d.,/])(\d{1,3})\s*(?:x|×|\*|\/)\s*$/iu;
const PACK_OF = /(?:pack|case|box|set|bag)s?\s+of\s+(\d{1,3})(?!\d)/iu;

interface Measure {
  value: number;
  unit: Unit;
  isPack: boolean;
  isFraction: boolean;
  /** `6 x` before it. */
  times: number | null;
  text: string;
  at: number;
}

const MAX_CHARS = 1_000;
const CONFIDENCE = { pack: 0.9, fraction: 0.9, plain: 0.85, doubtful: 0.6 };

/** The size a name states; null when it states none. The title decides what `oz` is when the size stands apart from it. */
export function parseSize(text: string, title: string = text): Size | null {
  const measures = measuresIn(text.slice(0, MAX_CHARS));
  const amounts = measures.filter((m) => m.unit !== 'ct');
  const counts = measures.filter((m) => m.unit === 'ct');
  const each = amounts.find((m) => m.times !== null) ?? amounts[0];
  const packOf = Number(PACK_OF.exec(text.slice(0, MAX_CHARS))?.[1] ?? 0);
  if (!each) return countOnly(counts, packOf, text);

  const { count, confidence } = packing(each, amounts, counts, packOf);
  const ounce = each.unit === 'oz' ? ounceOf(title) : null;
  return {
    value: round(each.value),
    unit: ounce === 'fl oz' ? 'fl oz' : each.unit,
    count,
    is_ambiguous: ounce === 'ambiguous',
    confidence: ounce === 'fl oz' ? Math.min(confidence, 0.8) : confidence,
    text: each.times === null ? each.text : `${each.times} x ${each.text}`,
  };
}

function packing(
  each: Measure,
  amounts: Measure[],
  counts: Measure[],
  packOf: number,
): { count: number; confidence: number } {
  if (each.times !== null) return { count: each.times, confidence: CONFIDENCE.pack };
  const plain = each.isFraction ? CONFIDENCE.fraction : CONFIDENCE.plain;
  const pack = counts.find((m) => m.isPack) ?? counts[0];
  const count = packOf || (pack ? Math.round(pack.value * (pack.times ?? 1)) : 1);
  if (count <= 1) return { count: 1, confidence: plain };
  // `24 x …` said as a total too: `2 l, 4 pack, 8 l`.
  const isLiquid = baseOf(each.unit).base === 'ml';
  if (packOf > 0 || pack?.isPack || isLiquid)
    return { count, confidence: amounts.length > 2 ? CONFIDENCE.doubtful : CONFIDENCE.pack };
  return { count: 1, confidence: CONFIDENCE.doubtful };
}

function countOnly(counts: Measure[], packOf: number, text: string): Size | null {
  const [first, second] = counts;
  if (!first) return packOf > 0 ? sizeOfCount(1, packOf, CONFIDENCE.pack, PACK_OF.exec(text)![0]) : null;
  const pieces = Math.round(first.value * (first.times ?? 1));
  if (pieces < 1) return null;
  // `12 pack, 24 ct` may be 24 or 288: the pieces are said last, and a pack of them is not multiplied on a guess.
  const said = first.isPack && second ? second : first;
  return sizeOfCount(
    1,
    said === first ? pieces : Math.round(said.value),
    second ? CONFIDENCE.doubtful : CONFIDENCE.plain,
    said.text,
  );
}

const sizeOfCount = (value: number, count: number, confidence: number, text: string): Size => ({
  value,
  unit: 'ct',
  count: Math.max(1, count),
  is_ambiguous: false,
  confidence,
  text,
});

function measuresIn(text: string): Measure[] {
  const found: Measure[] = [];
  for (const match of text.matchAll(MEASURE)) {
    const unit = unitOf(match[2]!);
    const value = numberOf(match[1]!);
    if (!unit || !(value > 0) || value > 1e6) continue;
    // `2 x 500 ml`: the 2 is not "2 pieces".
    if (/^[x×]$/i.test(match[2]!)) continue;
    const times = TIMES.exec(text.slice(0, match.index))?.[1];
    found.push({
      value: value * unit.factor,
      unit: unit.unit,
      isPack: unit.isPack,
      isFraction: /[/½¼¾⅓⅔⅛⅜⅝⅞]|half/i.test(match[1]!),
      times: times === undefined || Number(times) < 1 ? null : Number(times),
      text: match[0].trim(),
      at: match.index,
    });
  }
  return found;
}

function numberOf(written: string): number {
  const text = written.trim().toLowerCase();
  if (text === 'half') return 0.5;
  const sign = FRACTIONS[text.at(-1)!];
  if (sign !== undefined) return Number(text.slice(0, -1).trim() || 0) + sign;
  const [, whole, top, bottom] = /^(?:(\d+)\s+)?(\d+)\/(\d)$/.exec(text) ?? [];
  if (top !== undefined) return Number(whole ?? 0) + Number(top) / Number(bottom);
  if (/^\d{1,3}(,\d{3})+/.test(text)) return Number(text.replaceAll(',', ''));
  return Number(text.replace(',', '.'));
}

/** Grams, millilitres, pieces or metres; `oz` where nobody can say whether ounces are weight or volume. */
export interface StatedAmount {
  amount: number;
  base: Base | 'oz';
}

/** Everything a name states as an amount, without a guess at how they belong together, and the name without it. */
export function statedAmounts(text: string): { amounts: StatedAmount[]; rest: string } {
  const amounts: StatedAmount[] = [];
  const cuts: [number, number][] = [];
  const pack = PACK_OF.exec(text);
  if (pack) {
    amounts.push({ amount: Number(pack[1]), base: 'ct' });
    cuts.push([pack.index, pack.index + pack[0].length]);
  }
  for (const { value, unit, times, text: written, at } of measuresIn(text)) {
    const ounce = unit === 'oz' ? ounceOf(text) : unit;
    const { base, factor } = baseOf(ounce === 'ambiguous' ? 'oz' : ounce);
    amounts.push(ounce === 'ambiguous' ? { amount: value, base: 'oz' } : { amount: value * factor, base });
    if (times !== null) amounts.push({ amount: times, base: 'ct' });
    const before = TIMES.exec(text.slice(0, at));
    cuts.push([before === null ? at : before.index, at + written.length]);
  }
  let rest = '';
  let from = 0;
  for (const [start, end] of cuts.sort((a, b) => a[0] - b[0])) {
    rest += `${text.slice(from, Math.max(from, start))} `;
    from = Math.max(from, end);
  }
  return { amounts, rest: rest + text.slice(from) };
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** All pieces together in grams, millilitres, pieces or metres; null while nobody can say which. */
export function totalOf(size: Size): { amount: number; base: Base } | null {
  if (size.is_ambiguous) return null;
  const { base, factor } = baseOf(size.unit);
  return { amount: size.value * size.count * factor, base };
}

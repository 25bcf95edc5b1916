// Compares what a task brought with what the runs before it brought, by the rules. Pure.
import type { Kind } from '../item/item.ts';
import type { Measure } from './measure.ts';
import type { QualityRule } from './rules.ts';

/** In order: of several the last counts. */
export const QUALITY_VERDICTS = ['succeeded', 'succeeded_with_warnings', 'suspect'] as const;
export type QualityVerdict = (typeof QUALITY_VERDICTS)[number];

export interface QualityFinding {
  rule: string;
  /** The selector, or the field and path of a mapping, that finds less than it did. */
  selector?: string;
  verdict: Exclude<QualityVerdict, 'succeeded'>;
  /** What it is now, and the median of the runs before; null where there were none. */
  value: number;
  expected: number | null;
  /** How many runs before it was compared with. */
  runs: number;
  message: string;
  /** The items were kept apart because of it. */
  held: boolean;
}

export interface Judged {
  verdict: QualityVerdict;
  findings: QualityFinding[];
}

/** So many runs of the same parameters are compared with, and from so many on. */
export const HISTORY_RUNS = 10;
const HISTORY_MIN = 3;
/** Shares and lengths of fewer items are left alone. */
const ITEMS_MIN = 10;
/** Standard errors that chance may cause. */
const CHANCE = 2;

const VALUES: Record<string, (measure: Measure) => number | null> = {
  items: ({ items }) => items,
  refused: ({ items, refused }) => part(refused, items + refused),
  duplicates: ({ items, duplicates }) => part(duplicates, items),
  title_length: ({ items, title_chars }) => part(title_chars, items),
  text_length: ({ items, text_chars }) => part(text_chars, items),
};

const part = (some: number, of: number): number | null => (of < ITEMS_MIN ? null : some / of);

const measuredBy = (rule: QualityRule, measure: Measure): number | null =>
  VALUES[rule.name]?.(measure) ?? (rule.name in VALUES ? null : part(measure.filled[rule.name] ?? 0, measure.items));

export function judge(
  kind: Kind,
  measure: Measure,
  history: readonly Measure[],
  rules: readonly QualityRule[],
): Judged {
  const findings = rules.flatMap((rule) => {
    if (rule.kind !== 'any' && rule.kind !== kind) return [];
    return rule.name === SELECTORS
      ? selectorFindings(rule, measure, history)
      : (findingOf(rule, measure, history) ?? []);
  });
  return { findings, verdict: worst(findings.map((finding) => finding.verdict)) };
}

export const worst = (verdicts: readonly QualityVerdict[]): QualityVerdict =>
  QUALITY_VERDICTS.findLast((verdict) => verdicts.includes(verdict)) ?? 'succeeded';

/** Whether these items, which are some of a task's, have to be kept apart: only shares can be told from a part. */
export const isHeld = (
  kind: Kind,
  measure: Measure,
  history: readonly Measure[],
  rules: readonly QualityRule[],
): boolean =>
  judge(
    kind,
    measure,
    history,
    rules.filter((rule) => rule.isHeld && rule.name !== 'items'),
  ).verdict === 'suspect';

function findingOf(rule: QualityRule, measure: Measure, history: readonly Measure[]): QualityFinding | null {
  const value = measuredBy(rule, measure);
  if (value === null) return null;
  const before = history.flatMap((one) => measuredBy(rule, one) ?? []);
  const hasHistory = before.length >= HISTORY_MIN;
  if (!hasHistory && !rule.needsNoHistory) return null;
  const expected = hasHistory ? median(before) : null;
  // Of a handful half is one or two: no reason to wake anybody.
  if (rule.unit === 'ratio' && (expected ?? 0) < ITEMS_MIN) return null;
  const verdict =
    rule.unit === 'share' ? byShare(rule, value, expected ?? 0, measure.items) : byRatio(rule, value, expected!);
  if (verdict === 'succeeded') return null;
  return {
    rule: rule.name,
    verdict,
    value: rounded(value),
    expected: expected === null ? null : rounded(expected),
    runs: before.length,
    message: sentence(rule, value, expected),
    held: rule.isHeld && verdict === 'suspect',
  };
}

const SELECTORS = 'selectors';

/** Each selector by itself: the finding names it. */
function selectorFindings(rule: QualityRule, measure: Measure, history: readonly Measure[]): QualityFinding[] {
  return Object.entries(measure.yields ?? {}).flatMap(([selector, { rows, found }]) => {
    const value = part(found, rows);
    const before = history.flatMap(({ yields }) => {
      const one = yields?.[selector];
      return one ? (part(one.found, one.rows) ?? []) : [];
    });
    if (value === null || before.length < HISTORY_MIN) return [];
    const expected = median(before);
    const verdict = byShare(rule, value, expected, rows);
    if (verdict === 'succeeded') return [];
    return {
      rule: SELECTORS,
      selector,
      verdict,
      value: rounded(value),
      expected: rounded(expected),
      runs: before.length,
      message: `“${selector}” found something in ${percent(value)} of ${rows} rows, usually ${percent(expected)}`,
      held: rule.isHeld && verdict === 'suspect',
    };
  });
}

function byShare(rule: QualityRule, value: number, expected: number, items: number): QualityVerdict {
  const far =
    rule.wrong === 'less' ? expected - value : rule.wrong === 'more' ? value - expected : Math.abs(value - expected);
  const chance = CHANCE * Math.sqrt((expected * (1 - expected)) / Math.max(items, 1));
  if (far > rule.suspect + chance) return 'suspect';
  // A field that few items have cannot fall far: gone altogether is suspicious by itself.
  return far > rule.warn + chance || (rule.wrong !== 'more' && value === 0 && expected > rule.warn && far > chance)
    ? 'succeeded_with_warnings'
    : 'succeeded';
}

function byRatio(rule: QualityRule, value: number, expected: number): QualityVerdict {
  const less = value / expected;
  const more = value === 0 ? 1 : expected / value;
  const left = rule.wrong === 'less' ? less : rule.wrong === 'more' ? more : Math.min(less, more);
  return left < rule.suspect ? 'suspect' : left < rule.warn ? 'succeeded_with_warnings' : 'succeeded';
}

const percent = (value: number): string => `${Math.round(value * 100)} %`;

function sentence({ name, unit }: QualityRule, value: number, expected: number | null): string {
  const usual = (shown: string): string => (expected === null ? '' : `, usually ${shown}`);
  if (name === 'items') return `${value} items${usual(String(rounded(expected ?? 0)))}`;
  if (unit === 'ratio')
    return `${name.replace('_', ' ')} of ${Math.round(value)} characters${usual(String(Math.round(expected ?? 0)))}`;
  const shown = percent(expected ?? 0);
  if (name === 'refused') return `${percent(value)} of the rows could not be read${usual(shown)}`;
  if (name === 'duplicates') return `${percent(value)} of the items came more than once${usual(shown)}`;
  return `${percent(value)} of the items have ${name}${usual(shown)}`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

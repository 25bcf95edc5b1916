import { describe, expect, test } from 'vitest';
import { isHeld, judge } from './judge.ts';
import { addMeasure, type Measure, newMeasure } from './measure.ts';
import { isQualityChange, QUALITY_RULES, qualityRules } from './rules.ts';
import { YIELDS_MAX } from './yields.ts';

const measure = (items: number, shares: Record<string, number> = {}, more: Partial<Measure> = {}): Measure => ({
  ...newMeasure(),
  items,
  filled: Object.fromEntries(Object.entries(shares).map(([field, share]) => [field, Math.round(items * share)])),
  title_chars: items * 30,
  text_chars: items * 2_000,
  ...more,
});
const USUAL = { company: 1, location: 0.95, salary: 0.4, description: 1 };
const history = Array.from({ length: 5 }, () => measure(40, USUAL));
const named = (now: Measure, before = history) =>
  judge('posting', now, before, QUALITY_RULES).findings.map(({ rule, verdict }) => `${rule} ${verdict}`);

describe('judging a task by the runs before', () => {
  test('what is as before is fine', () => {
    expect(judge('posting', measure(38, USUAL), history, QUALITY_RULES)).toEqual({
      verdict: 'succeeded',
      findings: [],
    });
  });

  test('a selector that finds nothing any more is named; another one in its place has no history', () => {
    const withYields = (yields: Measure['yields']) => measure(40, USUAL, { yields });
    const before = history.map(() =>
      withYields({ 'title: h2': { rows: 40, found: 40 }, 'pay: .pay': { rows: 40, found: 12 } }),
    );
    const now = withYields({
      'title: h2': { rows: 40, found: 1 },
      'pay: .pay': { rows: 40, found: 11 },
      'place: .x': { rows: 40, found: 0 },
    });
    const { verdict, findings } = judge('posting', now, before, QUALITY_RULES);
    expect(verdict).toBe('suspect');
    expect(findings).toMatchObject([
      { rule: 'selectors', selector: 'title: h2', verdict: 'suspect', value: 0.025, expected: 1, held: false },
    ]);
    expect(judge('posting', now, before, qualityRules(['*.selectors=off'])('static')).findings).toEqual([]);
    expect(
      judge('posting', withYields({ 'title: h2': { rows: 9, found: 0 } }), before, QUALITY_RULES).findings,
    ).toEqual([]);
  });

  test('a field that most items had and none has now is suspect, and its items are kept apart', () => {
    const now = measure(40, { ...USUAL, company: 0 });
    const { verdict, findings } = judge('posting', now, history, QUALITY_RULES);
    expect(verdict).toBe('suspect');
    expect(findings).toEqual([
      {
        rule: 'company',
        verdict: 'suspect',
        value: 0,
        expected: 1,
        runs: 5,
        message: '0 % of the items have company, usually 100 %',
        held: true,
      },
    ]);
    expect(isHeld('posting', now, history, QUALITY_RULES)).toBe(true);
  });

  test('a field that some items had is missed with a warning', () => {
    expect(named(measure(40, { ...USUAL, salary: 0 }))).toEqual(['salary succeeded_with_warnings']);
  });

  test('chance is no finding: a share of a few items may be off by much', () => {
    const few = Array.from({ length: 5 }, () => measure(10, { salary: 0.5 }));
    expect(named(measure(10, { salary: 0.1 }), few)).toEqual([]);
    const many = Array.from({ length: 5 }, () => measure(1_000, { salary: 0.5 }));
    expect(named(measure(1_000, { salary: 0.1 }), many)).toEqual(['salary succeeded_with_warnings']);
  });

  test('far fewer items, longer titles and shorter texts are noticed', () => {
    expect(named(measure(15, USUAL))).toEqual(['items succeeded_with_warnings']);
    expect(named(measure(0))).toEqual(['items suspect']);
    expect(named(measure(40, USUAL, { title_chars: 40 * 150 }))).toEqual(['title_length suspect']);
    expect(named(measure(40, USUAL, { text_chars: 40 * 500 }))).toEqual(['text_length succeeded_with_warnings']);
  });

  test('without runs before, only what is wrong by itself is found', () => {
    expect(named(measure(40, {}, { refused: 60, duplicates: 20 }), history.slice(0, 2))).toEqual([
      'refused suspect',
      'duplicates succeeded_with_warnings',
    ]);
    expect(isHeld('posting', measure(40), [], QUALITY_RULES)).toBe(false);
  });

  test('fewer than ten items are left alone', () => {
    const few = Array.from({ length: 5 }, () => measure(8, USUAL));
    expect(named(measure(3), few)).toEqual([]);
  });
});

test('rules are changed by source and for all, and the source counts more', () => {
  const rules = qualityRules(['*.company=0.5/0.9/store', 'indeed.company=off', '*.items=0.1/0.05']);
  const of = (source: string, name: string) =>
    rules(source).find((rule) => rule.name === name && rule.kind !== 'article');
  expect(of('linkedin', 'company')).toMatchObject({ warn: 0.5, suspect: 0.9, isHeld: false });
  expect(of('indeed', 'company')).toBeUndefined();
  expect(of('indeed', 'items')).toMatchObject({ warn: 0.1, suspect: 0.05 });
  expect(of('indeed', 'location')).toEqual(QUALITY_RULES.find((rule) => rule.name === 'location'));
  expect(['indeed.company=off', '*.price=0.2/0.6/hold'].every(isQualityChange)).toBe(true);
  expect(['company=off', 'indeed.colour=off', 'indeed.company=1', '*.price=0.2/0.6/keep'].some(isQualityChange)).toBe(
    false,
  );
});

test('measures add up', () => {
  const sum = newMeasure();
  addMeasure(sum, measure(10, { company: 1 }));
  addMeasure(sum, measure(30, { company: 0.5, salary: 1 }, { refused: 2 }));
  expect(sum).toEqual({ ...measure(40, {}), filled: { company: 25, salary: 30 }, refused: 2 });
});

test('yields of selectors add up, within a number of names', () => {
  const sum = newMeasure();
  addMeasure(sum, { ...newMeasure(), yields: { a: { rows: 3, found: 1 } } });
  addMeasure(sum, { ...newMeasure(), yields: { a: { rows: 2, found: 2 }, b: { rows: 1, found: 0 } } });
  expect(sum.yields).toEqual({ a: { rows: 5, found: 3 }, b: { rows: 1, found: 0 } });
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`s${n}`, { rows: 1, found: 1 }]));
  addMeasure(sum, { ...newMeasure(), yields: many });
  expect(Object.keys(sum.yields ?? {})).toHaveLength(YIELDS_MAX);
});

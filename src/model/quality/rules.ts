// When the items of a task look wrong, as data: what is compared with the runs before, how far it may be from them, and what follows. `QUALITY_RULES` changes
// a rule for one source or for all.

import { KINDS, type Kind } from '../item/item.ts';
import { qualityFields } from '../item/item-quality.ts';

export interface QualityRule {
  /** The name of a field, or of one of the measures below. */
  name: string;
  kind: Kind | 'any';
  /** `share`: of the items, from 0 to 1. `ratio`: to what it was before. */
  unit: 'share' | 'ratio';
  /** In which direction it is wrong. */
  wrong: 'less' | 'more' | 'both';
  /**
   * How far it may go, until there is a warning, and until it is suspect. A share: by how much it may fall or rise, besides the chance of small numbers. A
   * ratio: what has to be left of it (0.5 is half; the other way round, twice as much).
   */
  warn: number;
  suspect: number;
  /** Where this is suspect, the items are kept apart instead of being stored. */
  isHeld: boolean;
  /** Compared with nothing where there are no runs before. */
  needsNoHistory?: boolean;
}

const share = { unit: 'share', isHeld: false } as const;
const ratio = { unit: 'ratio', isHeld: false } as const;

const MEASURES: readonly QualityRule[] = [
  { name: 'items', kind: 'any', ...ratio, wrong: 'less', warn: 0.5, suspect: 0.2 },
  { name: 'refused', kind: 'any', ...share, wrong: 'more', warn: 0.1, suspect: 0.5, needsNoHistory: true },
  { name: 'duplicates', kind: 'any', ...share, wrong: 'more', warn: 0.3, suspect: 0.7, needsNoHistory: true },
  { name: 'title_length', kind: 'any', ...ratio, wrong: 'both', warn: 0.5, suspect: 0.25 },
  { name: 'selectors', kind: 'any', ...share, wrong: 'less', warn: 0.3, suspect: 0.6 },
  { name: 'text_length', kind: 'any', ...ratio, wrong: 'both', warn: 0.4, suspect: 0.1 },
];

/** Without these an item is of little use: one that had them would be overwritten by one that has not. */
const KEY_FIELDS: Record<Kind, readonly string[]> = {
  posting: ['company', 'location', 'description'],
  product: ['price'],
  article: ['title', 'content'],
};

const fieldRule = (kind: Kind, name: string): QualityRule => {
  const isKey = KEY_FIELDS[kind].includes(name);
  return { name, kind, unit: 'share', wrong: 'less', warn: isKey ? 0.15 : 0.3, suspect: 0.6, isHeld: isKey };
};

export const QUALITY_RULES: readonly QualityRule[] = [
  ...MEASURES,
  ...KINDS.flatMap((kind) => qualityFields(kind).map((name) => fieldRule(kind, name))),
];

const NAMES = new Set(QUALITY_RULES.map((rule) => rule.name));
const CHANGE =
  /^([a-z0-9][a-z0-9_-]{0,63}|\*)\.([a-z_]{1,40})=(off|(\d(?:\.\d{1,4})?)\/(\d(?:\.\d{1,4})?)(?:\/(hold|store))?)$/;

/** `source.rule=warn/suspect`, with `/hold` or `/store` behind it, or `source.rule=off`; `*` is every source. */
export function isQualityChange(entry: string): boolean {
  const [, , name = ''] = CHANGE.exec(entry) ?? [];
  return NAMES.has(name);
}

/** The rules for a source: those that name it count more than those for all. */
export function qualityRules(changes: readonly string[]): (source: string) => readonly QualityRule[] {
  const parsed = changes.flatMap((entry) => {
    const [, of = '', name = '', , warn, suspect, kept] = CHANGE.exec(entry) ?? [];
    return of === '' ? [] : [{ of, name, warn, suspect, kept }];
  });
  if (parsed.length === 0) return () => QUALITY_RULES;
  const known = new Map<string, readonly QualityRule[]>();
  const made = (source: string): readonly QualityRule[] =>
    QUALITY_RULES.flatMap((rule) => {
      const ours = parsed.filter(({ of, name }) => name === rule.name && (of === source || of === '*'));
      const change = ours.findLast(({ of }) => of === source) ?? ours.at(-1);
      if (!change) return [rule];
      if (change.warn === undefined) return [];
      const isHeld = change.kept === undefined ? rule.isHeld : change.kept === 'hold';
      return [{ ...rule, warn: Number(change.warn), suspect: Number(change.suspect), isHeld }];
    });
  return (source) => {
    const rules = known.get(source) ?? made(source);
    // Names come with reports.
    if (known.size < 1_000) known.set(source, rules);
    return rules;
  };
}

// What postings ask for and offer, sentence by sentence in eight languages: years, degree, visa sponsorship, contract, hours. A sentence is right when all of
// its fields are, and "invented" counts sentences with a field that is not in them.
import { requirementsOf } from '../../../src/extract/posting/requirements/requirements.ts';
import type { Measure } from '../quality.ts';
import { measure, ownRows } from './rows.ts';
import { SPLITS } from './splits.ts';

interface Row {
  lang: string;
  text: string;
  /** Only what the sentence says: `experience_years` as `min/max`, lists joined by `+`. */
  expect: Partial<Record<Field, string | boolean>>;
}

const FIELDS = ['experience_years', 'degree', 'visa_sponsorship', 'contract_kinds', 'job_types'] as const;
type Field = (typeof FIELDS)[number];

export const requirementMeasures = (showMisses: boolean): Measure[] =>
  Object.entries(SPLITS.requirements).flatMap(([file, split]) =>
    measure({
      set: 'requirements: sentences in eight languages',
      split,
      rows: ownRows<Row>(file),
      showMisses,
      judge: ({ text, expect }) => {
        const found = flat(text);
        const wrong = FIELDS.filter((field) => found[field] !== (expect[field] ?? null));
        const note = wrong.map((field) => `${field} ${found[field]}, not ${expect[field] ?? null}`).join(', ');
        return {
          isRight: wrong.length === 0,
          isPeerRight: null,
          isInvented: wrong.some((field) => expect[field] === undefined),
          note: `${text}: ${note}`,
        };
      },
    }),
  );

function flat(text: string): Record<Field, string | boolean | null> {
  const { experience_years: years, degree, visa_sponsorship, contract_kinds, job_types } = requirementsOf(text);
  return {
    experience_years: years && `${years.min ?? '-'}/${years.max ?? '-'}`,
    degree,
    visa_sponsorship,
    contract_kinds: contract_kinds.join('+') || null,
    job_types: job_types.join('+') || null,
  };
}

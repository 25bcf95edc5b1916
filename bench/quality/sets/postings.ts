// Fields of postings read out of words: pay, places, levels, years of experience. Labelled strings of others where they are, and our own.
import { experienceYears } from '../../../src/extract/posting/experience.ts';
import { seniorityOfTitle } from '../../../src/extract/posting/seniority.ts';
import { payMeasures } from '../postings/pay.ts';
import { placeMeasures } from '../postings/places.ts';
import { requirementMeasures } from '../postings/requirements.ts';
import { corpus, measure, ownRows } from '../postings/rows.ts';
import { SPLITS } from '../postings/splits.ts';
import type { Measure, QualitySet } from '../quality.ts';

export const postings: QualitySet = {
  name: 'postings',
  async measure(_parts, { showMisses }) {
    return [
      ...payMeasures(showMisses),
      ...placeMeasures(showMisses),
      ...levelMeasures(showMisses),
      ...yearMeasures(showMisses),
      ...requirementMeasures(showMisses),
    ];
  },
};

// The corpus knows fewer levels: it has vice presidents and heads among the executives, and one junior.
const LEVEL_OF_CORPUS: Record<string, string> = { vp: 'executive', junior: 'entry' };
const levelOfCorpus = (level: string) => LEVEL_OF_CORPUS[level] ?? level;

const levelMeasures = (showMisses: boolean): Measure[] => [
  ...measure({
    set: 'seniority: titles',
    split: 'tuned',
    rows: corpus<{ title: string; level: string }>('level.jsonl').filter((row) => row.title !== undefined),
    showMisses,
    judge: ({ title, level }) => {
      const found = seniorityOfTitle(title);
      return {
        isRight: levelOfCorpus(found) === levelOfCorpus(level),
        isPeerRight: null,
        note: `${title}: ${found}, not ${level}`,
      };
    },
  }),
  ...Object.entries(SPLITS.levels).flatMap(([file, split]) =>
    measure({
      set: 'seniority: titles in seven languages',
      split,
      rows: ownRows<{ title: string; level: string }>(file),
      showMisses,
      judge: ({ title, level }) => {
        const found = seniorityOfTitle(title);
        return {
          isRight: found === level,
          isPeerRight: null,
          ...(level === 'unknown' && { isInvented: found !== 'unknown' }),
          note: `${title}: ${found}, not ${level}`,
        };
      },
    }),
  ),
];

interface YearsRow {
  text: string;
  expect: { min: number | null; max: number | null } | null;
  src: string;
}

const yearMeasures = (showMisses: boolean): Measure[] =>
  measure({
    set: 'years of experience: English postings',
    split: 'tuned',
    rows: corpus<YearsRow>('years_of_experience_en.jsonl').filter((row) => row.text !== undefined),
    showMisses,
    judge: ({ text, expect, src }) => {
      const found = experienceYears(text);
      const floor = (n: number | null | undefined) => (n === null || n === undefined ? null : Math.floor(n));
      return {
        isRight: floor(found?.min) === floor(expect?.min) && floor(found?.max) === floor(expect?.max),
        isPeerRight: null,
        ...(expect === null && { isInvented: found !== null }),
        note: `${src}: ${found?.min}-${found?.max}, not ${expect?.min}-${expect?.max}`,
      };
    },
  });

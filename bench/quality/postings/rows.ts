// Labelled strings of the sets for postings: made-up ones beside this file's folder, real ones of ../shared/fixtures/jobs/corpora where they are.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Measure } from '../quality.ts';

const CORPORA = resolve(import.meta.dirname, '../../../../shared/fixtures/jobs/corpora');
const OWN = resolve(import.meta.dirname, '../data');

/** Rows of a file in bench/quality/data. */
export const ownRows = <Row>(file: string): Row[] => read(join(OWN, file));
/** Empty where the corpora are not. */
export const corpus = <Row>(file: string): Row[] => read(join(CORPORA, file));

function read<Row>(path: string): Row[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}

export interface Outcome {
  isRight: boolean;
  /** Null where no port of the peer's rule exists. */
  isPeerRight: boolean | null;
  /** Something was found where nothing is. */
  isInvented?: boolean;
  isPeerInvented?: boolean;
  /** What was found, and what had to be. */
  note: string;
}

export interface Judged<Row> {
  set: string;
  split: string;
  rows: Row[];
  judge(row: Row): Outcome;
  /** Prints what is wrong. */
  showMisses: boolean;
}

/** Share of right answers, and of the rows with nothing in them those where something was invented. */
export function measure<Row>({ set, split, rows, judge, showMisses }: Judged<Row>): Measure[] {
  if (rows.length === 0) return [];
  const outcomes = rows.map(judge);
  if (showMisses) for (const { isRight, note } of outcomes) if (!isRight) console.error(`  ${set}, ${split}: ${note}`);
  const count = (is: (one: Outcome) => unknown) => outcomes.filter(is).length;
  const hasPeer = count((one) => one.isPeerRight !== null) > 0;
  const measures: Measure[] = [
    {
      set,
      split,
      items: rows.length,
      what: 'right',
      values: {
        windrow: count((one) => one.isRight) / rows.length,
        ...(hasPeer && { jobspy: count((one) => one.isPeerRight) / rows.length }),
      },
    },
  ];
  const empty = count((one) => one.isInvented !== undefined);
  if (empty > 0)
    measures.push({
      set,
      split,
      items: empty,
      what: 'invented',
      digits: 0,
      values: {
        windrow: count((one) => one.isInvented),
        ...(hasPeer && { jobspy: count((one) => one.isPeerInvented) }),
      },
    });
  return measures;
}

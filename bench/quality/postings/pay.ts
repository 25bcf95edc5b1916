// Pay in labels and in running text, beside JobSpy's rule. What a reader would get wrong: a set of `data/` was blind once, when its answers were first
// looked at; from then on its errors were mended, and it is tuned. The figure of that moment is in SPLITS.
import { parseSalary } from '../../../src/extract/salary/salary.ts';
import salaryTable from '../../../src/extract/salary/strings.test-table.json' with { type: 'json' };
import textTable from '../../../src/extract/salary/texts.test-table.json' with { type: 'json' };
import type { Measure } from '../quality.ts';
import { jobspySalary, type Pay } from './jobspy-rules.ts';
import { corpus, measure, ownRows } from './rows.ts';
import { SPLITS } from './splits.ts';

interface OwnRow {
  lang: string;
  country: string;
  text: string;
  /** `min/max/currency/interval`, `-` for what is not said; null where the text states no pay. */
  expect: string | null;
}

interface CorpusRow {
  text: string;
  expect: Pay | null;
  src: string;
}

type TextRow = Omit<OwnRow, 'expect'> & { expect: (Pay & { currency: string | null }) | null };

const written = (pay: (Pay & { currency?: string | null }) | null) =>
  pay === null ? null : `${pay.min ?? '-'}/${pay.max ?? '-'}/${pay.currency ?? '-'}/${pay.interval ?? '-'}`;

export function payMeasures(showMisses: boolean): Measure[] {
  const own = (split: string, rows: OwnRow[]) =>
    measure({
      set: 'pay: sentences in eight languages',
      split,
      rows,
      showMisses,
      judge: ({ text, country, expect }: OwnRow) => {
        const found = written(parseSalary(text, { country, strictness: 'text' }));
        const peer = jobspySalary(text);
        const peerFound = peer === null ? null : written({ ...peer, currency: 'USD' });
        return {
          isRight: found === expect,
          isPeerRight: peerFound === expect,
          ...(expect === null && { isInvented: found !== null, isPeerInvented: peer !== null }),
          note: `${text}: ${found}, not ${expect}`,
        };
      },
    });
  return [
    ...measure({
      set: 'pay: labels',
      split: 'tuned',
      rows: salaryTable as { text: string; country?: string; expected: string }[],
      showMisses,
      judge: ({ text, country, expected }) => {
        const wanted = expected === 'null' ? null : expected.replaceAll(' / ', '/');
        const found = written(parseSalary(text, { country: country ?? 'US' }));
        const peer = jobspySalary(text);
        return {
          isRight: found === wanted,
          isPeerRight: (peer && written({ ...peer, currency: 'USD' })) === wanted,
          ...(wanted === null && { isInvented: found !== null, isPeerInvented: peer !== null }),
          note: `${text}: ${found}, not ${wanted}`,
        };
      },
    }),
    ...measure({ ...corpusOf('pay: English postings', 'salary_en.jsonl', 'US'), showMisses }),
    ...measure({ ...corpusOf('pay: German postings', 'salary_de.jsonl', 'DE'), showMisses }),
    ...own(
      'tuned',
      (textTable as TextRow[]).map((row) => ({ ...row, expect: written(row.expect) })),
    ),
    ...Object.entries(SPLITS.pay).flatMap(([file, split]) => own(split, ownRows<OwnRow>(file))),
  ];
}

const near = (a: number | null, b: number | null) => a === b || (a !== null && b !== null && Math.abs(a - b) < 0.01);
const same = (a: Pay | null, b: Pay | null) =>
  a === null || b === null ? a === b : near(a.min, b.min) && near(a.max, b.max) && a.interval === b.interval;

const corpusOf = (set: string, file: string, country: string) => ({
  set,
  split: 'tuned',
  rows: corpus<CorpusRow>(file),
  judge: ({ text, expect, src }: CorpusRow) => {
    const found = parseSalary(text, { country, strictness: 'text' });
    // The German labels write a single value as a minimum, the English ones as both ends; ours is both ends.
    const isSingle = found !== null && expect !== null && expect.max === null && found.min === found.max;
    const told = isSingle ? { ...found, max: null } : found;
    const peer = jobspySalary(text);
    return {
      isRight: same(told, expect),
      isPeerRight: same(peer, expect),
      ...(expect === null && { isInvented: found !== null, isPeerInvented: peer !== null }),
      note: `${src}: ${written(told)}, not ${written(expect)}`,
    };
  },
});

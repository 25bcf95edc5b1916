// Scores the rules for postings on labelled strings: `node bench/postings/score.ts [--misses]`. The tables of the repository always, the corpora
// of ../shared/fixtures/jobs/corpora where they are. Next to each stands what JobSpy's rules make of the same strings.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { countryFrom, parseLocation } from '../../src/extract/location/location.ts';
import { experienceYears } from '../../src/extract/posting/experience.ts';
import { seniorityOfTitle } from '../../src/extract/posting/seniority.ts';
import { parseSalary } from '../../src/extract/salary/salary.ts';
import salaryTable from '../../src/extract/salary/strings.test-table.json' with { type: 'json' };
import { jobspyPlace, jobspySalary, type Pay } from './jobspy-rules.ts';

const CORPORA = resolve(import.meta.dirname, '../../../shared/fixtures/jobs/corpora');
const showMisses = process.argv.includes('--misses');

interface Outcome {
  isRight: boolean;
  isPeerRight: boolean | null;
  note: string;
}

function score<Row>(name: string, rows: Row[], judge: (row: Row) => Outcome): void {
  const outcomes = rows.map(judge);
  const share = (count: number) => (count / rows.length).toFixed(3);
  const peer = outcomes.some((one) => one.isPeerRight !== null)
    ? share(outcomes.filter((one) => one.isPeerRight).length)
    : '-';
  const ours = share(outcomes.filter((one) => one.isRight).length);
  console.log(`${name.padEnd(34)} rows ${String(rows.length).padStart(4)}   windrow ${ours}   jobspy ${peer}`);
  if (showMisses) for (const one of outcomes) if (!one.isRight) console.log(`    ${one.note}`);
}

function corpus<Row>(file: string): Row[] {
  const path = join(CORPORA, file);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

const show = (pay: Pay | null) => (pay ? `${pay.min ?? '-'} / ${pay.max ?? '-'} / ${pay.interval ?? '-'}` : 'null');
const near = (a: number | null, b: number | null) => a === b || (a !== null && b !== null && Math.abs(a - b) < 0.01);
const samePay = (a: Pay | null, b: Pay | null) =>
  a === null || b === null ? a === b : near(a.min, b.min) && near(a.max, b.max) && a.interval === b.interval;

score('salary table', salaryTable as { text: string; country?: string; expected: string }[], (row) => {
  const found = parseSalary(row.text, { country: row.country ?? 'US' });
  const shown = found ? `${found.min ?? '-'} / ${found.max ?? '-'} / ${found.currency} / ${found.interval}` : 'null';
  const peer = jobspySalary(row.text);
  const peerShown = peer ? `${peer.min} / ${peer.max} / USD / ${peer.interval}` : 'null';
  return {
    isRight: shown === row.expected,
    isPeerRight: peerShown === row.expected,
    note: `${row.text}: ${shown}, not ${row.expected}`,
  };
});

interface SalaryRow {
  text: string;
  expect: Pay | null;
  src: string;
}

for (const [name, file, country] of [
  ['salary, English windows', 'salary_en.jsonl', 'US'],
  ['salary, German windows', 'salary_de.jsonl', 'DE'],
] as const) {
  const rows = corpus<SalaryRow>(file);
  if (rows.length > 0)
    score(name, rows, ({ text, expect, src }) => {
      const found = parseSalary(text, { country, strictness: 'text' });
      // The German labels write a single value as a minimum, the English ones as both ends; ours is both ends.
      const isSingle = found !== null && expect !== null && expect.max === null && found.min === found.max;
      const told = isSingle ? { ...found, max: null } : found;
      return {
        isRight: samePay(told, expect),
        isPeerRight: samePay(jobspySalary(text), expect),
        note: `${src}: ${show(told)}, not ${show(expect)}   raw: ${found?.raw?.replaceAll('\n', ' ') ?? ''}`,
      };
    });
}

interface GeoRow {
  location_raw: string;
  country: string | null;
  city: string | null;
}

const geo = corpus<GeoRow>('geo.jsonl').filter((row) => row.location_raw !== undefined);
if (geo.length > 0)
  score('location, city and country', geo, ({ location_raw, country, city }) => {
    const place = parseLocation(location_raw).places[0];
    const wanted = { city, country: country === null ? null : countryFrom(country) };
    const same = (spot: { city: string | null; country: string | null }) =>
      fold(spot.city) === fold(wanted.city) && spot.country === wanted.country;
    const found = { city: place?.city ?? null, country: place?.country ?? null };
    const note = `${location_raw}: ${found.city ?? '-'} / ${found.country ?? '-'}, not ${wanted.city ?? '-'} / ${wanted.country ?? '-'}`;
    return { isRight: same(found), isPeerRight: same(jobspyPlace(location_raw, countryFrom)), note };
  });

function fold(name: string | null): string {
  return (name ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

interface LevelRow {
  title: string;
  level: string;
}

// The corpus knows fewer levels: it has vice presidents and heads among the executives, and one junior.
const LEVEL_OF_CORPUS: Record<string, string> = { vp: 'executive', junior: 'entry' };
const levels = corpus<LevelRow>('level.jsonl').filter((row) => row.title !== undefined);
if (levels.length > 0)
  score('seniority of titles', levels, ({ title, level }) => {
    const found = seniorityOfTitle(title);
    const isRight = (LEVEL_OF_CORPUS[found] ?? found) === (LEVEL_OF_CORPUS[level] ?? level);
    return { isRight, isPeerRight: null, note: `${title}: ${found}, not ${level}` };
  });

interface YearsRow {
  text: string;
  expect: { min: number | null; max: number | null } | null;
  src: string;
}

const years = corpus<YearsRow>('years_of_experience_en.jsonl').filter((row) => row.text !== undefined);
if (years.length > 0)
  score('years of experience', years, ({ text, expect, src }) => {
    const found = experienceYears(text);
    const floor = (n: number | null | undefined) => (n === null || n === undefined ? null : Math.floor(n));
    const isRight = floor(found?.min) === floor(expect?.min) && floor(found?.max) === floor(expect?.max);
    return {
      isRight,
      isPeerRight: null,
      note: `${src}: ${found?.min}-${found?.max}, not ${expect?.min}-${expect?.max}`,
    };
  });

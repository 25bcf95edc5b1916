// The labelled pages and the metric of the public benchmark, for training and cross-validation.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { getDomain } from 'tldts';

export interface LabelledPage {
  set: string;
  id: string;
  url: string;
  host: string;
  html: string;
  truth: string;
}

export const FIXTURES = process.env.WINDROW_FIXTURES ?? join(import.meta.dirname, '../../../shared/fixtures');
export const SETS = ['articles', 'articles-fields'];

export function loadPages(sets: string[] = SETS): LabelledPage[] {
  return sets.flatMap((set) => {
    const dir = join(FIXTURES, set);
    if (!existsSync(dir)) throw new Error(`no labelled pages at ${dir}; set WINDROW_FIXTURES`);
    const truth = JSON.parse(readFileSync(join(dir, 'truth.json'), 'utf8')) as Record<
      string,
      { url: string; articleBody: string }
    >;
    return Object.keys(truth)
      .sort()
      .map((id) => ({
        set,
        id,
        url: truth[id]!.url,
        host: getDomain(truth[id]!.url) ?? id,
        html: gunzipSync(readFileSync(join(dir, 'html', `${id}.html.gz`))).toString('utf8'),
        truth: truth[id]!.articleBody,
      }));
  });
}

const WORD = /[\p{L}\p{N}_]+/gu;
export const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

function shingles(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  if (words.length === 0) return counts;
  for (let i = 0; i < Math.max(1, words.length - 3); i++) {
    const key = words.slice(i, i + 4).join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export interface Score {
  precision: number | null;
  recall: number;
}

export function scorePage(truth: string, got: string): Score {
  const t = shingles(wordsOf(truth));
  const g = shingles(wordsOf(got));
  let hit = 0;
  let wanted = 0;
  let given = 0;
  for (const [key, n] of t) {
    wanted += n;
    hit += Math.min(n, g.get(key) ?? 0);
  }
  for (const n of g.values()) given += n;
  return { precision: given === 0 ? null : hit / given, recall: wanted === 0 ? 0 : hit / wanted };
}

export const pageF1 = (s: Score): number =>
  s.precision && s.recall ? (2 * s.precision * s.recall) / (s.precision + s.recall) : 0;

export function aggregate(scores: Score[]): { f1: number; precision: number; recall: number } {
  const mean = (v: number[]) => v.reduce((a, b) => a + b, 0) / Math.max(1, v.length);
  const precision = mean(scores.filter((s) => s.precision !== null).map((s) => s.precision!));
  const recall = mean(scores.map((s) => s.recall));
  return { f1: (2 * precision * recall) / (precision + recall || 1), precision, recall };
}

// The labelled pages and the metric of the public benchmark, for training and cross-validation.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { getDomain } from 'tldts';

/** Kinds of pages the labels know. */
export type LabelledKind = 'article' | 'documentation' | 'forum' | 'product' | 'service' | 'listing' | 'collection';

/** What a page is used for: weights are learned from `train`, choices made by `dev`, and `test` is scored once, at the end. */
export type Part = 'train' | 'dev' | 'test';

export interface LabelledPage {
  set: string;
  id: string;
  url: string;
  host: string;
  part: Part;
  kind: LabelledKind;
  html: string;
  truth: string;
  title?: string;
  author?: string;
  date?: string;
}

interface Label {
  url?: string;
  type?: LabelledKind;
  articleBody: string;
  title?: string;
  author?: string;
  date?: string;
}

export const FIXTURES = process.env.WINDROW_FIXTURES ?? join(import.meta.dirname, '../../../shared/fixtures');
/** `articles` has strict labels, `pages` looser ones of seven kinds; `articles-fields` is a part of `pages`. */
export const SETS = ['articles', 'pages'];

/** By the registrable domain, so that all pages of a site are in one part, whoever splits them and in whatever order. */
export function partOf(host: string): Part {
  const place = hostHash(host) % 100;
  return place < 20 ? 'test' : place < 40 ? 'dev' : 'train';
}

/** FNV-1a, mixed once more: alike hosts must not fall together. */
export function hostHash(host: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < host.length; i++) h = Math.imul(h ^ host.charCodeAt(i), 0x01000193) >>> 0;
  return Math.imul(h ^ (h >>> 15), 0x2c1b3c6d) >>> 8;
}

export function loadPages(sets: string[] = SETS, parts: Part[] = ['train', 'dev', 'test']): LabelledPage[] {
  return sets.flatMap((set) => {
    const dir = join(FIXTURES, set);
    if (!existsSync(dir)) throw new Error(`no labelled pages at ${dir}; set WINDROW_FIXTURES`);
    const truth = JSON.parse(readFileSync(join(dir, 'truth.json'), 'utf8')) as Record<string, Label>;
    return Object.keys(truth)
      .sort()
      .flatMap((id) => {
        const { url = '', type = 'article', articleBody, ...fields } = truth[id]!;
        const host = getDomain(url) ?? id;
        // No host of the strict set is in the test part of the other: all of it is learned from, and measured by cross-validation.
        const part = set === 'articles' ? 'train' : partOf(host);
        if (!parts.includes(part)) return [];
        const html = gunzipSync(readFileSync(join(dir, 'html', `${id}.html.gz`))).toString('utf8');
        return [{ set, id, url, host, part, kind: type, html, truth: articleBody, ...fields }];
      });
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

/** The other metric of articles: F1 over bare words in lower case, whatever their order. */
export function wordF1(truth: string, got: string): number {
  const wanted = wordsOf(truth.toLowerCase());
  const given = wordsOf(got.toLowerCase());
  if (wanted.length === 0 || given.length === 0) return wanted.length === given.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let hit = 0;
  for (const word of given) {
    const n = left.get(word) ?? 0;
    if (n > 0) hit++;
    left.set(word, n - 1);
  }
  return (2 * hit) / (wanted.length + given.length);
}

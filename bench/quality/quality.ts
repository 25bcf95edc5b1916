// What a set of `npm run quality` gives: one row a measure, ours and the peers side by side.
import type { Part } from '../../tools/article-model/pages.ts';

export type { Part };

/** What reads articles, ours first. */
export const ENGINES = ['windrow', 'readability', 'defuddle', 'contextractor'] as const;
export type Engine = (typeof ENGINES)[number];
/** Columns of the table. A set fills those it has a peer for; JobSpy's are of its rules for pay and places. */
export const COLUMNS = [...ENGINES, 'jobspy'] as const;
type Column = (typeof COLUMNS)[number];

/** What an engine gives of a page. */
export interface Reading {
  content: string;
  title?: string | null;
  author?: string | null;
  date?: string | null;
  kind?: string | null;
}

export type Extractor = (html: string, url: string | null) => Promise<Reading> | Reading;

export interface Measure {
  set: string;
  /** What the figures are of: a part of the labelled data, and whether ours has learned from it. */
  split: string;
  items: number;
  /** What is measured: `F1`, `title`, `pages per CPU-second`. */
  what: string;
  values: Partial<Record<Column, number>>;
  /** Digits behind the point. */
  digits?: number;
}

export interface SetOptions {
  /** Prints what was read wrongly, where a set knows it. */
  showMisses: boolean;
}

export interface QualitySet {
  name: string;
  measure(parts: Part[], options: SetOptions): Promise<Measure[]>;
}

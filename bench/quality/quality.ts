// What a set of `npm run quality` gives: one row a measure, ours and the peers side by side.
import type { Part } from '../../tools/article-model/pages.ts';

export type { Part };

/** Column of the table. Sets without peers fill only `windrow`. */
export const ENGINES = ['windrow', 'readability', 'defuddle', 'contextractor'] as const;
export type Engine = (typeof ENGINES)[number];

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
  values: Partial<Record<Engine, number>>;
  /** Digits behind the point. */
  digits?: number;
}

export interface QualitySet {
  name: string;
  measure(parts: Part[]): Promise<Measure[]>;
}

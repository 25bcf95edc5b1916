// Companies as they are described by people, and what only the sources know about them: whether a description can be scraped, and how to find one
// from an address. The API is handed this; it sees no source.
import type { FieldError } from '../errors.ts';

export interface CompanySettings {
  scraper_type: string;
  [setting: string]: unknown;
}

export interface CompanyDescription {
  name: string;
  website: string | null;
  active: boolean;
  scraping_config: CompanySettings;
}

/** Which of the active companies; all that is given has to hold. */
export interface CompanyFilter {
  /** Ids or names. */
  companies?: readonly string[] | undefined;
  /** Part of the name. */
  q?: string | undefined;
  scraper_type?: string | undefined;
}

export type CompanyHealth = 'unknown' | 'ok' | 'degraded' | 'failing';

const FAILING_AFTER = 3;

/** By its sessions that have ended, the latest first. */
export function companyHealth(ended: readonly ('completed' | 'partial' | 'failed')[]): CompanyHealth {
  if (ended.length === 0) return 'unknown';
  const good = ended.findIndex((status) => status !== 'failed');
  const failures = good < 0 ? ended.length : good;
  if (failures >= FAILING_AFTER || good < 0) return 'failing';
  return ended[0] === 'completed' ? 'ok' : 'degraded';
}

/** A row of a file of companies; `company` is null where there are problems. */
export interface CompanyRow {
  /** From 1. */
  row: number;
  name: string | null;
  company: CompanyDescription | null;
  problems: string[];
}

export interface CareerFinding {
  settings: CompanySettings;
  /** From 0 to 1. */
  confidence: number;
  evidence: string;
}

/** What detection is called among the sources that a reading thread runs. No source has such a name. */
export const DETECTION = 'windrow:detection';

/** A system that was recognised and cannot be scraped by a source of its own. */
export interface CareerHint {
  vendor: string;
  evidence: string;
  advice: string;
}

export interface CareerDetection {
  hints: CareerHint[];
  /** The best first. */
  findings: CareerFinding[];
  looked: { url: string; failed?: string }[];
}

export interface CareerCatalogue {
  /** Names of what can scrape a career page. */
  types(): string[];
  /** What is wrong with the settings of a company. */
  problems(settings: CompanySettings): FieldError[];
  /** Rows of a parsed file. */
  rows(value: unknown): Promise<CompanyRow[]>;
  /** Rows of a file in YAML. */
  read(text: string): Promise<CompanyRow[]>;
  detect(url: string, signal: AbortSignal): Promise<CareerDetection>;
}

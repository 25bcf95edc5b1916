// What was acknowledged, and what has to come of it: the oracle's memory. Written when the answer is there, read when everything is over.

/** `either`: a hostile page may be read or refused, but it has to end. */
export type Ending = 'done' | 'failed' | 'either';

export interface ArticleRun {
  kind: 'article';
  urls: Map<string, Ending>;
  /** `maybe`: the answer to its cancellation does not say whether it came in time. */
  cancelled: 'no' | 'yes' | 'maybe';
}
export interface SearchRun {
  kind: 'search';
  /** `job_hash` of every posting of every site. */
  postings: string[];
}
export interface CompanyRun {
  kind: 'company';
  company: string;
  positions: number;
}
export interface CartRun {
  kind: 'cart';
  zipcode: string;
  items: string[];
}

export type Expected = (ArticleRun | SearchRun | CompanyRun | CartRun) & {
  /** Nothing of it is slow, broken or cancelled: it says how quickly things move. */
  isPlain?: boolean;
};

export class Ledger {
  readonly runs = new Map<string, Expected>();
  /** A second call with the key of the first that brought another run. */
  readonly doubled: string[] = [];
  /** Answers that no fault explains. */
  readonly wrong: string[] = [];
  sameKeyCalls = 0;
  retriedDeadLetters = 0;

  add(runId: string, expected: Expected): void {
    if (this.runs.has(runId)) this.doubled.push(`${runId} was given to two submissions`);
    this.runs.set(runId, expected);
  }
}

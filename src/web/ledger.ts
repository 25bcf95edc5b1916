// Counts what the web layer did: per attempt for the result's metadata, and added up per source for the metrics.
import type { WebLedger } from './port.ts';

export type LedgerTotals = Omit<
  WebLedger,
  'rateLimited' | 'captchaEncountered' | 'proxyUsed' | 'warnings' | 'pagesRequested' | 'pagesCompleted' | 'archived'
> & {
  throttled: number;
  captchas: number;
  proxyRequests: number;
};

/** An attempt that says more than this says nothing new. */
const MAX_WARNINGS = 50;
/** Of the pages that were archived, those that are named with the result. */
const MAX_ARCHIVED = 20;

export interface Ledgers {
  open(source: string): AttemptLedger;
  totals(): Map<string, LedgerTotals>;
}

/** An attempt's ledger with the ways to write in it; each entry also lands in the totals of its source. */
export interface AttemptLedger extends WebLedger {
  request(proxyLabel: string | null): void;
  received(bytes: number): void;
  throttled(): void;
  blocked(isCaptcha: boolean): void;
  wasUnchanged(): void;
  browserTime(ms: number): void;
  warn(message: string): void;
  page(isRead: boolean): void;
  wasArchived(page: { url: string; id: string }): void;
  /** A request waits for its turn, until the function it gets is called. */
  waits(turns: { isAway(): boolean }): () => void;
  /** It waits, and whoever gives turns does not answer. */
  isHeldUp(): boolean;
}

export function createLedgers(): Ledgers {
  const totals = new Map<string, LedgerTotals>();
  return {
    totals: () => totals,
    open(source) {
      const sum: LedgerTotals = totals.get(source) ?? {
        requests: 0,
        bytes: 0,
        blocks: 0,
        unchanged: 0,
        browserMs: 0,
        throttled: 0,
        captchas: 0,
        proxyRequests: 0,
      };
      totals.set(source, sum);
      return new Entries(sum);
    },
  };
}

class Entries implements AttemptLedger {
  requests = 0;
  bytes = 0;
  rateLimited = false;
  captchaEncountered = false;
  proxyUsed: string | null = null;
  blocks = 0;
  unchanged = 0;
  browserMs = 0;
  warnings: string[] = [];
  pagesRequested = 0;
  pagesCompleted = 0;
  archived: { url: string; id: string }[] = [];
  readonly #sum: LedgerTotals;
  readonly #waiting = new Map<symbol, { isAway(): boolean }>();

  constructor(sum: LedgerTotals) {
    this.#sum = sum;
  }
  request(proxyLabel: string | null): void {
    this.requests += 1;
    this.#sum.requests += 1;
    if (proxyLabel === null) return;
    this.proxyUsed = proxyLabel;
    this.#sum.proxyRequests += 1;
  }
  received(bytes: number): void {
    this.bytes += bytes;
    this.#sum.bytes += bytes;
  }
  throttled(): void {
    this.rateLimited = true;
    this.#sum.throttled += 1;
  }
  blocked(isCaptcha: boolean): void {
    this.blocks += 1;
    this.#sum.blocks += 1;
    if (!isCaptcha) return;
    this.captchaEncountered = true;
    this.#sum.captchas += 1;
  }
  wasUnchanged(): void {
    this.unchanged += 1;
    this.#sum.unchanged += 1;
  }
  browserTime(ms: number): void {
    this.browserMs += ms;
    this.#sum.browserMs += ms;
  }
  warn(message: string): void {
    if (this.warnings.length < MAX_WARNINGS && !this.warnings.includes(message)) this.warnings.push(message);
  }
  wasArchived(page: { url: string; id: string }): void {
    if (this.archived.length < MAX_ARCHIVED) this.archived.push(page);
  }
  isHeldUp(): boolean {
    return [...this.#waiting.values()].some((turns) => turns.isAway());
  }
  waits(turns: { isAway(): boolean }): () => void {
    const wait = Symbol('wait');
    this.#waiting.set(wait, turns);
    return () => void this.#waiting.delete(wait);
  }
  page(isRead: boolean): void {
    this.pagesRequested += 1;
    if (isRead) this.pagesCompleted += 1;
  }
}

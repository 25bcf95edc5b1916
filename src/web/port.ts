// What a source may ask of the web. Everything behind it (pace, robots, sessions, proxies, guard, retries within the attempt) is
// decided elsewhere, so a source reads like a description of the site.
import type { z } from 'zod';

export interface WebRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  /** A string is sent as it is; an object is sent as JSON. */
  body?: string | object;
  /** Statuses besides 2xx that the source wants to see itself instead of an error. */
  accept?: number[];
  /** False: a redirect is the answer; its status has to be accepted. Followed by default. */
  followsRedirects?: boolean;
}

export interface WebResponse {
  /** Address after redirects. */
  url: string;
  status: number;
  headers: Record<string, string>;
  /** Decoded text: charset from BOM, header, or the document itself. */
  text: string;
}

/** What the web layer did on behalf of one attempt; ends up in the result's metadata. */
export interface WebLedger {
  requests: number;
  /** As they crossed the wire. */
  bytes: number;
  rateLimited: boolean;
  captchaEncountered: boolean;
  /** host:port only; credentials never leave the web layer. */
  proxyUsed: string | null;
  /** Pages recognised as blocks of any class. */
  blocks: number;
  /** Answers a cache gave, or a 304 confirmed. */
  unchanged: number;
  /** Time pages were open in a browser. */
  browserMs: number;
  /** What the person who asked should know; see `Web.warn`. */
  warnings: string[];
  /** Pages of results the source asked for, and those it could read; 0 where a source has no pages. */
  pagesRequested: number;
  pagesCompleted: number;
  /** The first pages that were archived; empty without an archive. */
  archived?: { url: string; id: string }[];
}

/** Web options of a source. All have defaults; most sources set none. */
export interface WebPolicy {
  /** `honest` names Windrow; `browser` is one consistent browser: headers, TLS, cookies and exit together. */
  identity?: 'honest' | 'browser';
  /** `http` never opens a browser; `browser` always does; by default a browser is the fallback where one is there. */
  engine?: 'http' | 'browser' | 'http-then-browser';
  /** Why this source does not ask robots.txt; the reason is kept with the run. */
  ignoreRobots?: string;
}

/** What kind of page it is when a source found nothing. Only `empty` means that there are no results. */
export type Diagnosis =
  | 'captcha'
  | 'blocked'
  | 'js_challenge'
  | 'consent'
  | 'login'
  | 'geo_mismatch'
  | 'soft_404'
  | 'empty'
  | 'layout_changed';

export interface PageOptions {
  /** A selector that must be there before the page counts as loaded. */
  waitFor?: string;
  /** Scrolls to the end like a reader, for pages that load as one goes. */
  scroll?: boolean;
}

export interface Web {
  get(url: string, request?: WebRequest): Promise<WebResponse>;
  text(url: string, request?: WebRequest): Promise<string>;
  json<T>(url: string, schema: z.ZodType<T>, request?: WebRequest): Promise<T>;
  /** The page as a browser shows it. */
  page(url: string, options?: PageOptions): Promise<WebResponse>;
  /** The sitemaps that the site's robots.txt names. */
  sitemaps(url: string): Promise<string[]>;
  diagnose(page: WebResponse): Diagnosis;
  /** A warning for the person who asked: for example a parameter that this site does not support. Given once, stored with the run. */
  warn(message: string): void;
  /** A value that configuration gives this source (SOURCE_SETTINGS): keys and tokens of the sites' own apps. Null when it gives none. */
  setting(name: string): string | null;
  /** Counts one page of results, read or not. */
  countPage(isRead: boolean): void;
  /** A request waits for its turn, and whoever gives turns does not answer. A web of saved pages waits for nobody. */
  isHeldUp?(): boolean;
  /** Aborted when the attempt is cancelled, past its deadline, or its lease is lost. */
  readonly signal: AbortSignal;
  readonly ledger: WebLedger;
}

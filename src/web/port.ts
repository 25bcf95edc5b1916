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
  bytes: number;
  rateLimited: boolean;
  captchaEncountered: boolean;
  /** host:port only; credentials never leave the web layer. */
  proxyUsed: string | null;
}

export interface Web {
  get(url: string, request?: WebRequest): Promise<WebResponse>;
  text(url: string, request?: WebRequest): Promise<string>;
  json<T>(url: string, schema: z.ZodType<T>, request?: WebRequest): Promise<T>;
  /** Aborted when the attempt is cancelled, past its deadline, or its lease is lost. */
  readonly signal: AbortSignal;
  readonly ledger: WebLedger;
}

// What the web layer asks of a browser; the pool behind it (browser-pool.ts) is loaded on first use.
import type { PageOptions } from './port.ts';
import type { Session } from './session.ts';

export interface RenderRequest {
  url: string;
  options: PageOptions;
  session: Session;
  /** Where all its traffic goes: our guarded proxy for the session's exit. */
  proxyUrl: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Buttons to press when one of them is there, for consent pages. */
  click: string[];
}

export interface RenderedPage {
  url: string;
  status: number;
  headers: Record<string, string>;
  html: string;
  bytes: number;
  cookies: string[];
  screenshot: Buffer | null;
}

export interface Browser {
  render(request: RenderRequest): Promise<RenderedPage>;
  close(): Promise<void>;
}

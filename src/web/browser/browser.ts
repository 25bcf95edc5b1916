// What the web layer asks of a browser; the pool behind it (pool.ts) loads its driver on first use.
import type { AppError } from '../../model/errors.ts';
import type { HttpResponse } from '../http/http.ts';
import type { Session } from '../identity/session.ts';
import type { PageOptions } from '../port.ts';
import type { TakePicture } from '../seen.ts';

export interface RenderRequest {
  url: string;
  options: PageOptions;
  /** Its id, locale and cookies; one browser context a session. */
  session: Session;
  /** Where all its traffic goes: our guarded proxy for the session's exit. */
  proxyUrl: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Answers requests for mapped hosts; null when there is no host map. A refused one is aborted in the page. */
  intercept: ((url: string) => Promise<HttpResponse | null>) | null;
  /** What to press once, if it is a consent page. */
  buttonsOf(html: string, url: string, status: number): string[];
}

export interface RenderedPage {
  url: string;
  status: number;
  headers: Record<string, string>;
  html: string;
  /** Set-Cookie lines for the session's jar. */
  cookies: string[];
  /** The page did not show what was waited for. */
  missing: AppError | null;
  /** For a person to look at, as long as nothing else is shown in its place. */
  picture: TakePicture;
  /** The page's own time, without the wait for a free browser. */
  tookMs: number;
}

/** Of a browser that is there; totals since the process started. */
export interface BrowserCounts {
  openPages: number;
  waitingPages: number;
  pages: number;
  failedPages: number;
  launches: number;
}

export interface Browser {
  render(request: RenderRequest): Promise<RenderedPage>;
  close(): Promise<void>;
}

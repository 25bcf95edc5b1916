// How career sources ask a vendor's API. The host is pinned: an answer that came from elsewhere after a redirect is not the board's, since a
// company's settings must not steer a worker to other addresses.
import type { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import type { Web, WebPolicy, WebRequest, WebResponse } from '../../web/port.ts';

/** What a vendor documents for programs to call is not what its robots.txt is about. */
export const DOCUMENTED_API: WebPolicy = { engine: 'http', ignoreRobots: 'a documented public API, made to be called' };
/** Endpoints and feeds that a browser would add nothing to. */
export const PLAIN_HTTP: WebPolicy = { engine: 'http' };

export async function getPinned(web: Web, url: string, request?: WebRequest): Promise<WebResponse> {
  const page = await web.get(url, request);
  const [asked, answered] = [new URL(url).hostname, new URL(page.url).hostname];
  if (asked !== answered) {
    throw new AppError('not_found', `${asked} has no such board; it sends visitors to ${answered}`, {
      details: { redirected_to: answered },
    });
  }
  return page;
}

/** The address of a next page that an answer names; null when it is none, or leads to another host. */
export function nextPage(address: string, first: string): string | null {
  const url = URL.parse(address, first);
  return url?.hostname === new URL(first).hostname ? url.href : null;
}

export async function getJson<T>(web: Web, url: string, schema: z.ZodType<T>, request: WebRequest = {}): Promise<T> {
  const headers = { accept: 'application/json', ...request.headers };
  const page = await getPinned(web, url, { ...request, headers });
  return readJson(page.text, schema);
}

export function readJson<T>(text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const what = /^\s*</.test(text) ? 'HTML' : 'something';
    throw new AppError('layout_changed', `the board answered with ${what} that is not JSON`, { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') || 'the answer';
    throw new AppError('layout_changed', `${where} is not as expected`, { cause: parsed.error });
  }
  return parsed.data;
}

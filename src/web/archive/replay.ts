// A Web that answers from the archive and from nothing else: `windrow replay` runs sources on it. What was not archived is an error of the network, never a page that does not exist, and is
// remembered: a source that takes it for the end of a list must not be believed.
import { decode } from '../../extract/html/charset.ts';
import { AppError } from '../../model/errors.ts';
import { diagnose } from '../blocks/blocks.ts';
import { statusError } from '../http/http-errors.ts';
import { parseJson } from '../http/json.ts';
import type { Web, WebLedger, WebRequest, WebResponse } from '../port.ts';
import { parseRobotsTxt } from '../robots/robots-txt.ts';
import { type ArchiveContent, type ArchivedExchange, type ArchivedTask, keyOf } from './read-archive.ts';

export interface ReplayOptions {
  signal: AbortSignal;
  /** SOURCE_SETTINGS of the source, where there are any; keys of paid services need not be right. */
  setting(name: string): string | null;
  /** Called for each request that is not in the archive: `GET https://…`. */
  onMissing(request: string): void;
}

const MAX_REDIRECTS = 10;

export function replayWeb(
  { exchanges }: Pick<ArchivedTask, 'exchanges'>,
  robots: ArchiveContent['robots'],
  { signal, setting, onMissing }: ReplayOptions,
): Web {
  const ledger: WebLedger = {
    requests: 0,
    bytes: 0,
    rateLimited: false,
    captchaEncountered: false,
    proxyUsed: null,
    blocks: 0,
    unchanged: 0,
    browserMs: 0,
    warnings: [],
    pagesRequested: 0,
    pagesCompleted: 0,
  };
  const find = (address: string, asked: WebRequest): ArchivedExchange => {
    let url = new URL(address).href;
    let body = typeof asked.body === 'object' ? JSON.stringify(asked.body) : asked.body;
    let method: string = asked.method ?? (body === undefined ? 'GET' : 'POST');
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const found = exchanges.get(keyOf(method, url, body));
      if (found === undefined) {
        onMissing(`${method} ${url}`);
        throw new AppError('network', `not in the archive: ${method} ${url}`);
      }
      const location = found.headers.location;
      if (found.status < 300 || found.status > 399 || location === undefined) return found;
      if (!URL.canParse(location, url)) throw new AppError('network', 'redirect to a URL that is not valid');
      url = new URL(location, url).href;
      // What was sent is sent again only where the site says so.
      if (found.status !== 307 && found.status !== 308) [method, body] = ['GET', undefined];
    }
    throw new AppError('too_many_redirects');
  };
  const get = async (address: string, request: WebRequest = {}): Promise<WebResponse> => {
    if (signal.aborted) throw new AppError('cancelled');
    const found = find(address, request);
    ledger.requests += 1;
    ledger.bytes += found.body.length;
    const isWanted = (found.status >= 200 && found.status < 300) || request.accept?.includes(found.status);
    if (!isWanted) throw statusError(found.status, found.headers, Date.parse(found.date));
    const text = decode(found.body, found.headers['content-type']).replaceAll('\0', '');
    return { url: found.url, status: found.status, headers: found.headers, text };
  };
  return {
    get,
    text: async (url, request) => (await get(url, request)).text,
    json: async (url, schema, request) => parseJson((await get(url, request)).text, schema),
    page: (url) => get(url),
    async sitemaps(url) {
      const { sitemaps } = parseRobotsTxt(robots.get(new URL(url).origin) ?? '');
      return sitemaps.filter((address) => URL.canParse(address, url)).map((address) => new URL(address, url).href);
    },
    diagnose,
    warn: (message) => void ledger.warnings.push(message),
    setting,
    countPage(isRead) {
      ledger.pagesRequested += 1;
      if (isRead) ledger.pagesCompleted += 1;
    },
    signal,
    ledger,
  };
}

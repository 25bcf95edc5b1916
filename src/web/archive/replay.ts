// Re-extraction from an archive with no network: a Web that answers from WARC files and from nothing else. `windrow replay` runs sources
// on it and compares what they yield with what was stored.
import { createReadStream } from 'node:fs';
import { decode } from '../../extract/html/charset.ts';
import { AppError } from '../../model/errors.ts';
import { diagnose } from '../blocks/blocks.ts';
import { statusError } from '../http/http-errors.ts';
import { parseJson } from '../http/json.ts';
import type { Web, WebLedger, WebRequest, WebResponse } from '../port.ts';

export interface ArchivedExchange {
  url: string;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  date: string;
  source: string | null;
  runId: string | null;
  taskId: string | null;
}

/** The responses of WARC files, in their order; `runId` keeps those of one run. */
export async function* readArchive(files: string[], runId?: string): AsyncIterable<ArchivedExchange> {
  const { WARCParser } = await import('warcio');
  for (const file of files) {
    const stream = createReadStream(file);
    try {
      for await (const record of new WARCParser(stream)) {
        if (record.warcType !== 'response') continue;
        const run = record.warcHeader('Windrow-Run') ?? null;
        if (runId !== undefined && run !== runId) continue;
        const body = await record.readFully(true);
        const headers = record.httpHeaders?.headers;
        yield {
          url: record.warcTargetURI ?? '',
          status: Number(record.httpHeaders?.statusCode ?? 0),
          headers: Object.fromEntries(
            [...(headers?.entries() ?? [])].map(([name, value]) => [name.toLowerCase(), value]),
          ),
          body: body ?? new Uint8Array(),
          date: record.warcDate ?? '',
          source: record.warcHeader('Windrow-Source') ?? null,
          runId: run,
          taskId: record.warcHeader('Windrow-Task') ?? null,
        };
      }
    } finally {
      stream.destroy();
    }
  }
}

export interface Replay {
  web(signal: AbortSignal): Web;
  /** Addresses that were answered with 2xx, in the order they were fetched. */
  urls: string[];
}

/** Loads an archive; of an address fetched several times the last answer counts. Redirects are followed within it. */
export async function replay(files: string[], runId?: string): Promise<Replay> {
  const pages = new Map<string, ArchivedExchange>();
  for await (const exchange of readArchive(files, runId)) pages.set(exchange.url, exchange);
  const urls = [...pages.values()].filter(({ status }) => status >= 200 && status < 300).map(({ url }) => url);
  return { urls, web: (signal) => replayWeb(pages, signal) };
}

const MAX_REDIRECTS = 10;

function replayWeb(pages: Map<string, ArchivedExchange>, signal: AbortSignal): Web {
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
  const find = (address: string): ArchivedExchange => {
    let url = new URL(address).href;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const found = pages.get(url);
      if (found === undefined) throw new AppError('not_found', `not in the archive: ${url}`);
      const location = found.headers.location;
      if (found.status < 300 || found.status > 399 || location === undefined) return found;
      if (!URL.canParse(location, url)) throw new AppError('network', 'redirect to a URL that is not valid');
      url = new URL(location, url).href;
    }
    throw new AppError('too_many_redirects');
  };
  const get = async (address: string, request: WebRequest = {}): Promise<WebResponse> => {
    if (signal.aborted) throw new AppError('cancelled');
    const found = find(address);
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
    sitemaps: async () => [],
    diagnose,
    warn: (message) => void ledger.warnings.push(message),
    setting: () => null,
    countPage(isRead) {
      ledger.pagesRequested += 1;
      if (isRead) ledger.pagesCompleted += 1;
    },
    signal,
    ledger,
  };
}

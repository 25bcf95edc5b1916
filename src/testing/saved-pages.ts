// Saved pages as a host of the pretend web: an address and what it answers. An address that nobody saved is remembered, so that the test which asked for
// it can say so, whatever the source made of the 404 it got.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Replica, SandboxReply, SandboxRequest } from '../sandbox/replica.ts';

export interface PageRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of a POST. */
  body: string;
}

export interface PageReply {
  /** 200 unless told. */
  status?: number;
  headers?: Record<string, string>;
  /** Content-Type; guessed from the file's name or the text unless told. */
  type?: string;
  /** One of these three. */
  text?: string;
  json?: unknown;
  file?: URL | string;
}

/** A text, a file (`new URL('page.html', import.meta.url)`), a whole reply, or a function that decides by the request. */
export type SavedPage = string | URL | PageReply | ((request: PageRequest) => SavedPage);

/**
 * By address: `https://jobs.example/search?page=1`, `POST https://jobs.example/graphql`, or with a star at the end for every address that begins so. The
 * order of query parameters does not matter; an exact address goes before a star, a longer star before a shorter one.
 */
export type SavedPages = Readonly<Record<string, SavedPage>>;

export interface PageHost {
  replica: Replica;
  /** `GET https://…` of everything that was asked for and not saved, in order. */
  missing: string[];
  requests: PageRequest[];
}

export function hostPages(pages: SavedPages): PageHost {
  const rules = Object.entries(pages).map(([address, page]) => ({ ...readRule(address), page }));
  const missing: string[] = [];
  const requests: PageRequest[] = [];

  async function handle(request: SandboxRequest): Promise<SandboxReply | undefined> {
    const { method, headers } = request;
    const query = request.query.toString();
    const url = `https://${request.host}${request.path}${query === '' ? '' : `?${query}`}`;
    const asked: PageRequest = { method, url, headers, body: method === 'POST' ? await request.readBody() : '' };
    const key = keyOf(url);
    const found = rules
      .filter((rule) => rule.method === method && (rule.isPrefix ? key.startsWith(rule.key) : key === rule.key))
      .sort((a, b) => Number(a.isPrefix) - Number(b.isPrefix) || b.key.length - a.key.length)[0];
    requests.push(asked);
    if (found) return replyOf(found.page, asked);
    missing.push(`${method} ${url}`);
    return undefined;
  }

  return {
    missing,
    requests,
    replica: { name: 'saved', title: 'Saved pages', hosts: ['*'], examples: [], handle },
  };
}

function readRule(address: string): { method: string; key: string; isPrefix: boolean } {
  const [, method = 'GET', url = ''] = /^(?:(GET|POST) )?(.*)$/s.exec(address) ?? [];
  const isPrefix = url.endsWith('*');
  const plain = isPrefix ? url.slice(0, -1) : url;
  if (!/^https?:\/\/[^/?#]+/.test(plain)) throw new TypeError(`"${address}" is no address of a saved page`);
  return { method, key: isPrefix ? withoutScheme(plain) : keyOf(plain), isPrefix };
}

/** Without the scheme, which the pretend web does not see, and with the parameters in order. */
function keyOf(address: string): string {
  const url = new URL(address);
  url.searchParams.sort();
  url.hash = '';
  return withoutScheme(url.href);
}

const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

function replyOf(page: SavedPage, request: PageRequest): SandboxReply {
  if (typeof page === 'function') return replyOf(page(request), request);
  const {
    status = 200,
    headers = {},
    type,
    ...content
  }: PageReply = typeof page === 'string' ? { text: page } : page instanceof URL ? { file: page } : page;
  const body =
    content.file !== undefined
      ? readFileSync(content.file)
      : (content.text ?? (content.json === undefined ? '' : JSON.stringify(content.json)));
  return { status, headers, body, type: type ?? typeOf(content.file, body.toString()) };
}

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.rss': 'application/rss+xml',
  '.txt': 'text/plain',
};

function typeOf(file: URL | string | undefined, body: string): string {
  const byName = file === undefined ? undefined : TYPES[extname(file instanceof URL ? file.pathname : file)];
  const byText = /^\s*[[{]/.test(body) ? 'application/json' : /^\s*<\?xml/.test(body) ? 'application/xml' : 'text/html';
  return `${byName ?? byText}; charset=utf-8`;
}

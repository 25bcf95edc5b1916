// Reads what a request asks for: which sandbox host, which path, which fault. The Host header decides, because `WEB_HOST_MAP` sends
// every host's requests to this one address with the original header.
import type { IncomingMessage } from 'node:http';

export interface Address {
  /** Lower case, without port. */
  host: string;
  origin: string;
  /** The request was made to the sandbox itself, not to a host of the sandbox web. */
  isOwn: boolean;
  path: string;
  /** Without `fault` and without the question mark. */
  search: string;
  /** As written, null when the address asks for none. */
  fault: string | null;
  /** Path and query with another fault, or with none, in the style of this address. */
  pathWith(fault: string | null): string;
}

const PREFIX = '/fault/';

export function readAddress(request: IncomingMessage, ownHosts: ReadonlySet<string>): Address {
  const header = (request.headers.host ?? 'localhost').toLowerCase();
  const isOwn = ownHosts.has(header);
  const host = header.replace(/:\d+$/, '');
  return { host, origin: isOwn ? `http://${header}` : `https://${host}`, isOwn, ...readTarget(request.url ?? '/') };
}

/** A request target such as `/fault/404/news/1?page=2`; also the absolute form, which proxies use. */
export function readTarget(target: string): Pick<Address, 'path' | 'search' | 'fault' | 'pathWith'> {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/';
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  const search = mark < 0 ? '' : local.slice(mark + 1);
  if (path.startsWith(PREFIX)) return prefixed(path, search);
  if (!/(?:^|&)fault=/.test(search))
    return { path, search, fault: null, pathWith: (fault) => join(path, withFault(search, fault)) };
  const params = new URLSearchParams(search);
  const fault = params.get('fault') ?? '';
  params.delete('fault');
  const rest = params.toString();
  return { path, search: rest, fault, pathWith: (other) => join(path, withFault(rest, other)) };
}

function prefixed(path: string, search: string): Pick<Address, 'path' | 'search' | 'fault' | 'pathWith'> {
  const end = path.indexOf('/', PREFIX.length);
  const spec = end < 0 ? path.slice(PREFIX.length) : path.slice(PREFIX.length, end);
  const rest = end < 0 ? '/' : path.slice(end);
  const pathWith = (other: string | null) =>
    join(other === null ? rest : `${PREFIX}${encodeURIComponent(other)}${rest}`, search);
  return { path: rest, search, fault: decodeOrKeep(spec), pathWith };
}

function withFault(search: string, fault: string | null): string {
  if (fault === null) return search;
  return `${search}${search === '' ? '' : '&'}fault=${encodeURIComponent(fault)}`;
}

const join = (path: string, search: string) => (search === '' ? path : `${path}?${search}`);

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

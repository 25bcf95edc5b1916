// A proxy as written in configuration, a file or a task, and its name for people. Its credentials never leave this room: everything
// shown, logged or stored uses `label`, which is host:port.
import { hash } from 'node:crypto';
import { AppError } from '../../model/errors.ts';

export interface OutboundProxy {
  scheme: 'http' | 'https' | 'socks5';
  host: string;
  port: number;
  username: string;
  password: string;
  /** host:port */
  label: string;
  /** Given by a task and not by the operator: its own address is judged by the guard as well. */
  isForeign: boolean;
}

/** No proxy, as a legal member of a tier. */
export const DIRECT = 'direct';
export type Exit = OutboundProxy | typeof DIRECT;

const DEFAULT_PORTS = { http: 80, https: 443, socks5: 1080 } as const;

/** `scheme://user:pass@host:port`, `user:pass@host:port`, `host:port`, or `host:port:user:pass` as resellers write it. */
export function parseProxy(text: string, isForeign = false): OutboundProxy {
  const reseller = /^([^:/@\s]+):(\d+):([^:@\s]+):([^@\s]+)$/.exec(text);
  const address = reseller
    ? `http://${encodeURIComponent(reseller[3] ?? '')}:${encodeURIComponent(reseller[4] ?? '')}@${reseller[1]}:${reseller[2]}`
    : text.includes('://')
      ? text
      : `http://${text}`;
  // The message must not repeat the text: it may hold a password.
  if (!URL.canParse(address))
    throw new AppError('invalid_params', 'a proxy has to be scheme://user:password@host:port');
  const url = new URL(address);
  const scheme = schemeOf(url.protocol);
  const port = url.port === '' ? DEFAULT_PORTS[scheme] : Number(url.port);
  return {
    scheme,
    host: url.hostname,
    port,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    label: `${url.hostname}:${port}`,
    isForeign,
  };
}

function schemeOf(protocol: string): OutboundProxy['scheme'] {
  if (protocol === 'http:') return 'http';
  if (protocol === 'https:') return 'https';
  if (protocol === 'socks5:' || protocol === 'socks5h:' || protocol === 'socks:') return 'socks5';
  throw new AppError('invalid_params', `a proxy has to be http, https or socks5, not ${protocol.slice(0, -1)}`);
}

/**
 * Tiers are divided by `;` or a line of dashes, members by commas, spaces or new lines, `#` starts a comment.
 * `direct; http://a:1, http://b:2; socks5://c:3` tries no proxy first.
 */
export function parseTiers(text: string): Exit[][] {
  return text
    .replace(/#.*$/gm, '')
    .split(/;|^-+$/m)
    .map((tier) => tier.split(/[\s,]+/).filter((part) => part !== ''))
    .filter((tier) => tier.length > 0)
    .map((tier) => tier.map((part) => (part === DIRECT ? DIRECT : parseProxy(part))));
}

export function labelOf(exit: Exit): string | null {
  return exit === DIRECT ? null : exit.label;
}

/**
 * What the pace of a site is kept by. Resellers sell many exits behind one host:port and tell them by the user name, which is a credential: its hash
 * is enough to tell them apart.
 */
export function keyOfExit(exit: Exit, directName: string): string {
  if (exit === DIRECT) return directName;
  return exit.username === '' ? exit.label : `${exit.label}#${hash('sha256', exit.username, 'hex').slice(0, 8)}`;
}

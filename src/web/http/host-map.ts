// Sends the requests for a host elsewhere without the source knowing (WEB_HOST_MAP): sandbox, replays and tests live on this.
// The target is the operator's own choice and thereby allowed; the address that was asked for still has to pass the guard's
// rules for URLs, so that a map for `*` does not make http://127.0.0.1/ askable.
import { AppError } from '../../model/errors.ts';

export interface HostMap {
  readonly isEmpty: boolean;
  /** The origin that serves this host instead, or null for the real one. */
  originFor(hostname: string): string | null;
}

/** Reads `host=origin,*=origin`; an exact name wins over `*.suffix`, the longest suffix over a shorter one, all over `*`. */
export function parseHostMap(text: string | undefined): HostMap {
  const exact = new Map<string, string>();
  const suffixes: { suffix: string; origin: string }[] = [];
  let rest: string | null = null;
  for (const entry of (text ?? '').split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const at = entry.indexOf('=');
    const host = entry.slice(0, at).trim().toLowerCase();
    const origin = parseOrigin(entry.slice(at + 1).trim());
    if (at <= 0 || origin === null) throw new AppError('invalid_params', `not host=origin: ${entry}`);
    if (host === '*') rest = origin;
    else if (host.startsWith('*.')) suffixes.push({ suffix: host.slice(1), origin });
    else exact.set(host, origin);
  }
  suffixes.sort((a, b) => b.suffix.length - a.suffix.length);
  return {
    isEmpty: exact.size === 0 && suffixes.length === 0 && rest === null,
    originFor(hostname) {
      return exact.get(hostname) ?? suffixes.find(({ suffix }) => hostname.endsWith(suffix))?.origin ?? rest;
    },
  };
}

function parseOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isOrigin =
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    url.search === '' &&
    url.username === '';
  return isOrigin ? url.origin : null;
}

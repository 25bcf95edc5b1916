// Sends one request by the client that fits who we claim to be: undici for honest requests, plain http and mapped hosts; impit where a
// browser is claimed over TLS, since Node's handshake would give the claim away.

import { acceptLanguage, honestHeaders } from '../identity/identity.ts';
import { type Exit, labelOf } from '../identity/proxy.ts';
import { cookiesFor, keepCookies, type Session } from '../identity/session.ts';
import type { AttemptLedger } from '../ledger.ts';
import type { HostMap } from './host-map.ts';
import { exchange, type HttpLimits, type HttpRequest, type HttpResponse } from './http.ts';
import type { Transports } from './transports.ts';

export interface Visitor {
  exit: Exit;
  locale: string;
  session: Pick<Session, 'jar' | 'cookiesSeen' | 'profile' | 'headers'>;
}

export interface SendOptions {
  transports: Transports;
  hostMap: HostMap;
  limits: HttpLimits;
  ledger: AttemptLedger;
  userAgent: string;
}

export async function send(request: HttpRequest, visitor: Visitor, options: SendOptions): Promise<HttpResponse> {
  const { transports, limits, ledger } = options;
  const { url } = request;
  const { session } = visitor;
  const mapped = options.hostMap.isEmpty ? null : options.hostMap.originFor(url.hostname);
  const cookie = session.jar === null ? '' : await cookiesFor(session, url.href);
  const own = cookie === '' || 'cookie' in request.headers ? request.headers : { ...request.headers, cookie };
  ledger.request(mapped === null ? labelOf(visitor.exit) : null);

  let answer: HttpResponse;
  if (session.profile !== null && mapped === null && url.protocol === 'https:') {
    const client = await transports.impit(visitor.exit, session.profile.tls);
    const language: Record<string, string> =
      visitor.locale === 'en-US' ? {} : { 'accept-language': acceptLanguage(visitor.locale) };
    answer = await client.exchange({ ...request, headers: { ...language, ...asScript(own) } }, limits);
  } else {
    const claimed =
      session.headers === null ? null : url.protocol === 'https:' ? session.headers.secure : session.headers.plain;
    const base = claimed ?? honestHeaders(options.userAgent, visitor.locale);
    const headers = claimed === null ? own : asScript(own);
    const route =
      mapped === null
        ? { dispatcher: transports.agent(visitor.exit), origin: url.origin }
        : { dispatcher: transports.mapped, origin: mapped };
    answer = await exchange({ ...request, headers: { ...base, ...headers } }, route, limits);
  }
  if (answer.setCookies.length > 0) await keepCookies(session, answer.setCookies, url.href);
  return answer;
}

/** A browser fetches JSON from a script, and says so. */
function asScript(headers: Record<string, string>): Record<string, string> {
  if (!headers.accept?.includes('json')) return headers;
  return { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', ...headers };
}

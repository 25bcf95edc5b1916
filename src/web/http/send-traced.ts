// One request to a site as a span. The context is not sent along: sites are strangers.

import { asAppError } from '../../model/errors.ts';
import type { Tracing } from '../../model/trace/trace.ts';
import type { HttpRequest, HttpResponse } from './http.ts';

/** The attempt that asks. */
export interface FetchTrace {
  tracing: Tracing;
  parent: string | undefined;
}

type Send = (request: HttpRequest) => Promise<HttpResponse>;

export function sendTraced(trace: FetchTrace | null, engine: 'http' | 'browser', send: Send): Send {
  if (trace === null) return send;
  return async (request) => {
    const { url, method } = request;
    const span = trace.tracing.begin({
      name: method,
      kind: 'client',
      parent: trace.parent,
      attributes: {
        'http.request.method': method,
        'server.address': url.hostname,
        'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
        // What people searched for, and keys of APIs, are in the query.
        'url.full': `${url.origin}${url.pathname}${url.search === '' ? '' : '?REDACTED'}`,
        'windrow.engine': engine,
      },
    });
    try {
      const answer = await send(request);
      const { status, wireBytes } = answer;
      span.end({
        attributes: { 'http.response.status_code': status, 'http.response.body.size': wireBytes },
        ...(status >= 400 && { error: String(status) }),
      });
      return answer;
    } catch (thrown) {
      const { code, message } = asAppError(thrown);
      span.end({ error: code, message });
      throw thrown;
    }
  };
}

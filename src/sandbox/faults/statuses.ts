// Faults that are an answer by status alone, and redirects.
import type { FaultContext, FaultKind } from './fault.ts';

const NAMES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  429: 'Too Many Requests',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};
const TRANSIENT = new Set([429, 500, 502, 503, 504]);
const REDIRECTS = [301, 302, 307, 308];

function answer({ response }: FaultContext, status: number, headers: Record<string, string> = {}): void {
  const body = `<!doctype html><html><head><title>${status} ${NAMES[status]}</title></head><body><h1>${NAMES[status]}</h1></body></html>\n`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

function statusFault(status: number): FaultKind {
  const isTransient = TRANSIENT.has(status);
  return {
    usage: String(status),
    effect: `${status} ${NAMES[status]}`,
    isTransient,
    strike: (context) => answer(context, status),
  };
}

/** `429` always; `429:5` with `Retry-After: 5` until five seconds after the first request, then the page. */
function waitingFault(status: 429 | 503): FaultKind {
  return {
    usage: `${status}, ${status}:5`,
    effect: `${status} ${NAMES[status]}; with a number: Retry-After of so many seconds, and the page once they have passed since the first request`,
    isTransient: true,
    argument: /^\d{1,5}$/,
    async strike(context) {
      const seconds = Number(context.argument);
      if (context.argument !== '' && context.sinceFirstMs >= seconds * 1000) return context.sendOrdinary();
      const left = Math.max(1, Math.ceil(seconds - context.sinceFirstMs / 1000));
      answer(context, status, context.argument === '' ? {} : { 'retry-after': String(left) });
    },
  };
}

function redirect({ response }: FaultContext, status: number, location: string): void {
  response.writeHead(status, { location, 'content-length': 0 });
  response.end();
}

const redirects: Record<string, FaultKind> = {
  redirect: {
    usage: 'redirect:3',
    effect: 'a chain of so many redirects (301, 302, 307, 308 in turn), then the page',
    isTransient: true,
    argument: /^\d{1,5}$/,
    strike(context) {
      const left = Number(context.argument || 1);
      if (left === 0) return context.sendOrdinary();
      const status = REDIRECTS[left % REDIRECTS.length] as number;
      redirect(context, status, context.pathWith(left === 1 ? null : `redirect:${left - 1}`));
    },
  },
  'redirect-loop': {
    usage: 'redirect-loop',
    effect: 'two addresses that redirect to each other forever',
    isTransient: false,
    argument: /^back$/,
    strike: (context) =>
      redirect(context, 302, context.pathWith(context.argument === '' ? 'redirect-loop:back' : 'redirect-loop')),
  },
  'redirect-to': {
    usage: 'redirect-to:http://10.0.0.1/',
    effect: 'one redirect to that address, whatever it is (percent-encode it in a path prefix)',
    isTransient: false,
    argument: /^\S+$/,
    strike: (context) => redirect(context, 302, context.argument || '/'),
  },
};

const plain = [400, 401, 403, 404, 410, 451, 500, 502, 504].map(
  (status) => [String(status), statusFault(status)] as const,
);

export const STATUS_FAULTS: Readonly<Record<string, FaultKind>> = {
  ...Object.fromEntries(plain),
  429: waitingFault(429),
  503: waitingFault(503),
  ...redirects,
};

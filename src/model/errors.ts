// Every way a task or a request can go wrong, in one table. The code drives what happens next (retry, HTTP status, metric label);
// the message is only for people. A new code is a new row here, and a test checks that nothing is thrown outside the table.

/** The categories of the message contract: what a worker reports and the retry policy reads. */
export type ErrorCategory =
  | 'timeout'
  | 'network'
  | 'http_4xx'
  | 'http_5xx'
  | 'rate_limited'
  | 'blocked'
  | 'captcha'
  | 'robots'
  | 'not_found'
  | 'layout_changed'
  | 'invalid_params'
  | 'cancelled'
  | 'internal';

export type Retry = 'never' | 'later';

interface ErrorRow {
  category: ErrorCategory;
  retry: Retry;
  /** HTTP status when this code answers an API request. */
  status: number;
  sentence: string;
}

export const ERRORS = {
  timeout: { category: 'timeout', retry: 'later', status: 504, sentence: 'The page took longer than the time limit.' },
  task_timeout: {
    category: 'timeout',
    retry: 'later',
    status: 504,
    sentence: 'The attempt took longer than the time limit of a task (TASK_TIMEOUT_SECONDS).',
  },
  network: { category: 'network', retry: 'later', status: 502, sentence: 'The connection failed or was closed early.' },
  dns: { category: 'network', retry: 'later', status: 502, sentence: 'The host name could not be resolved.' },
  tls: { category: 'network', retry: 'later', status: 502, sentence: 'The TLS certificate of the site is not valid.' },
  proxy: {
    category: 'network',
    retry: 'later',
    status: 502,
    sentence: 'The proxy refused the connection or closed it early.',
  },
  http_4xx: {
    category: 'http_4xx',
    retry: 'never',
    status: 502,
    sentence: 'The site answered with a client error (4xx).',
  },
  http_5xx: {
    category: 'http_5xx',
    retry: 'later',
    status: 502,
    sentence: 'The site answered with a server error (5xx).',
  },
  rate_limited: {
    category: 'rate_limited',
    retry: 'later',
    status: 429,
    sentence: 'The site rate-limited us (429). The task waits and is tried again.',
  },
  blocked: { category: 'blocked', retry: 'later', status: 502, sentence: 'The site blocked the request as automated.' },
  captcha: {
    category: 'captcha',
    retry: 'later',
    status: 502,
    sentence: 'The site asked for a CAPTCHA. Windrow does not solve CAPTCHAs.',
  },
  robots: {
    category: 'robots',
    retry: 'never',
    status: 403,
    sentence: 'Disallowed by robots.txt of the site. To fetch it anyway: WEB_ROBOTS=off:<source>.',
  },
  not_found: { category: 'not_found', retry: 'never', status: 404, sentence: 'The page does not exist.' },
  not_article: { category: 'layout_changed', retry: 'never', status: 422, sentence: 'The page is not an article.' },
  not_product: { category: 'layout_changed', retry: 'never', status: 422, sentence: 'The page is not a product.' },
  layout_changed: {
    category: 'layout_changed',
    retry: 'never',
    status: 502,
    sentence: 'The page does not have the layout this source expects.',
  },
  too_large: {
    category: 'http_4xx',
    retry: 'never',
    status: 413,
    sentence: 'The response body is larger than the limit.',
  },
  too_many_redirects: { category: 'http_4xx', retry: 'never', status: 502, sentence: 'The site redirected too often.' },
  unsupported_content: {
    category: 'http_4xx',
    retry: 'never',
    status: 415,
    sentence: 'The page has a content type that cannot be read.',
  },
  forbidden_address: {
    category: 'invalid_params',
    retry: 'never',
    status: 422,
    sentence: 'URL not allowed: it has to be http or https on port 80 or 443 of a public address.',
  },
  invalid_params: { category: 'invalid_params', retry: 'never', status: 422, sentence: 'The request is not valid.' },
  cancelled: { category: 'cancelled', retry: 'never', status: 409, sentence: 'The work was cancelled.' },
  crashed: {
    category: 'internal',
    retry: 'never',
    status: 500,
    sentence: 'The task crashed its worker more than once.',
  },
  internal: {
    category: 'internal',
    retry: 'later',
    status: 500,
    sentence: 'Something unexpected went wrong inside Windrow.',
  },
  malformed_json: { category: 'invalid_params', retry: 'never', status: 400, sentence: 'The body is not valid JSON.' },
  bad_request: { category: 'invalid_params', retry: 'never', status: 400, sentence: 'The request is not valid HTTP.' },
  request_timeout: {
    category: 'timeout',
    retry: 'later',
    status: 408,
    sentence: 'The request was not sent completely in time.',
  },
  headers_too_large: {
    category: 'invalid_params',
    retry: 'never',
    status: 431,
    sentence: 'The headers of the request are larger than the limit.',
  },
  unsupported_media_type: {
    category: 'invalid_params',
    retry: 'never',
    status: 415,
    sentence: 'The body has to be application/json. A file of companies may also be application/yaml.',
  },
  not_cancellable: {
    category: 'invalid_params',
    retry: 'never',
    status: 400,
    sentence: 'The run has already ended and cannot be cancelled.',
  },
  unknown_id: { category: 'not_found', retry: 'never', status: 404, sentence: 'Nothing has this id.' },
  unknown_path: { category: 'not_found', retry: 'never', status: 404, sentence: 'There is no such endpoint.' },
  unauthorized: { category: 'invalid_params', retry: 'never', status: 401, sentence: 'A valid API key is needed.' },
  forbidden_origin: {
    category: 'invalid_params',
    retry: 'never',
    status: 403,
    sentence: 'Requests from pages of other origins are not allowed.',
  },
  keys_required: {
    category: 'invalid_params',
    retry: 'never',
    status: 500,
    sentence: 'Listening on an address other than loopback needs API_KEYS.',
  },
  body_too_large: {
    category: 'invalid_params',
    retry: 'never',
    status: 413,
    sentence: 'The request body is larger than the limit.',
  },
  too_many_requests: {
    category: 'rate_limited',
    retry: 'later',
    status: 429,
    sentence: 'Too many requests. Wait for the time in Retry-After.',
  },
  idempotency_key_reused: {
    category: 'invalid_params',
    retry: 'never',
    status: 409,
    sentence: 'This Idempotency-Key was used with another body.',
  },
  still_running: {
    category: 'invalid_params',
    retry: 'later',
    status: 409,
    sentence: 'The previous run of this schedule has not ended yet.',
  },
  nothing_to_do: {
    category: 'invalid_params',
    retry: 'never',
    status: 409,
    sentence: 'There is nothing to scrape.',
  },
  webhook_disabled: {
    category: 'invalid_params',
    retry: 'never',
    status: 409,
    sentence: 'The webhook is disabled. Enable it first (PATCH with {"enabled": true}).',
  },
  query_too_slow: {
    category: 'timeout',
    retry: 'never',
    status: 504,
    sentence:
      'The query takes longer than its limit. Ask for a shorter time, larger buckets, fewer groups, or add a filter.',
  },
  newer_database: {
    category: 'internal',
    retry: 'never',
    status: 503,
    sentence: 'The database was migrated by a newer Windrow. Upgrade this one.',
  },
  unavailable: {
    category: 'internal',
    retry: 'later',
    status: 503,
    sentence: 'The store cannot accept work right now. Try again after Retry-After.',
  },
  invalid_config: {
    category: 'internal',
    retry: 'never',
    status: 500,
    sentence: 'The configuration is not valid. See `windrow config`.',
  },
  invalid_usage: {
    category: 'invalid_params',
    retry: 'never',
    status: 400,
    sentence: 'Wrong usage. See --help of the command.',
  },
  home_in_use: {
    category: 'internal',
    retry: 'never',
    status: 409,
    sentence: 'Another Windrow uses this home folder. Stop it, or choose another folder with WINDROW_HOME.',
  },
  port_in_use: {
    category: 'internal',
    retry: 'never',
    status: 409,
    sentence: 'The port is in use. Choose another with --port.',
  },
  embedded_failed: {
    category: 'internal',
    retry: 'never',
    status: 500,
    sentence: 'The embedded PostgreSQL could not be started. See its log in WINDROW_HOME.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export interface FieldError {
  /** JSON Pointer into the request, `/articles/3/url`. */
  pointer: string;
  /** Follows the name of the field ("is required"), or is a sentence of its own if it begins with a capital letter. */
  detail: string;
}

/** `articles[3].url`, for people; `/articles/3/url` is for programs. */
export const fieldName = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');

/** What is wrong with a field, as a sentence. */
export const fieldSentence = ({ pointer, detail }: FieldError, whole = 'The body'): string =>
  /^\p{Lu}/u.test(detail) ? detail : `${fieldName(pointer) || whole} ${detail}`;

export interface AppErrorOptions {
  cause?: unknown;
  retryAfterMs?: number;
  details?: Record<string, unknown>;
  errors?: FieldError[];
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterMs: number | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly errors: FieldError[] | undefined;

  constructor(code: ErrorCode, message: string = ERRORS[code].sentence, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WindrowError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
    this.details = options.details;
    this.errors = options.errors;
  }

  get category(): ErrorCategory {
    return ERRORS[this.code].category;
  }

  get retry(): Retry {
    return ERRORS[this.code].retry;
  }
}

/** Whatever was thrown, as an AppError; what is not ours becomes `internal` with the original as its cause. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
}

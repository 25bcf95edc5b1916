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

const row = (category: ErrorCategory, retry: Retry, status: number, sentence: string): ErrorRow => ({
  category,
  retry,
  status,
  sentence,
});

export const ERRORS = {
  timeout: row('timeout', 'later', 504, 'The page took longer than the time limit.'),
  task_timeout: row(
    'timeout',
    'later',
    504,
    'The attempt took longer than the time limit of a task (TASK_TIMEOUT_SECONDS).',
  ),
  network: row('network', 'later', 502, 'The connection failed or was closed early.'),
  dns: row('network', 'later', 502, 'The host name could not be resolved.'),
  tls: row('network', 'later', 502, 'The TLS certificate of the site is not valid.'),
  proxy: row('network', 'later', 502, 'The proxy refused the connection or closed it early.'),
  http_4xx: row('http_4xx', 'never', 502, 'The site answered with a client error (4xx).'),
  http_5xx: row('http_5xx', 'later', 502, 'The site answered with a server error (5xx).'),
  rate_limited: row('rate_limited', 'later', 429, 'The site rate-limited us (429). The task waits and is tried again.'),
  paced: row('rate_limited', 'later', 429, 'The rate limit that Windrow keeps with the site. The task waits.'),
  blocked: row('blocked', 'later', 502, 'The site blocked the request as automated.'),
  login: row('blocked', 'later', 502, 'The site asked for a login. Windrow does not log in.'),
  captcha: row('captcha', 'later', 502, 'The site asked for a CAPTCHA. Windrow does not solve CAPTCHAs.'),
  robots: row(
    'robots',
    'never',
    403,
    'Disallowed by robots.txt of the site. To fetch it anyway: WEB_ROBOTS=off:<source>.',
  ),
  not_found: row('not_found', 'never', 404, 'The page does not exist.'),
  not_article: row('layout_changed', 'never', 422, 'The page is not an article.'),
  not_product: row('layout_changed', 'never', 422, 'The page is not a product.'),
  layout_changed: row('layout_changed', 'never', 502, 'The page does not have the layout this source expects.'),
  unreadable: row('layout_changed', 'never', 422, 'The page takes too long to read, or too much memory.'),
  too_large: row('http_4xx', 'never', 413, 'The response body is larger than the limit.'),
  unknown_source: row('internal', 'later', 500, 'The worker does not have this source.'),
  no_browser: row('internal', 'later', 500, 'The page needs a browser, and none could be started here.'),
  unreadable_report: row('internal', 'later', 500, 'The report of the worker could not be read.'),
  invalid_item: row('internal', 'never', 500, 'The source returned an item that is not valid.'),
  too_many_redirects: row('http_4xx', 'never', 502, 'The site redirected too often.'),
  unsupported_content: row('http_4xx', 'never', 415, 'The page has a content type that cannot be read.'),
  forbidden_address: row(
    'invalid_params',
    'never',
    422,
    'URL not allowed: it has to be http or https on port 80 or 443 of a public address.',
  ),
  invalid_params: row('invalid_params', 'never', 422, 'The request is not valid.'),
  cancelled: row('cancelled', 'never', 409, 'The work was cancelled.'),
  crashed: row('internal', 'never', 500, 'The task crashed its worker more than once.'),
  internal: row('internal', 'later', 500, 'Something unexpected went wrong inside Windrow.'),
  malformed_json: row('invalid_params', 'never', 400, 'The body is not valid JSON.'),
  bad_request: row('invalid_params', 'never', 400, 'The request is not valid HTTP.'),
  request_timeout: row('timeout', 'later', 408, 'The request was not sent completely in time.'),
  headers_too_large: row('invalid_params', 'never', 431, 'The headers of the request are larger than the limit.'),
  unsupported_media_type: row(
    'invalid_params',
    'never',
    415,
    'The body has to be application/json. A file of companies may also be application/yaml.',
  ),
  not_cancellable: row('invalid_params', 'never', 400, 'The run has already ended and cannot be cancelled.'),
  unknown_id: row('not_found', 'never', 404, 'Nothing has this id.'),
  unknown_path: row('not_found', 'never', 404, 'There is no such endpoint.'),
  unauthorized: row('invalid_params', 'never', 401, 'A valid API key is needed.'),
  insufficient_scope: row('invalid_params', 'never', 403, 'The scope of the API key does not allow this.'),
  key_inactive: row('invalid_params', 'never', 409, 'The key is revoked or has expired. Make a new one.'),
  forbidden_origin: row('invalid_params', 'never', 403, 'Requests from pages of other origins are not allowed.'),
  keys_required: row('invalid_params', 'never', 500, 'Listening on an address other than loopback needs API keys.'),
  body_too_large: row('invalid_params', 'never', 413, 'The request body is larger than the limit.'),
  too_many_requests: row('rate_limited', 'later', 429, 'Too many requests. Wait for the time in Retry-After.'),
  owner_quota: row(
    'rate_limited',
    'later',
    429,
    'The owner of this key has asked for as much as it may. Wait, or ask for fewer.',
  ),
  idempotency_key_reused: row('invalid_params', 'never', 409, 'This Idempotency-Key was used with another body.'),
  still_running: row('invalid_params', 'later', 409, 'The previous run of this schedule has not ended yet.'),
  nothing_to_do: row('invalid_params', 'never', 409, 'There is nothing to scrape.'),
  not_retryable: row(
    'invalid_params',
    'never',
    409,
    'This dead letter cannot be tried again by itself. Start what it was part of again.',
  ),
  webhook_disabled: row(
    'invalid_params',
    'never',
    409,
    'The webhook is disabled. Enable it first (PATCH with {"enabled": true}).',
  ),
  query_too_slow: row(
    'timeout',
    'never',
    504,
    'The query takes longer than its limit. Ask for a shorter time, larger buckets, fewer groups, or add a filter.',
  ),
  newer_database: row('internal', 'never', 503, 'The database was migrated by a newer Windrow. Upgrade this one.'),
  unusable_backup: row('invalid_params', 'never', 400, 'The backup cannot be restored.'),
  database_not_empty: row('invalid_params', 'never', 409, 'The database holds something already.'),
  database_in_use: row('invalid_params', 'never', 409, 'Windrow is running on the database. Stop it first.'),
  unavailable: row('internal', 'later', 503, 'The store cannot accept work right now. Try again after Retry-After.'),
  invalid_config: row('internal', 'never', 500, 'The configuration is not valid. See `windrow config`.'),
  invalid_usage: row('invalid_params', 'never', 400, 'Wrong usage. See --help of the command.'),
  home_in_use: row(
    'internal',
    'never',
    409,
    'Another Windrow uses this home folder. Stop it, or choose another folder with WINDROW_HOME.',
  ),
  port_in_use: row('internal', 'never', 409, 'The port is in use. Choose another with --port.'),
  embedded_failed: row(
    'internal',
    'never',
    500,
    'The embedded PostgreSQL could not be started. See its log in WINDROW_HOME.',
  ),
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

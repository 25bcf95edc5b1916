// Every setting in one table: environment name, how its text is read, default, allowed values, a sentence. A new setting is a new row;
// the flag, the documentation and the checks follow from it. Only `compose`, `cli` and `library` import this: the other rooms take plain options.

import { isQualityChange } from './model/quality/rules.ts';
import { parseRedisUrl, REDIS_URL_SHAPE } from './model/server/redis-url.ts';
import { isRetryWait } from './model/task/retry-table.ts';
import {
  address,
  checked,
  host,
  isAddressOrCidr,
  isKey,
  isLane,
  isMapping,
  isPort,
  isSourceLane,
  isSourcePace,
  listOf,
  oneOf,
  onOff,
  optional,
  path,
  proxies,
  type Setting,
  secret,
  setting,
  share,
  text,
  whole,
  wholeOrOff,
} from './setting.ts';

const SERVER = {
  host: setting(
    'HOST',
    host,
    '127.0.0.1',
    'Address the API listens on. Any address other than loopback needs API keys.',
  ),
  port: setting('PORT', whole(0, 65_535), '8000', 'Port the API listens on. 0 means any free port.', {
    alsoEnv: 'API_PORT',
  }),
  home: setting('WINDROW_HOME', path, '.windrow', 'Data folder: embedded PostgreSQL, archives, lock file.'),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Lowest log level that is written.',
  ),
  metricsPort: setting(
    'METRICS_PORT',
    wholeOrOff(1, 65_535),
    'off',
    'Port on which an orchestrator or a worker answers /metrics, /livez and /readyz. The API answers them on its own port.',
  ),
  metricsHost: setting(
    'METRICS_HOST',
    host,
    '127.0.0.1',
    'Address for METRICS_PORT. Whoever reaches it can read the metrics without a key.',
  ),
  tracesExporter: setting(
    'OTEL_TRACES_EXPORTER',
    oneOf('none', 'otlp'),
    'none',
    'With otlp, traces are sent to a collector of OpenTelemetry. The standard variables OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _COMPRESSION and _CERTIFICATE, OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES hold too.',
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    address(['http:', 'https:'], 'a URL like http://collector:4318'),
    'http://localhost:4318',
    'The collector, for OTLP over HTTP with protobuf. /v1/traces is added.',
  ),
  tracesSampler: setting(
    'OTEL_TRACES_SAMPLER',
    oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    'parentbased_always_on',
    'Which requests are traced. parentbased: whoever sends a traceparent decides for its request.',
  ),
  tracesSamplerArg: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    share,
    '1',
    'Share of requests that are traced, for the samplers with traceidratio.',
  ),
  shutdownGraceSeconds: setting(
    'SHUTDOWN_GRACE_SECONDS',
    whole(1, 3_600),
    '25',
    'Time that running tasks and requests have to finish after SIGTERM. Other tasks go back to the queue.',
  ),
} as const satisfies Record<string, Setting>;

const API = {
  apiKeys: optional(
    'API_KEYS',
    listOf(isKey, 'keys of 8 to 256 printable characters, separated by commas'),
    'API keys that may do everything, for the start: `windrow keys` makes others, with owners and scopes.',
    secret('API_KEYS'),
  ),
  apiBodyLimitBytes: setting(
    'API_BODY_LIMIT_BYTES',
    whole(1_024, 268_435_456),
    '8388608',
    'Maximum size of a request body. 10,000 articles need about 3 MB.',
  ),
  apiRateLimit: setting(
    'API_RATE_LIMIT',
    wholeOrOff(1, 1_000_000),
    'off',
    'Requests per minute for each API key that has no limit of its own, of all API processes together.',
  ),
  apiAddressRateLimit: optional(
    'API_ADDRESS_RATE_LIMIT',
    wholeOrOff(1, 1_000_000),
    'Requests per minute for each client address that sends no valid API key. If not set, API_RATE_LIMIT.',
  ),
  apiMaxSockets: setting('API_MAX_SOCKETS', whole(1, 1_000_000), '10000', 'Maximum number of open WebSockets.'),
  apiDrainSeconds: setting(
    'API_DRAIN_SECONDS',
    whole(0, 300),
    '0',
    'How long the API still accepts requests after SIGTERM while /readyz says 503, so that load balancers and clients with open connections leave first.',
  ),
  apiTrustProxy: optional(
    'API_TRUST_PROXY',
    listOf(isAddressOrCidr, 'addresses or CIDRs, separated by commas'),
    'Reverse proxies whose X-Forwarded-For is trusted.',
  ),
  syncTimeoutSeconds: setting(
    'SYNC_TIMEOUT_SECONDS',
    whole(1, 300),
    '30',
    'Maximum time that a request with mode=sync waits for its run.',
  ),
  resultTtlSeconds: setting('RESULT_TTL_SECONDS', whole(60, 31_536_000), '3600', 'How long cart results are kept.'),
  webhookSecret: optional(
    'WEBHOOK_SECRET',
    text(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, 'whsec_ and the base64 of 24 to 64 random bytes'),
    'Secret that signs deliveries to the webhook_url of a run. If not set, one is generated and stored. Webhooks have their own secrets.',
    secret('WEBHOOK_SECRET'),
  ),
  alertsMax: setting('ALERTS_MAX', whole(1, 100_000), '10000', 'Maximum number of alerts.'),
  crawlMaxPages: setting(
    'CRAWL_MAX_PAGES',
    whole(1, 1_000_000),
    '100000',
    'Maximum number of pages that one crawl may read.',
  ),
  webhookMax: setting('WEBHOOK_MAX', whole(1, 10_000), '100', 'Maximum number of webhooks.'),
  cartSource: setting(
    'CART_SOURCE',
    text(/^[a-z][a-z0-9-]*$/, 'the name of a source'),
    'google-shopping',
    'Source that searches the items of carts.',
  ),
  cartFreshSeconds: setting(
    'CART_FRESH_SECONDS',
    whole(0, 86_400),
    '900',
    'Search results of an item near a ZIP code are reused for this long.',
  ),
} as const satisfies Record<string, Setting>;

const STORE = {
  databaseUrl: optional(
    'DATABASE_URL',
    address(['postgres:', 'postgresql:'], 'a URL like postgres://user:password@host:5432/database'),
    'PostgreSQL 15 or newer. If not set, `up` starts an embedded PostgreSQL in WINDROW_HOME.',
    secret('DATABASE_URL'),
  ),
  databaseReadUrl: optional(
    'DATABASE_READ_URL',
    address(['postgres:', 'postgresql:'], 'a URL like postgres://user:password@host:5432/database'),
    'A streaming replica of DATABASE_URL, from which the API reads lists, analytics and exports. While it is away or too far behind they are read from DATABASE_URL.',
    secret('DATABASE_READ_URL'),
  ),
  databaseReadLagSeconds: setting(
    'DATABASE_READ_LAG_SECONDS',
    whole(1, 3_600),
    '10',
    'How far the replica may be behind and still be read from.',
  ),
  databasePool: setting(
    'DATABASE_POOL',
    whole(2, 500),
    '10',
    'Maximum number of connections to PostgreSQL per process.',
  ),
  databaseStatementTimeoutSeconds: setting(
    'DATABASE_STATEMENT_TIMEOUT_SECONDS',
    whole(1, 3_600),
    '30',
    'Statement timeout in PostgreSQL.',
  ),
  databaseLockTimeoutSeconds: setting(
    'DATABASE_LOCK_TIMEOUT_SECONDS',
    whole(1, 3_600),
    '2',
    'Lock timeout in PostgreSQL.',
  ),
  databaseAnswerMs: setting(
    'DATABASE_ANSWER_MS',
    whole(100, 60_000),
    '2500',
    'When PostgreSQL does not answer, or a table is locked, requests to the API are answered 503 after this many milliseconds.',
  ),
  runRetentionDays: setting('RUN_RETENTION_DAYS', whole(1, 36_500), '30', 'How long ended runs are kept.'),
  deadLetterRetentionDays: setting(
    'DEAD_LETTER_RETENTION_DAYS',
    whole(1, 36_500),
    '30',
    'How long dead letters are kept.',
  ),
  evidenceRetentionDays: setting(
    'EVIDENCE_RETENTION_DAYS',
    whole(1, 36_500),
    '30',
    'How long saved pages of failed attempts are kept.',
  ),
  articleRetentionDays: setting(
    'ARTICLE_RETENTION_DAYS',
    wholeOrOff(1, 36_500),
    '365',
    'How long articles are kept and reused. off keeps them forever.',
  ),
  postingRetentionDays: setting(
    'POSTING_RETENTION_DAYS',
    wholeOrOff(1, 36_500),
    '180',
    'How long postings are kept after they were last seen. off keeps them forever.',
  ),
  sessionRetentionDays: setting(
    'SESSION_RETENTION_DAYS',
    whole(1, 36_500),
    '90',
    'How long scrape sessions of companies and the history of their schedules are kept.',
  ),
  positionRetentionDays: setting(
    'POSITION_RETENTION_DAYS',
    wholeOrOff(1, 36_500),
    '365',
    'How long positions of companies are kept after they closed. off keeps them forever.',
  ),
  positionStaleDays: setting(
    'POSITION_STALE_DAYS',
    whole(1, 3_650),
    '14',
    'A position that no scrape has seen for this many days is closed.',
  ),
  alertRetentionDays: setting('ALERT_RETENTION_DAYS', whole(1, 36_500), '90', 'How long matches of alerts are kept.'),
  webhookRetentionDays: setting(
    'WEBHOOK_RETENTION_DAYS',
    whole(1, 3_650),
    '14',
    'How long webhook deliveries and their outcomes are kept.',
  ),
  priceRetentionDays: setting('PRICE_RETENTION_DAYS', whole(1, 3_650), '90', 'How long the price history is kept.'),
  idempotencyHours: setting(
    'IDEMPOTENCY_HOURS',
    whole(1, 8_760),
    '24',
    'How long an Idempotency-Key and its response are kept.',
  ),
} as const satisfies Record<string, Setting>;

const EVIDENCE = {
  evidenceStore: setting(
    'EVIDENCE_STORE',
    text(
      /^(?:off|database|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]{0,200})?)$/,
      'off, database, or s3://bucket/prefix',
    ),
    'database',
    'Where pages and screenshots of failed attempts are kept. off: none is kept, and on a worker none is sent.',
  ),
  evidenceMaxBytes: setting(
    'EVIDENCE_MAX_BYTES',
    whole(1_048_576, 1_000_000_000_000),
    '1073741824',
    'Maximum size of all saved pages and screenshots. Past it the oldest are deleted.',
  ),
  evidencePerCause: setting(
    'EVIDENCE_PER_CAUSE',
    whole(1, 100_000),
    '100',
    'Maximum number of saved pages of one source with the same error. Past it the oldest are deleted.',
  ),
  evidenceS3Endpoint: optional(
    'EVIDENCE_S3_ENDPOINT',
    address(['http:', 'https:'], 'a URL like https://minio.example:9000'),
    "S3-compatible server for EVIDENCE_STORE=s3://…. If not set: Amazon's in EVIDENCE_S3_REGION.",
  ),
  evidenceS3Region: setting(
    'EVIDENCE_S3_REGION',
    text(/^[a-z0-9-]{1,40}$/, 'a region like us-east-1'),
    'us-east-1',
    'Region of the bucket.',
  ),
  evidenceS3KeyId: optional(
    'EVIDENCE_S3_KEY_ID',
    text(/^[\x21-\x7e]{3,256}$/, 'an access key id'),
    'Access key for the bucket. It has to be allowed to put, get and delete objects.',
  ),
  evidenceS3Secret: optional(
    'EVIDENCE_S3_SECRET',
    text(/^[\x21-\x7e]{8,256}$/, 'the secret of an access key'),
    'Secret of that access key.',
    secret('EVIDENCE_S3_SECRET'),
  ),
} as const satisfies Record<string, Setting>;

const WIRE = {
  redisUrl: optional(
    'REDIS_URL',
    checked((url) => parseRedisUrl(url) !== null, REDIS_URL_SHAPE),
    'Redis 7 or newer, for messages between processes: redis://, rediss:// for TLS (?ca_file= names its CA), redis+sentinel://host,host/name. If not set, all roles have to run in one process.',
    secret('REDIS_URL'),
  ),
  redisPrefix: setting(
    'REDIS_PREFIX',
    text(/^[a-zA-Z0-9:._{}-]{1,64}$/, '1 to 64 letters, digits and : . _ - { }'),
    'scraping',
    'Prefix of every key in Redis, so that several installations can share one Redis.',
  ),
} as const satisfies Record<string, Setting>;

const WORK = {
  ownerMaxOpenTasks: setting(
    'OWNER_MAX_OPEN_TASKS',
    wholeOrOff(1, 100_000_000),
    'off',
    'Tasks that the owner of an API key may have waiting or running, where no key of it says otherwise. With keys only.',
  ),
  ownerMaxTasksPerDay: setting(
    'OWNER_MAX_TASKS_PER_DAY',
    wholeOrOff(1, 1_000_000_000),
    'off',
    'Tasks that the owner of an API key may ask for in a day (UTC), where no key of it says otherwise. With keys only.',
  ),
  maxRetryAttempts: setting(
    'MAX_RETRY_ATTEMPTS',
    whole(0, 20),
    '3',
    'Maximum number of retries of a task after its first attempt.',
  ),
  retryWaits: optional(
    'RETRY_WAITS',
    listOf(isRetryWait, 'kind=wait/wait entries such as timeout=15s/1m/4m or all=1s, separated by commas'),
    'How long a task waits before each retry, by what went wrong; the last wait repeats. The kinds and their defaults are in docs/operations.md.',
  ),
  qualityRules: optional(
    'QUALITY_RULES',
    listOf(
      isQualityChange,
      'source.rule=warn/suspect entries such as indeed.company=0.2/0.6/hold or *.salary=off, separated by commas',
    ),
    'Changes the rules by which results are compared with the runs before, for one source or for all (*). The rules and their defaults are in docs/quality.md.',
  ),
  taskTimeoutSeconds: setting('TASK_TIMEOUT_SECONDS', whole(1, 86_400), '900', 'Time limit of one attempt at a task.'),
  dispatchWindow: setting(
    'DISPATCH_WINDOW',
    whole(1, 1_000_000),
    '2000',
    'Maximum number of tasks per lane that wait in Redis (or memory). The others wait in PostgreSQL.',
  ),
  leaseSeconds: setting(
    'LEASE_SECONDS',
    whole(2, 3_600),
    '10',
    'A task whose worker sends no heartbeat for this long is queued again.',
  ),
  heartbeatSeconds: setting(
    'HEARTBEAT_SECONDS',
    whole(1, 1_800),
    '3',
    'Interval of worker heartbeats. At most half of LEASE_SECONDS.',
  ),
  sweepSeconds: setting(
    'SWEEP_SECONDS',
    whole(1, 3_600),
    '5',
    'How often the orchestrator looks for lost tasks and expired data.',
  ),
  alertFolder: optional(
    'ALERT_FOLDER',
    path,
    'Folder for the files that alerts write. Default: `alerts` in WINDROW_HOME.',
  ),
  alertFileMaxBytes: setting(
    'ALERT_FILE_MAX_BYTES',
    whole(100_000, 1_000_000_000_000),
    '104857600',
    'Maximum size of an alert file. Past it the file is renamed to .old, which replaces the previous .old.',
  ),
  sourceLanes: optional(
    'SOURCE_LANES',
    listOf(isSourceLane, 'source=lane pairs, separated by commas'),
    'Gives a source its own lane, so that `windrow worker --lanes <lane>` works only for that source.',
  ),
} as const satisfies Record<string, Setting>;

const SOURCES = {
  configModule: optional(
    'WINDROW_CONFIG_MODULE',
    path,
    'Module that exports defineConfig({ sources }): sources of your own. Without it windrow.config.ts, .mjs or .js of the working folder; off for none.',
  ),
  sourceModules: optional(
    'WINDROW_SOURCES',
    listOf((entry) => entry !== '', 'paths such as ./my-source.ts, or packages, separated by commas'),
    'More modules that export sources of your own.',
  ),
} as const satisfies Record<string, Setting>;

const WORKER = {
  workerConcurrency: setting('WORKER_CONCURRENCY', whole(1, 10_000), '50', 'Concurrent tasks per worker process.'),
  workerLanes: setting(
    'WORKER_LANES',
    listOf(isLane, 'lane names in lower case, separated by commas'),
    'http,browser',
    'Lanes from which a worker takes tasks.',
  ),
  readingThreads: optional(
    'READING_THREADS',
    whole(1, 64),
    'Threads of a worker process in which sources read pages. If not set, one per core, at least 2 and at most 4, and with WORKER_LEAN one; they start when they are needed.',
  ),
  pageCpuSeconds: setting(
    'PAGE_CPU_SECONDS',
    whole(1, 3_600),
    '5',
    'CPU time that reading one page may take. Past it the page is unreadable, and its task is not tried again.',
  ),
  workerLean: setting(
    'WORKER_LEAN',
    onOff,
    'off',
    'Low-memory mode: about 70 instead of 200 MB at 100 concurrent fetches, and about half the pages per CPU second.',
  ),
} as const satisfies Record<string, Setting>;

const WEB = {
  scrapeTimeoutSeconds: setting(
    'SCRAPE_TIMEOUT',
    whole(1, 3_600),
    '30',
    'Time limit in seconds for one page, including redirects and body.',
  ),
  webMaxBytes: setting(
    'WEB_MAX_BYTES',
    whole(1_024, 1_073_741_824),
    '10485760',
    'Maximum size of a page after decompression.',
  ),
  chromiumPath: optional(
    'CHROMIUM_PATH',
    text(/^\//, 'an absolute path'),
    'Path of the Chromium binary. If not set, the one on PATH.',
  ),
  browserDriver: optional(
    'BROWSER_DRIVER',
    text(/^[a-z@][\w@/.-]*$/, 'the name of an installed package'),
    'Browser driver package to use instead of playwright-core, such as patchright-core.',
  ),
  webHostMap: optional(
    'WEB_HOST_MAP',
    listOf(isMapping, 'host=origin pairs such as *=http://127.0.0.1:9100, separated by commas'),
    'Sends the requests for a host to another origin and keeps the Host header. * means all other hosts.',
  ),
  webAllowPrivate: optional(
    'WEB_ALLOW_PRIVATE',
    listOf(isAddressOrCidr, 'addresses or CIDRs such as 127.0.0.1 or 10.0.0.0/8, separated by commas'),
    'Private addresses that may be fetched (SSRF guard exceptions).',
  ),
  webPorts: optional(
    'WEB_PORTS',
    listOf(isPort, 'ports from 1 to 65535, separated by commas'),
    'Ports of public addresses that may be fetched, besides 80 and 443.',
  ),
  webUserAgent: optional(
    'WEB_USER_AGENT',
    text(/^[\x20-\x7e]{1,512}$/, 'printable ASCII'),
    'User-Agent header sent to sites.',
  ),
  webProxies: optional(
    'WEB_PROXIES',
    proxies,
    'Proxies in tiers: `direct; http://a:1, http://b:2; socks5://c:3` first tries without a proxy.',
    { isSecret: true, fileEnv: 'WEB_PROXY_FILE' },
  ),
  webDirectExit: setting(
    'WEB_DIRECT_EXIT',
    text(/^[a-zA-Z0-9._-]{1,64}$/, '1 to 64 letters, digits and . _ -'),
    'direct',
    'Name of the address this machine has without a proxy. Machines with the same name keep the rate limit of a site together; give each its own only if sites see them under different addresses.',
  ),
  webRobots: setting(
    'WEB_ROBOTS',
    text(/^(on|off|off:[a-z0-9._-]+(,[a-z0-9._-]+)*)$/, 'on, off, or off:source,source'),
    'on',
    'Whether robots.txt is obeyed: on, off, or off for the named sources.',
  ),
  sourcePace: optional(
    'SOURCE_PACE',
    listOf(isSourcePace, 'source=requests/milliseconds entries such as linkedin=2/1500, separated by commas'),
    'Rate limit of a source for each host and exit (a proxy, or the own address): concurrent requests, and minimum milliseconds between two. Backoff and robots.txt still apply.',
  ),
  sourceSettings: optional(
    'SOURCE_SETTINGS',
    listOf((entry) => /^[a-z0-9-]+\.[a-z0-9_]+=\S+$/.test(entry), 'source.name=value entries, separated by commas'),
    'Keys and tokens for sources, such as indeed.app_key=…. See docs/sources.md.',
    secret('SOURCE_SETTINGS'),
  ),
  webCache: setting('WEB_CACHE', onOff, 'off', 'HTTP cache in WINDROW_HOME/cache (ETag, Last-Modified, freshness).'),
  webCacheMaxBytes: setting(
    'WEB_CACHE_MAX_BYTES',
    whole(1_048_576, 1_099_511_627_776),
    '268435456',
    'Maximum size of the HTTP cache.',
  ),
  webArchive: setting('WEB_ARCHIVE', onOff, 'off', 'Writes fetched pages as WARC files to WINDROW_HOME/archive.'),
  webArchiveMaxBytes: setting(
    'WEB_ARCHIVE_MAX_BYTES',
    whole(1_048_576, 1_000_000_000_000),
    '4294967296',
    'Maximum size of the archive. Past it the oldest files are deleted.',
  ),
} as const satisfies Record<string, Setting>;

const CLIENT = {
  url: optional(
    'WINDROW_URL',
    text(/^https?:\/\/[^\s?#]+$/i, 'a URL like http://127.0.0.1:8000'),
    'URL of the server for client commands (submit, runs, run, cancel and others). If not set: the server running in WINDROW_HOME, else http://127.0.0.1:8000.',
  ),
  apiKey: optional(
    'WINDROW_API_KEY',
    text(/^[\x21-\x7e]{8,256}$/, 'a key of 8 to 256 printable characters'),
    'API key that client commands send.',
    secret('WINDROW_API_KEY'),
  ),
} as const satisfies Record<string, Setting>;

/** In the order of `windrow config`. */
export const TOPICS: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  Server: SERVER,
  API: API,
  Store: STORE,
  'Saved pages of failures': EVIDENCE,
  Wire: WIRE,
  Work: WORK,
  'Sources of your own': SOURCES,
  Worker: WORKER,
  Web: WEB,
  'Client commands': CLIENT,
};

export const SETTINGS = {
  ...SERVER,
  ...API,
  ...STORE,
  ...EVIDENCE,
  ...WIRE,
  ...WORK,
  ...SOURCES,
  ...WORKER,
  ...WEB,
  ...CLIENT,
} as const;

export type SettingName = keyof typeof SETTINGS;

export type Config = Readonly<{
  [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
}>;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** `PORT` is `--port`, `WINDROW_HOME` is `--home`, `WORKER_LANES` is `--lanes`. Secrets have no flag. */
export function flagOf(name: SettingName): string | null {
  const row: Setting = SETTINGS[name];
  if (row.isSecret) return null;
  return `--${row.env
    .toLowerCase()
    .replace(/^(windrow|worker)_/, '')
    .replaceAll('_', '-')}`;
}

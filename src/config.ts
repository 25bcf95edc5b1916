// Every setting in one table: environment name, how its text is read, default, what is allowed, a sentence. Adding a setting is adding a row;
// the flag, the documentation and the checks follow from it. Only `compose`, `cli` and `library` import this: the rooms are handed plain options.
import {
  address,
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
  text,
  whole,
  wholeOrOff,
} from './setting.ts';

const SERVER = {
  host: setting('HOST', host, '127.0.0.1', 'Address the API listens on. Anything but loopback needs API_KEYS.'),
  port: setting('PORT', whole(0, 65_535), '8000', 'Port the API listens on; 0 takes any free one.', {
    alsoEnv: 'API_PORT',
  }),
  home: setting('WINDROW_HOME', path, '.windrow', 'Folder of the embedded PostgreSQL, archives and the lock file.'),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Log lines below this level are not written.',
  ),
  shutdownGraceSeconds: setting(
    'SHUTDOWN_GRACE_SECONDS',
    whole(1, 3_600),
    '25',
    'How long running tasks may take to finish after SIGTERM; what is left is given back unharmed.',
  ),
} as const satisfies Record<string, Setting>;

const API = {
  apiKeys: optional(
    'API_KEYS',
    listOf(isKey, 'keys of 8 to 256 visible characters, separated by commas'),
    'Keys that clients have to present.',
    secret('API_KEYS'),
  ),
  apiBodyLimitBytes: setting(
    'API_BODY_LIMIT_BYTES',
    whole(1_024, 268_435_456),
    '8388608',
    'Largest request body; 10,000 articles need about 3 MB.',
  ),
  apiRateLimit: setting(
    'API_RATE_LIMIT',
    wholeOrOff(1, 1_000_000),
    'off',
    'Requests a minute that one key (or one address, without keys) may make.',
  ),
  apiMaxSockets: setting('API_MAX_SOCKETS', whole(1, 1_000_000), '10000', 'Most WebSockets open at a time.'),
  apiTrustProxy: optional(
    'API_TRUST_PROXY',
    listOf(isAddressOrCidr, 'addresses or CIDRs, separated by commas'),
    'Proxies in front of the API whose X-Forwarded-For is believed.',
  ),
  syncTimeoutSeconds: setting(
    'SYNC_TIMEOUT_SECONDS',
    whole(1, 300),
    '30',
    'How long a request with mode=sync waits for its run.',
  ),
  resultTtlSeconds: setting('RESULT_TTL_SECONDS', whole(60, 31_536_000), '3600', 'How long cart results are kept.'),
  webhookSecret: optional(
    'WEBHOOK_SECRET',
    text(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, 'whsec_ and the base64 of 24 to 64 random bytes'),
    'Signs what is sent to the webhook_url of a run; without it one is made and kept in the store. Webhooks have secrets of their own.',
    secret('WEBHOOK_SECRET'),
  ),
  alertsMax: setting('ALERTS_MAX', whole(1, 100_000), '10000', 'Most alerts there may be.'),
  webhookMax: setting('WEBHOOK_MAX', whole(1, 10_000), '100', 'Most webhooks that can be registered.'),
  cartSource: setting(
    'CART_SOURCE',
    text(/^[a-z][a-z0-9-]*$/, 'the name of a source'),
    'google-shopping',
    'The source that carts are searched with.',
  ),
  cartFreshSeconds: setting(
    'CART_FRESH_SECONDS',
    whole(0, 86_400),
    '900',
    'An item looked up near a ZIP code within this time is not looked up again.',
  ),
} as const satisfies Record<string, Setting>;

const STORE = {
  databaseUrl: optional(
    'DATABASE_URL',
    address(['postgres:', 'postgresql:'], 'a URL like postgres://user:password@host:5432/database'),
    'PostgreSQL 15 or newer. Without it `up` starts an embedded one in WINDROW_HOME.',
    secret('DATABASE_URL'),
  ),
  databasePool: setting('DATABASE_POOL', whole(2, 500), '10', 'Most connections one process opens to PostgreSQL.'),
  databaseStatementTimeoutSeconds: setting(
    'DATABASE_STATEMENT_TIMEOUT_SECONDS',
    whole(1, 3_600),
    '30',
    'PostgreSQL gives up on a statement after this long.',
  ),
  databaseLockTimeoutSeconds: setting(
    'DATABASE_LOCK_TIMEOUT_SECONDS',
    whole(1, 3_600),
    '5',
    'PostgreSQL gives up waiting for a lock after this long.',
  ),
  runRetentionDays: setting('RUN_RETENTION_DAYS', whole(1, 36_500), '30', 'How long ended runs are kept.'),
  deadLetterRetentionDays: setting(
    'DEAD_LETTER_RETENTION_DAYS',
    whole(1, 36_500),
    '30',
    'How long dead letters are kept.',
  ),
  articleRetentionDays: setting(
    'ARTICLE_RETENTION_DAYS',
    wholeOrOff(1, 36_500),
    '365',
    'How long articles are kept and reused; off keeps them for ever.',
  ),
  postingRetentionDays: setting(
    'POSTING_RETENTION_DAYS',
    wholeOrOff(1, 36_500),
    '180',
    'How long postings are kept after they were last seen; off keeps them for ever.',
  ),
  sessionRetentionDays: setting(
    'SESSION_RETENTION_DAYS',
    whole(1, 36_500),
    '90',
    'How long scrapes of companies, and what their schedules decided, are kept.',
  ),
  positionRetentionDays: setting(
    'POSITION_RETENTION_DAYS',
    wholeOrOff(1, 36_500),
    '365',
    'How long positions of companies are kept after they closed; off keeps them for ever.',
  ),
  positionStaleDays: setting(
    'POSITION_STALE_DAYS',
    whole(1, 3_650),
    '14',
    'A position that no scrape has seen for so many days is closed.',
  ),
  alertRetentionDays: setting(
    'ALERT_RETENTION_DAYS',
    whole(1, 36_500),
    '90',
    'How long it is kept what alerts have matched.',
  ),
  webhookRetentionDays: setting(
    'WEBHOOK_RETENTION_DAYS',
    whole(1, 3_650),
    '14',
    'How long it is kept what was sent to webhooks and what came of it.',
  ),
  priceRetentionDays: setting('PRICE_RETENTION_DAYS', whole(1, 3_650), '90', 'How long the history of prices is kept.'),
  idempotencyHours: setting(
    'IDEMPOTENCY_HOURS',
    whole(1, 8_760),
    '24',
    'How long an Idempotency-Key is remembered with its answer.',
  ),
} as const satisfies Record<string, Setting>;

const WIRE = {
  redisUrl: optional(
    'REDIS_URL',
    address(['redis:', 'rediss:'], 'a URL like redis://user:password@host:6379/0'),
    'Redis 7 or newer, which carries messages between processes. Without it they stay in the memory of one.',
    secret('REDIS_URL'),
  ),
  redisPrefix: setting(
    'REDIS_PREFIX',
    text(/^[a-zA-Z0-9:._{}-]{1,64}$/, '1 to 64 letters, digits and : . _ - { }'),
    'scraping',
    'Start of every name in Redis, so that several Windrows can share one.',
  ),
} as const satisfies Record<string, Setting>;

const WORK = {
  maxRetryAttempts: setting('MAX_RETRY_ATTEMPTS', whole(0, 20), '3', 'Retries of a task after its first attempt.'),
  taskTimeoutSeconds: setting('TASK_TIMEOUT_SECONDS', whole(1, 86_400), '900', 'Hard limit of one attempt at a task.'),
  dispatchWindow: setting(
    'DISPATCH_WINDOW',
    whole(1, 1_000_000),
    '2000',
    'Most tasks of a lane that wait on the wire at a time; the others stay in the store.',
  ),
  leaseSeconds: setting(
    'LEASE_SECONDS',
    whole(2, 3_600),
    '10',
    'A task not heard of for this long is lost and queued again.',
  ),
  heartbeatSeconds: setting(
    'HEARTBEAT_SECONDS',
    whole(1, 1_800),
    '3',
    'How often a worker says which tasks it has; at most half of LEASE_SECONDS.',
  ),
  sweepSeconds: setting(
    'SWEEP_SECONDS',
    whole(1, 3_600),
    '5',
    'How often the orchestrator looks for lost tasks and for what has to be removed.',
  ),
  alertFolder: optional(
    'ALERT_FOLDER',
    path,
    'Folder that alerts write their files to; `alerts` in WINDROW_HOME unless it is set.',
  ),
  alertFileMaxBytes: setting(
    'ALERT_FILE_MAX_BYTES',
    whole(100_000, 1_000_000_000_000),
    '104857600',
    'A file of an alert that would grow past this is put aside with .old behind its name, in place of the one before.',
  ),
  sourceLanes: optional(
    'SOURCE_LANES',
    listOf(isSourceLane, 'source=lane pairs, separated by commas'),
    'Gives a source a lane of its own, so that `windrow worker --lanes <lane>` serves only that source.',
  ),
} as const satisfies Record<string, Setting>;

const WORKER = {
  workerConcurrency: setting(
    'WORKER_CONCURRENCY',
    whole(1, 10_000),
    '50',
    'Tasks that one worker process runs at the same time.',
  ),
  workerLanes: setting(
    'WORKER_LANES',
    listOf(isLane, 'lane names in lower case, separated by commas'),
    'http,browser',
    'Lanes that a worker takes tasks from.',
  ),
  workerLean: setting(
    'WORKER_LEAN',
    onOff,
    'on',
    'Makes do with little memory (about 50 MB at 100 fetches). Off, a worker takes more of it and reads about twice the pages in a second of CPU.',
  ),
} as const satisfies Record<string, Setting>;

const WEB = {
  scrapeTimeoutSeconds: setting(
    'SCRAPE_TIMEOUT',
    whole(1, 3_600),
    '30',
    'Seconds for one page, redirects and body included.',
  ),
  webMaxBytes: setting(
    'WEB_MAX_BYTES',
    whole(1_024, 1_073_741_824),
    '10485760',
    'Largest body of a page, counted after decompression.',
  ),
  chromiumPath: optional(
    'CHROMIUM_PATH',
    text(/^\//, 'an absolute path'),
    'The Chromium that pages are shown in; the one of the system when it is not given.',
  ),
  browserDriver: optional(
    'BROWSER_DRIVER',
    text(/^[a-z@][\w@/.-]*$/, 'the name of an installed package'),
    'Drives the browser in place of playwright-core, such as patchright-core.',
  ),
  webHostMap: optional(
    'WEB_HOST_MAP',
    listOf(isMapping, 'host=origin pairs such as *=http://127.0.0.1:9100, separated by commas'),
    'Sends the requests for a host elsewhere, with the original Host; * stands for all others.',
  ),
  webAllowPrivate: optional(
    'WEB_ALLOW_PRIVATE',
    listOf(isAddressOrCidr, 'addresses or CIDRs such as 127.0.0.1 or 10.0.0.0/8, separated by commas'),
    'Private addresses that pages may be fetched from all the same.',
  ),
  webPorts: optional(
    'WEB_PORTS',
    listOf(isPort, 'ports from 1 to 65535, separated by commas'),
    'Ports of public addresses that may be fetched from besides 80 and 443.',
  ),
  webUserAgent: optional(
    'WEB_USER_AGENT',
    text(/^[\x20-\x7e]{1,512}$/, 'visible ASCII'),
    'What we call ourselves to the sites.',
  ),
  webProxies: optional(
    'WEB_PROXIES',
    proxies,
    'Proxies to go through, by tiers: `direct; http://a:1, http://b:2; socks5://c:3` tries no proxy first.',
    { isSecret: true, fileEnv: 'WEB_PROXY_FILE' },
  ),
  webRobots: setting(
    'WEB_ROBOTS',
    text(/^(on|off|off:[a-z0-9._-]+(,[a-z0-9._-]+)*)$/, 'on, off, or off:source,source'),
    'on',
    'Whether robots.txt is obeyed, or which sources are exempt.',
  ),
  sourcePace: optional(
    'SOURCE_PACE',
    listOf(isSourcePace, 'source=requests/milliseconds entries such as linkedin=2/1500, separated by commas'),
    'Another pace for a source: requests at a time to one of its hosts, and least milliseconds between two of them. Backoff and robots.txt stay.',
  ),
  sourceSettings: optional(
    'SOURCE_SETTINGS',
    listOf((entry) => /^[a-z0-9-]+\.[a-z0-9_]+=\S+$/.test(entry), 'source.name=value entries, separated by commas'),
    'Keys and tokens that the apps of sites use, such as indeed.app_key=…; docs/sources.md lists them.',
    secret('SOURCE_SETTINGS'),
  ),
  webCache: setting(
    'WEB_CACHE',
    onOff,
    'off',
    'Keep pages in WINDROW_HOME/cache and ask for them again only if they changed (ETag, Last-Modified, freshness).',
  ),
  webCacheMaxBytes: setting(
    'WEB_CACHE_MAX_BYTES',
    whole(1_048_576, 1_099_511_627_776),
    '268435456',
    'Most that the cache of pages may hold.',
  ),
  webArchive: setting('WEB_ARCHIVE', onOff, 'off', 'Write what was fetched as WARC into WINDROW_HOME/archive.'),
  webArchiveMaxBytes: setting(
    'WEB_ARCHIVE_MAX_BYTES',
    whole(1_048_576, 1_000_000_000_000),
    '4294967296',
    'Size of that folder; past it the oldest files are removed.',
  ),
  webSnapshots: setting(
    'WEB_SNAPSHOTS',
    onOff,
    'on',
    'Keep the first page of each kind that failed in WINDROW_HOME/snapshots, for a person to look at.',
  ),
} as const satisfies Record<string, Setting>;

const CLIENT = {
  url: optional(
    'WINDROW_URL',
    text(/^https?:\/\/[^\s?#]+$/i, 'a URL like http://127.0.0.1:8000'),
    'Server that submit, runs, run and cancel talk to. Without it the one running in WINDROW_HOME, else http://127.0.0.1:8000.',
  ),
  apiKey: optional(
    'WINDROW_API_KEY',
    text(/^[\x21-\x7e]{8,256}$/, 'a key of 8 to 256 visible characters'),
    'Key that these commands present.',
    secret('WINDROW_API_KEY'),
  ),
} as const satisfies Record<string, Setting>;

/** In the order they are shown. */
export const TOPICS: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  Server: SERVER,
  API: API,
  Store: STORE,
  Wire: WIRE,
  Work: WORK,
  Worker: WORKER,
  Web: WEB,
  'Client commands': CLIENT,
};

export const SETTINGS = { ...SERVER, ...API, ...STORE, ...WIRE, ...WORK, ...WORKER, ...WEB, ...CLIENT } as const;

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

import { expect, test } from 'vitest';
import { flagOf, SETTING_NAMES, SETTINGS } from '../../config.ts';
import type { Setting } from '../../setting.ts';
import { type ConfigInputs, resolveConfig } from './resolve-config.ts';

const resolve = (env: Record<string, string>, more: Partial<ConfigInputs> = {}) =>
  resolveConfig({
    env,
    readSecret: (path) => {
      throw Object.assign(new Error(`no file ${path}`), { code: 'ENOENT' });
    },
    ...more,
  });

test('an empty environment gives the defaults of the contract', () => {
  const { config, problems, warnings } = resolve({});
  expect(problems).toEqual([]);
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8000,
    home: '.windrow',
    logLevel: 'info',
    resultTtlSeconds: 3600,
    scrapeTimeoutSeconds: 30,
    taskTimeoutSeconds: 900,
    maxRetryAttempts: 3,
    syncTimeoutSeconds: 30,
    workerConcurrency: 50,
    workerLanes: ['http', 'browser'],
    webRobots: 'on',
    webArchive: false,
  });
  expect(config.databaseUrl).toBeUndefined();
  expect(config.redisUrl).toBeUndefined();
});

test('a flag beats the environment, which beats the file, which beats the default, field by field', () => {
  const { config, origins } = resolve(
    { PORT: '2', LOG_LEVEL: 'warn' },
    {
      flags: { port: '1' },
      file: { path: 'windrow.env', values: { PORT: '3', LOG_LEVEL: 'debug', HOST: 'localhost' } },
    },
  );
  expect([config.port, config.logLevel, config.host, config.home]).toEqual([1, 'warn', 'localhost', '.windrow']);
  expect([origins.port, origins.logLevel, origins.host, origins.home, origins.redisUrl]).toEqual([
    'flag --port',
    'env LOG_LEVEL',
    'windrow.env HOST',
    'default',
    'not set',
  ]);
});

test('every problem is reported at once, with name, value and what is allowed, and secrets stay hidden', () => {
  const { problems } = resolve({
    PORT: 'eight',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://me:hunter2@db/x',
    MAX_RETRY_ATTEMPTS: '-1',
  });
  expect(problems.map((problem) => problem.name).sort()).toEqual([
    'DATABASE_URL',
    'LOG_LEVEL',
    'MAX_RETRY_ATTEMPTS',
    'PORT',
  ]);
  expect(problems.find((problem) => problem.name === 'PORT')).toEqual({
    name: 'PORT',
    value: 'eight',
    origin: 'env PORT',
    allowed: 'a whole number from 0 to 65535',
  });
  expect(JSON.stringify(problems)).not.toContain('hunter2');
});

test('API_PORT is taken for PORT, and PORT wins over it', () => {
  expect(resolve({ API_PORT: '9000' }).config.port).toBe(9000);
  expect(resolve({ API_PORT: '9000', PORT: '9001' }).config.port).toBe(9001);
});

test('an empty variable counts as absent', () => {
  const { config, problems, origins } = resolve({ PORT: '', DATABASE_URL: '  ' });
  expect([config.port, config.databaseUrl, origins.port, problems]).toEqual([8000, undefined, 'default', []]);
});

test('a secret can be read from a file, but not be given twice', () => {
  const readSecret = (path: string) => (path === '/run/secrets/keys' ? 'first-key-1\nsecond-key-2\n' : '');
  const { config, origins } = resolve({ API_KEYS_FILE: '/run/secrets/keys' }, { readSecret });
  expect(config.apiKeys).toEqual(['first-key-1', 'second-key-2']);
  expect(origins.apiKeys).toBe('env API_KEYS_FILE');
  const both = resolve({ API_KEYS_FILE: '/run/secrets/keys', API_KEYS: 'other-key-3' }, { readSecret }).problems;
  expect(both).toHaveLength(1);
  expect(both[0]?.allowed).toContain('API_KEYS_FILE');
});

test('a secret file that cannot be read is a problem with its path', () => {
  const { problems } = resolve({ DATABASE_URL_FILE: '/nowhere' });
  expect(problems).toEqual([
    {
      name: 'DATABASE_URL_FILE',
      value: '/nowhere',
      origin: 'env DATABASE_URL_FILE',
      allowed: 'a file that can be read (ENOENT)',
    },
  ]);
});

test('WEB_PROXY_FILE is the file of WEB_PROXIES', () => {
  const { config } = resolve({ WEB_PROXY_FILE: 'p' }, { readSecret: () => 'http://a:1\nsocks5://u:p@b:2\n' });
  expect(config.webProxies).toBe('http://a:1\nsocks5://u:p@b:2');
});

test('0 and off both switch off', () => {
  expect(resolve({ ARTICLE_RETENTION_DAYS: 'off' }).config.articleRetentionDays).toBe(0);
  expect(resolve({ ARTICLE_RETENTION_DAYS: '0' }).config.articleRetentionDays).toBe(0);
  expect(resolve({ WEB_ARCHIVE: '0' }).config.webArchive).toBe(false);
});

test('listening on anything but loopback needs keys, and only then', () => {
  const listening = { isListening: true };
  expect(resolve({ HOST: '0.0.0.0' }, listening).problems[0]?.name).toBe('API_KEYS');
  expect(resolve({ HOST: '0.0.0.0', API_KEYS: 'long-enough' }, listening).problems).toEqual([]);
  expect(resolve({ HOST: '0.0.0.0' }).problems).toEqual([]);
  for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '::1'])
    expect(resolve({ HOST: host }, listening).problems).toEqual([]);
});

test('a command says which settings it cannot do without', () => {
  expect(resolve({}, { needs: ['redisUrl', 'databaseUrl'] }).problems.map((problem) => problem.name)).toEqual([
    'REDIS_URL',
    'DATABASE_URL',
  ]);
  // A bad one is reported once, as bad.
  expect(resolve({ REDIS_URL: 'http://x' }, { needs: ['redisUrl'] }).problems).toHaveLength(1);
});

test('a heartbeat must come at least twice in a lease', () => {
  expect(resolve({ HEARTBEAT_SECONDS: '6' }).problems.map((problem) => problem.name)).toEqual(['HEARTBEAT_SECONDS']);
  expect(resolve({ HEARTBEAT_SECONDS: '5' }).problems).toEqual([]);
});

test.each([
  ['HOST', '256.1.1.1'],
  ['HOST', 'a b'],
  ['PORT', '70000'],
  ['PORT', '0x10'],
  ['API_KEYS', 'short'],
  ['WEB_HOST_MAP', '*=ftp://x'],
  ['WEB_HOST_MAP', 'example.com'],
  ['WEB_HOST_MAP', '*=http://u:p@127.0.0.1'],
  ['WEB_ALLOW_PRIVATE', 'localhost'],
  ['WEB_ALLOW_PRIVATE', '10.0.0.0/33'],
  ['WEB_ROBOTS', 'maybe'],
  ['WORKER_LANES', 'HTTP'],
  ['WORKER_LANES', ','],
  ['SOURCE_LANES', 'indeed'],
  ['SOURCE_PACE', 'linkedin=4'],
  ['SOURCE_PACE', 'linkedin=0/500'],
  ['WEB_PORTS', '8080,0'],
  ['WEB_PROXIES', 'ftp://host:80'],
  ['WEB_PROXIES', '# none'],
  ['REDIS_URL', 'localhost:6379'],
  ['WINDROW_URL', '127.0.0.1:8000'],
])('%s=%s is refused', (name, value) => {
  expect(resolve({ [name]: value }).problems.map((problem) => problem.name)).toEqual([name]);
});

test.each([
  ['WEB_HOST_MAP', 'boards-api.greenhouse.io=http://127.0.0.1:9100,*=http://127.0.0.1:9200'],
  ['WEB_HOST_MAP', '*.example.com=http://[::1]:9100'],
  ['WEB_ALLOW_PRIVATE', '127.0.0.1,10.0.0.0/8,::1'],
  ['WEB_ROBOTS', 'off:indeed,glassdoor'],
  ['WEB_PROXIES', 'direct; http://a:1, b:2; socks5://u:p@c:3'],
  ['WEB_PROXIES', 'a.example:80:user:pass'],
  ['SOURCE_LANES', 'indeed=indeed,article=eu-http'],
  ['SOURCE_PACE', 'linkedin=4/250, google-jobs=100/0'],
  ['HOST', 'windrow.internal'],
  ['HOST', '::'],
])('%s=%s is taken', (name, value) => {
  expect(resolve({ [name]: value }).problems).toEqual([]);
});

test('a misspelt name is pointed out, names of other programs are not', () => {
  expect(resolve({ WORKER_CONCURENCY: '5' }).warnings).toEqual([
    'WORKER_CONCURENCY (environment) is not a Windrow setting. Did you mean WORKER_CONCURRENCY?',
  ]);
  expect(resolve({ WINDROW_COLOUR: 'red' }).warnings).toEqual([
    'WINDROW_COLOUR (environment) is not a Windrow setting.',
  ]);
  expect(resolve({ LOGLEVEL: 'info' }).warnings[0]).toContain('Did you mean LOG_LEVEL?');
  expect(
    resolve({ HOSTNAME: 'x', PATH: '/bin', POST: '1', HOME: '/root', LANG: 'C', PGPORT: '1', PWD: '/' }).warnings,
  ).toEqual([]);
  expect(resolve({ API_KEY: 'x', API_KEYS: 'long-enough' }).warnings).toEqual([]);
});

test('every unknown name in our own file is pointed out', () => {
  const file = { path: 'windrow.env', values: { COLOUR: 'red', WINDROW_CONFIG: 'x' } };
  expect(resolve({}, { file }).warnings).toEqual(['COLOUR (windrow.env) is not a Windrow setting.']);
});

test('the configuration cannot be changed afterwards', () => {
  const { config } = resolve({});
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  expect(() => (config.workerLanes as string[]).push('x')).toThrow(TypeError);
});

test('every row of the table has a readable default, a sentence, and a name of its own', () => {
  const rows: Setting[] = SETTING_NAMES.map((name) => SETTINGS[name]);
  for (const row of rows) {
    expect(row.about, row.env).toMatch(/^[A-Z].*\.$/);
    if (row.default !== null) expect(row.schema.safeParse(row.default).success, row.env).toBe(true);
  }
  const names = rows.flatMap((row) => [row.env, row.alsoEnv ?? `${row.env}*`, row.fileEnv ?? `${row.env}**`]);
  expect(new Set(names).size).toBe(names.length);
  const flags = SETTING_NAMES.map(flagOf).filter((flag) => flag !== null);
  expect(new Set(flags).size).toBe(flags.length);
  expect(flagOf('databaseUrl')).toBeNull();
});

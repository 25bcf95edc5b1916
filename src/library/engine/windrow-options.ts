// The options of an embedded engine, and the settings they stand for. Nothing is read from the environment or from windrow.env.
import { z } from 'zod';
import { resolveConfig } from '../../compose/settings/resolve-config.ts';
import { type Config, SETTINGS, type SettingName } from '../../config.ts';
import type { FieldError } from '../../model/errors.ts';
import { LOG_LEVELS, type LogLevel } from '../../observe/log.ts';
import type { Source } from '../../sources/define.ts';
import { checkOptions, invalidOptions } from '../options/option-errors.ts';
import { settingTexts, WEB_SETTINGS_SHAPE, type WebSettings } from '../options/web-options.ts';

/** How the engine is started. All of it has a default: an embedded PostgreSQL in `.windrow`, a worker, no API. */
export interface WindrowOptions extends WebSettings {
  /** Folder of the embedded PostgreSQL and of other files; `.windrow`. One engine at a time can use it. */
  home?: string | undefined;
  /** PostgreSQL 15 or newer, in place of the embedded one. */
  databaseUrl?: string | undefined;
  /** Redis 7 or newer, to share the work with workers elsewhere. */
  redisUrl?: string | undefined;
  /** Tasks at a time; 50. */
  concurrency?: number | undefined;
  /** `false` leaves the scraping to workers elsewhere; needs `redisUrl`. */
  worker?: boolean | undefined;
  /** Serves the HTTP API and the dashboard: `true` on http://127.0.0.1:8000, or where. Off by default. */
  api?:
    | boolean
    | { host?: string | undefined; port?: number | undefined; keys?: readonly string[] | undefined }
    | undefined;
  /** Sources of your own, beside those that are built in. */
  sources?: readonly Source[] | undefined;
  /** Log lines of this level and above; `error`. */
  logLevel?: LogLevel | undefined;
  /** Takes the log lines, which go to standard error otherwise. */
  onLog?: ((entry: Record<string, unknown>) => void) | undefined;
  /** Any other setting of docs/configuration.md by its name in camel case, such as `{ runRetentionDays: 7 }`. */
  settings?: Partial<Record<SettingName, string | number | boolean | readonly string[]>> | undefined;
}

const names = z.array(z.string());

const SCHEMA = z.strictObject({
  ...WEB_SETTINGS_SHAPE,
  home: z.string().optional(),
  databaseUrl: z.string().optional(),
  redisUrl: z.string().optional(),
  concurrency: z.number().optional(),
  worker: z.boolean().optional(),
  api: z
    .union(
      [
        z.boolean(),
        z.strictObject({ host: z.string().optional(), port: z.number().optional(), keys: names.optional() }),
      ],
      'has to be true, false or { host, port, keys }',
    )
    .optional(),
  sources: z.array(z.unknown()).optional(),
  logLevel: z.enum(LOG_LEVELS).optional(),
  onLog: z.custom((value) => typeof value === 'function', 'has to be a function').optional(),
  settings: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), names], 'has to be a string, a number, true, false or an array'),
    )
    .optional(),
});

const CALLER = 'createWindrow';

/** Throws with everything that is wrong. */
export function windrowConfig(given: WindrowOptions): Config {
  const options = checkOptions(CALLER, SCHEMA, given) as WindrowOptions;
  const { texts: webTexts, errors } = settingTexts(options);

  const texts: Partial<Record<SettingName, string>> = { ...webTexts };
  /** Where each setting was given, for errors. */
  const pointers = new Map<SettingName, string>();
  for (const [name, { text, pointer }] of ownTexts(options)) {
    if (!Object.hasOwn(SETTINGS, name)) {
      errors.push({ pointer, detail: 'is not a setting; docs/configuration.md lists them' });
      continue;
    }
    texts[name] = text;
    pointers.set(name, pointer);
  }
  if (options.worker === false && texts.redisUrl === undefined)
    errors.push({ pointer: '/redisUrl', detail: 'is missing; with worker: false the workers elsewhere need it' });
  if (errors.length > 0) throw invalidOptions(CALLER, errors);
  const { config, problems } = resolveConfig({
    flags: texts,
    env: {},
    readSecret: () => '',
    isListening: Boolean(options.api),
  });
  if (problems.length > 0)
    throw invalidOptions(
      CALLER,
      problems.map(({ name, allowed }): FieldError => {
        const setting = (Object.keys(SETTINGS) as SettingName[]).find((one) => SETTINGS[one].env === name)!;
        return { pointer: pointers.get(setting) ?? `/${OWN[setting] ?? setting}`, detail: `has to be ${allowed}` };
      }),
    );
  return config;
}

/** Setting → the option that stands for it. */
const OWN: Partial<Record<SettingName, string>> = {
  home: 'home',
  databaseUrl: 'databaseUrl',
  redisUrl: 'redisUrl',
  workerConcurrency: 'concurrency',
  logLevel: 'logLevel',
  host: 'api/host',
  port: 'api/port',
  apiKeys: 'api/keys',
};

type Texts = Map<SettingName, { text: string; pointer: string }>;

function ownTexts(options: WindrowOptions): Texts {
  const texts: Texts = new Map();
  const add = (name: SettingName, value: unknown, pointer = `/${OWN[name]}`): void => {
    if (value !== undefined) texts.set(name, { text: textOf(value), pointer });
  };
  for (const [name, value] of Object.entries(options.settings ?? {}))
    add(name as SettingName, value, `/settings/${name}`);
  const { api, browser } = options;
  add('home', options.home);
  add('databaseUrl', options.databaseUrl);
  add('redisUrl', options.redisUrl);
  add('workerConcurrency', options.concurrency);
  add('logLevel', options.logLevel ?? 'error');
  if (typeof api === 'object') {
    add('host', api.host);
    add('port', api.port);
    add('apiKeys', api.keys);
  }
  if (browser === false) add('workerLanes', 'http', '/browser');
  if (typeof browser === 'object') {
    add('chromiumPath', browser.executablePath, '/browser/executablePath');
    add('browserDriver', browser.driver, '/browser/driver');
  }
  return texts;
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join(',') : String(value);
}

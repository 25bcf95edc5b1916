// How the library touches the web, as options. Each stands for a setting of the table of settings, so that what is allowed, what is the default and what it
// does are the same as for a worker. Nothing is read from the environment.
import { z } from 'zod';
import { openReading } from '../../compose/reading/reading.ts';
import { resolveConfig } from '../../compose/settings/resolve-config.ts';
import { webOptions } from '../../compose/web.ts';
import { type Config, SETTINGS, type SettingName } from '../../config.ts';
import type { FieldError } from '../../model/errors.ts';
import { NO_MODULES } from '../../source-modules/load.ts';
import { createWeb } from '../../web/web.ts';
import type { TaskLimits } from '../run/run-task.ts';
import type { OpenedWeb } from '../run/scrape.ts';
import { invalidOptions } from './option-errors.ts';

/** How pages are fetched. The same for everything in the library; all of it has a default. */
export interface WebSettings {
  /** Proxies to go through, such as `http://user:password@host:8080`: a list to take turns with, or tiers as WEB_PROXIES has them. */
  proxies?: string | readonly string[] | undefined;
  /** `false` does not ask robots.txt; `{ offFor: ['indeed'] }` does not ask it for these sites. Asked by default. */
  robots?: boolean | { offFor: readonly string[] } | undefined;
  /** What Windrow calls itself to the sites. */
  userAgent?: string | undefined;
  /** Seconds that one page may take; 30. */
  pageTimeoutSeconds?: number | undefined;
  /** Seconds that one attempt at a search, page or item may take, without the time your loop takes; 900. */
  taskTimeoutSeconds?: number | undefined;
  /** Further attempts at what failed and may work later; 3. */
  maxRetries?: number | undefined;
  /** Largest page in bytes, after decompression; 10 MB. */
  maxBytes?: number | undefined;
  /** Another pace for a site: requests at a time, and least milliseconds between two of them. */
  pace?: Readonly<Record<string, { concurrency: number; delayMs: number }>> | undefined;
  /** Keys of sites that want one, such as `{ 'serpapi.api_key': '…' }`; docs/sources.md lists them. */
  keys?: Readonly<Record<string, string>> | undefined;
  /** Opens pages in Chromium where they need it: `true` for the one of the system, or which one. */
  browser?: boolean | { executablePath?: string | undefined; driver?: string | undefined } | undefined;
  /** Private addresses or CIDRs that may be fetched from all the same. */
  allowPrivate?: readonly string[] | undefined;
  /** Ports of public addresses that may be fetched from besides 80 and 443. */
  ports?: readonly number[] | undefined;
  /** Sends the requests for a host elsewhere: `{ '*': 'http://127.0.0.1:9100' }`. For tests. */
  hostMap?: Readonly<Record<string, string>> | undefined;
  /** All pages come from a sandbox web with generated data, none from the internet. For first steps and tests. */
  sandbox?: boolean | undefined;
}

const names = z.array(z.string());

export const WEB_SETTINGS_SHAPE = {
  proxies: z.union([z.string(), names], 'has to be a string or an array of strings').optional(),
  robots: z
    .union([z.boolean(), z.strictObject({ offFor: names.min(1) })], "has to be true, false or { offFor: ['indeed'] }")
    .optional(),
  userAgent: z.string().optional(),
  pageTimeoutSeconds: z.number().optional(),
  taskTimeoutSeconds: z.number().optional(),
  maxRetries: z.number().optional(),
  maxBytes: z.number().optional(),
  pace: z.record(z.string(), z.strictObject({ concurrency: z.number(), delayMs: z.number() })).optional(),
  keys: z.record(z.string(), z.string()).optional(),
  browser: z
    .union(
      [z.boolean(), z.strictObject({ executablePath: z.string().optional(), driver: z.string().optional() })],
      'has to be true, false or { executablePath, driver }',
    )
    .optional(),
  allowPrivate: names.optional(),
  ports: z.array(z.number()).optional(),
  hostMap: z.record(z.string(), z.string()).optional(),
  sandbox: z.boolean().optional(),
};

type Texts = Partial<Record<SettingName, string>>;

/** Option → setting, and the option's value as the text of the setting. */
const AS_SETTING: {
  [K in keyof WebSettings]?: { setting: SettingName; text(value: NonNullable<WebSettings[K]>): string };
} = {
  proxies: { setting: 'webProxies', text: (given) => (typeof given === 'string' ? given : given.join(', ')) },
  robots: {
    setting: 'webRobots',
    text: (given) => (typeof given === 'object' ? `off:${given.offFor.join(',')}` : given ? 'on' : 'off'),
  },
  userAgent: { setting: 'webUserAgent', text: String },
  pageTimeoutSeconds: { setting: 'scrapeTimeoutSeconds', text: String },
  taskTimeoutSeconds: { setting: 'taskTimeoutSeconds', text: String },
  maxRetries: { setting: 'maxRetryAttempts', text: String },
  maxBytes: { setting: 'webMaxBytes', text: String },
  pace: {
    setting: 'sourcePace',
    text: (given) =>
      Object.entries(given)
        .map(([site, { concurrency, delayMs }]) => `${site}=${concurrency}/${delayMs}`)
        .join(','),
  },
  keys: { setting: 'sourceSettings', text: pairs },
  allowPrivate: { setting: 'webAllowPrivate', text: (given) => given.join(',') },
  ports: { setting: 'webPorts', text: (given) => given.join(',') },
  hostMap: { setting: 'webHostMap', text: pairs },
};

function pairs(given: Readonly<Record<string, string>>): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/** The settings that these options stand for, as text; what is wrong with them. */
export function settingTexts(options: WebSettings): { texts: Texts; errors: FieldError[] } {
  const texts: Texts = {};
  const errors: FieldError[] = [];
  for (const [option, row] of Object.entries(AS_SETTING)) {
    const value = options[option as keyof WebSettings];
    if (value === undefined || isEmpty(value)) continue;
    const text = (row.text as (value: unknown) => string)(value);
    const { schema, allowed } = SETTINGS[row.setting];
    if (schema.safeParse(text).success) texts[row.setting] = text;
    else errors.push({ pointer: `/${option}`, detail: `has to be ${allowed}` });
  }
  if (options.sandbox && options.hostMap !== undefined)
    errors.push({ pointer: '/sandbox', detail: 'cannot be used together with hostMap' });
  return { texts, errors };
}

/** An empty list says nothing: as if it was not given. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Throws with everything that is wrong. */
export function webConfig(caller: string, options: WebSettings): Config {
  const { texts, errors } = settingTexts(options);
  if (errors.length > 0) throw invalidOptions(caller, errors);
  return resolveConfig({ flags: texts, env: {}, readSecret: () => '' }).config;
}

/** What a scrape needs of the settings. */
export const scrapingOf = (
  config: Config,
  options: Pick<WebSettings, 'browser' | 'sandbox'> = {},
): TaskLimits & { openWeb(): Promise<OpenedWeb> } => ({
  maxRetries: config.maxRetryAttempts,
  timeoutSeconds: config.taskTimeoutSeconds,
  openWeb: () => openScrapeWeb(config, options),
});

async function openScrapeWeb(config: Config, options: Pick<WebSettings, 'browser' | 'sandbox'>): Promise<OpenedWeb> {
  const sandbox = options.sandbox ? await (await import('../../sandbox/server.ts')).startSandbox() : null;
  try {
    const webs = createWeb({
      ...webOptions(config),
      ...(sandbox ? { hostMap: `*=${sandbox.origin}` } : {}),
      ...(options.browser ? { browser: await openBrowser(options.browser) } : {}),
    });
    const reading = openReading(config, NO_MODULES);
    return {
      webs,
      reading,
      async close() {
        await reading.close();
        await webs.close();
        await sandbox?.close();
      },
    };
  } catch (error) {
    await sandbox?.close();
    throw error;
  }
}

/** Its code is loaded where pages may need it; the browser itself starts with the first page. */
async function openBrowser(given: true | { executablePath?: string | undefined; driver?: string | undefined }) {
  const { createBrowserPool } = await import('../../web/browser/pool.ts');
  const { executablePath, driver } = given === true ? ({} as { executablePath?: string; driver?: string }) : given;
  return createBrowserPool({
    ...(executablePath === undefined ? {} : { executablePath }),
    ...(driver === undefined ? {} : { driver }),
  });
}

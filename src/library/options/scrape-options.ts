// What every function that scrapes takes, and how it becomes a plan.
import { z } from 'zod';
import type { Source } from '../../sources/define.ts';
import type { ScrapeCallbacks, ScrapePlan } from '../run/scrape.ts';
import { checkOptions } from './option-errors.ts';
import { scrapingOf, WEB_SETTINGS_SHAPE, type WebSettings, webConfig } from './web-options.ts';

/** Options of every scrape. */
export interface ScrapeOptions extends ScrapeCallbacks, WebSettings {}

const callback = z.custom<(told: never) => void>((value) => typeof value === 'function', 'has to be a function');

const SHAPE = {
  ...WEB_SETTINGS_SHAPE,
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'has to be an AbortSignal').optional(),
  onProgress: callback.optional(),
  onError: callback.optional(),
};

/** Options of one function: its own, and those of every scrape. Unknown ones are refused. */
export const optionsSchema = <S extends z.core.$ZodShape>(own: S) => z.strictObject({ ...SHAPE, ...own });

export type Scraping = Pick<
  ScrapePlan<unknown>,
  'signal' | 'onProgress' | 'onError' | 'maxRetries' | 'timeoutSeconds' | 'openWeb'
>;

/** Checks the options of a function and returns its own together with what they mean for the scrape. Throws at once. */
export function readOptions<O extends ScrapeOptions>(
  caller: string,
  schema: z.ZodObject,
  given: O,
): { options: O; scraping: Scraping } {
  const options = checkOptions(caller, schema, given) as O;
  const config = webConfig(caller, options);
  return {
    options,
    scraping: {
      signal: options.signal,
      onProgress: options.onProgress,
      onError: options.onError,
      ...scrapingOf(config, options),
    },
  };
}

/** A name, or a source of one's own. */
export const siteOption = z.custom<string | Source>(
  (value) =>
    typeof value === 'string' ||
    (typeof value === 'object' && value !== null && 'scrape' in value && 'params' in value && 'name' in value),
  'has to be the name of a site, or a source made with defineSource',
);

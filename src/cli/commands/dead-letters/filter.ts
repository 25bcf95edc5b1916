// Which dead letters a command is about: the filters of the API as options.
import type { Command } from 'commander';
import type { z } from 'zod';
import type {
  Group as ApiGroup,
  Letter as ApiLetter,
  OneLetter as ApiOneLetter,
} from '../../../api/dead-letters/schemas.ts';
import { AppError } from '../../../model/errors.ts';
import type { ClientOptions } from '../lists/about-one.ts';

export type Letter = z.infer<typeof ApiLetter>;
export type OneLetter = z.infer<typeof ApiOneLetter>;
export type Group = z.infer<typeof ApiGroup>;

export interface FilterOptions extends ClientOptions {
  source?: string;
  code?: string;
  category?: string;
  run?: string;
  after?: string;
  before?: string;
  all?: boolean;
}

export const takesFilter = (made: Command): Command =>
  made
    .option('-s, --source <name>', 'only of this source')
    .option('-c, --code <code>', 'only with this cause: the code of the error, as `groups` shows it')
    .option('--category <category>', 'only of this category of errors')
    .option('--run <id>', 'only those that this run asked for')
    .option('--after <time>', 'only those that failed for good after this time (2026-02-04, or with a time in UTC)')
    .option('--before <time>', 'only those before');

export function filterOf({ source, code, category, run, after, before }: FilterOptions): Record<string, string> {
  const given = { source, code, category, run_id: run, died_after: after, died_before: before };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** One, or those of the filter, or all; nothing given must not mean everything. */
export function whichOf(
  id: string | undefined,
  options: FilterOptions,
): { id: string } | { filter: Record<string, string | boolean> } {
  const filter = filterOf(options);
  const isFiltered = Object.keys(filter).length > 0;
  if (id !== undefined) {
    if (isFiltered || options.all)
      throw new AppError('invalid_usage', 'Give the id of one dead letter, or a filter, not both.');
    return { id };
  }
  if (!isFiltered && !options.all)
    throw new AppError(
      'invalid_usage',
      'Say which: the id of a dead letter, a filter such as --source or --code, or --all.',
    );
  return { filter: { ...filter, ...(options.all ? { all: true } : {}) } };
}

export const pathOf = (id: string): string => `/dead-letters/${encodeURIComponent(id)}`;

/** What it was about, in a few words. */
export function inputText(params: Record<string, unknown>): string {
  if (typeof params.url === 'string') return params.url;
  return Object.entries(params)
    .filter(([, value]) => ['string', 'number'].includes(typeof value))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

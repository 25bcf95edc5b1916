// The format of data on stdout, by the option that asks for it.
import { AppError } from '../model/errors.ts';

export type Format = 'text' | 'json' | 'ndjson' | 'csv';

export function formatOf(options: Readonly<Record<string, unknown>>): Format {
  const asked = (['json', 'ndjson', 'csv'] as const).filter((format) => options[format]);
  if (asked.length > 1) throw new AppError('invalid_usage', `Only one of --${asked.join(' and --')} can be had.`);
  return asked[0] ?? 'text';
}

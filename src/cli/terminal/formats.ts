// The format of data on stdout, by the option that asks for it.
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../model/errors.ts';
import type { Client } from '../client/client.ts';

export type Format = 'text' | 'json' | 'ndjson' | 'csv';

export function formatOf(options: Readonly<Record<string, unknown>>): Format {
  const asked = (['json', 'ndjson', 'csv'] as const).filter((format) => options[format]);
  if (asked.length > 1) throw new AppError('invalid_usage', `Use only one of --${asked.join(' and --')}.`);
  return asked[0] ?? 'text';
}

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' };

/** Streams the response of a path to stdout. */
export async function streamOut(client: Client, path: string, format: keyof typeof TYPES): Promise<void> {
  const results = await client.stream(path, TYPES[format]);
  await pipeline(results, process.stdout, { end: false });
}

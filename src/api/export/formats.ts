// The formats of lists, by `format` or `Accept`.
import { z } from 'zod';

export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';
export const PARQUET = 'application/vnd.apache.parquet';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Those that are text. */
export type Format = 'json' | 'ndjson' | 'csv';
export type ExportFormat = 'ndjson' | 'csv' | 'parquet' | 'xlsx';

const TEXT: Record<string, Format> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
};
const FILES: Record<string, ExportFormat> = { [PARQUET]: 'parquet', [XLSX]: 'xlsx' };

/** Query parameters of a list that comes in pages or as one stream. */
export const pagesOrFile = (page: number, most: number) => ({
  format: z.enum(['json', 'ndjson', 'csv', 'parquet', 'xlsx']).optional().meta({ description: 'Instead of `Accept`.' }),
  limit: z
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .meta({ description: `JSON: default ${page}, at most ${most} per page. Other formats: default all.` }),
});

/** The format that `Accept` prefers; JSON for everything else. */
export const formatOf = (accept: string | undefined): Format => preferred(accept, TEXT);

/** The same, where there are files too. */
export const anyFormatOf = (accept: string | undefined): Format | ExportFormat =>
  preferred<Format | ExportFormat>(accept, { ...TEXT, ...FILES });

function preferred<F extends string>(accept: string | undefined, known: Record<string, F | 'json'>): F | 'json' {
  let best: { format: F | 'json'; quality: number } = { format: 'json', quality: 0 };
  for (const part of accept?.split(',', 20) ?? []) {
    const [type = '', ...options] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const format = known[type];
    const quality = Number(options.find((option) => option.startsWith('q='))?.slice(2) ?? 1);
    if (format && quality > best.quality) best = { format, quality };
  }
  return best.format;
}

export const TYPES: Record<ExportFormat, string> = {
  ndjson: `${NDJSON}; charset=utf-8`,
  csv: `${CSV}; charset=utf-8`,
  parquet: PARQUET,
  xlsx: XLSX,
};

// `windrow export postings|articles|products`: all that match as a file, streamed from the server.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { AppError } from '../../../model/errors.ts';
import { type Client, clientCommand, configuredClient } from '../../client/client.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { type ListName, queryOf, withFilters } from './item-filters.ts';

const FORMATS = ['csv', 'ndjson', 'parquet', 'xlsx'] as const;
type FileFormat = (typeof FORMATS)[number];
type Options = Record<string, unknown> & { format?: FileFormat; out?: string; limit?: number; json?: boolean };

export const make = () =>
  new Command('export')
    .description('Exports what is stored as CSV, NDJSON, Parquet or XLSX.')
    .helpOption('-h, --help', 'show this help')
    .addCommand(exportOf('postings'))
    .addCommand(exportOf('articles'))
    .addCommand(exportOf('products'));

function exportOf(name: ListName): Command {
  const made = clientCommand({
    name,
    about: `Exports all stored ${name} that match.`,
    examples: [
      [`windrow export ${name} --out ${name}.parquet`, 'the format follows from the name of the file'],
      [`windrow export ${name} --q example --format ndjson | gzip > ${name}.ndjson.gz`, 'to standard output'],
    ],
    notes:
      'A sheet of XLSX has at most 1,048,576 rows, more go on in the next sheet; a cell has at most 32,767 characters, longer texts are cut. CSV and Parquet have no such limits.',
  });
  return withFilters(made, name)
    .addOption(
      new Option('-f, --format <format>', 'format (default: by the name of the file, else csv)').choices([...FORMATS]),
    )
    .option('-o, --out <file>', 'file to write (default: standard output)')
    .option('-n, --limit <number>', 'maximum number (default: all)', wholeNumber(1, 100_000_000))
    .action(async (options: Options) => {
      const format = options.format ?? formatOfName(options.out);
      const terminal = createTerminal({ json: Boolean(options.json) });
      const isBinary = format === 'parquet' || format === 'xlsx';
      if (options.out === undefined && isBinary && process.stdout.isTTY)
        throw new AppError('invalid_usage', `${format} is not text: give a file with --out ${name}.${format}`);
      const query = queryOf(name, options);
      query.set('format', format);
      if (options.limit !== undefined) query.set('limit', String(options.limit));
      const client = await configuredClient(options, terminal);
      const path = `/${name}?${query}`;
      if (options.out === undefined) {
        await pipeline(await client.stream(path, '*/*'), process.stdout, { end: false });
        return;
      }
      const bytes = await writeFile(client, path, options.out, (done) =>
        terminal.progress(`${megabytes(done)} written`),
      );
      if (options.json) return terminal.document({ file: options.out, format, bytes });
      terminal.say(`Wrote ${options.out} (${megabytes(bytes)}).`);
    });
}

function formatOfName(file: string | undefined): FileFormat {
  if (file === undefined) return 'csv';
  const end = extname(file).slice(1).toLowerCase();
  const format = FORMATS.find((one) => one === end) ?? (end === 'jsonl' ? 'ndjson' : undefined);
  if (!format)
    throw new AppError(
      'invalid_usage',
      `The format does not follow from "${file}". Give it with --format ${FORMATS.join('|')}.`,
    );
  return format;
}

/** Under its name only when it is complete. */
async function writeFile(
  client: Client,
  path: string,
  file: string,
  onProgress: (bytes: number) => void,
): Promise<number> {
  const part = `${file}.part`;
  let bytes = 0;
  async function* counted(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const one of parts) {
      bytes += one.length;
      onProgress(bytes);
      yield one;
    }
  }
  try {
    await pipeline(counted(await client.stream(path, '*/*')), createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return bytes;
}

const megabytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

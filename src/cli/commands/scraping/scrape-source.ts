// `windrow scrape <source> name=value …`: one shot on any source that is not a job board, with its own parameters. Its items go to stdout, everything else to
// stderr; it fails (1) when the source does.
import type { Command } from 'commander';
import { z } from 'zod';
import { onInterrupt } from '../../../compose/process/interrupts.ts';
import { scrapingOf } from '../../../library/options/web-options.ts';
import type { Outcome, Task } from '../../../library/run/run-task.ts';
import { createScrape } from '../../../library/run/scrape.ts';
import { csvLine } from '../../../model/csv.ts';
import { AppError, type FieldError } from '../../../model/errors.ts';
import type { Article } from '../../../model/item/article.ts';
import type { Item } from '../../../model/item/item.ts';
import type { Posting } from '../../../model/posting/posting.ts';
import type { Product } from '../../../model/product/product.ts';
import { warningsOf } from '../../../model/run/scrape-run.ts';
import { issueErrors } from '../../../model/zod-messages.ts';
import type { Source } from '../../../sources/define.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { formatOf } from '../../terminal/formats.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { ITEM_OUTPUT } from './item-output.ts';

interface ParamSchema {
  type?: string;
  description?: string;
}

const PLURALS = { posting: 'postings', product: 'products', article: 'articles' } as const;

export function makeSource(source: Source): Command {
  const { properties, required } = paramsOf(source);
  const example = required.map((name) => `${name}=…`).join(' ');
  const described = Object.entries(properties).map(
    ([name, { type }]) => `  ${name}${type ? ` (${type})` : ''}${required.includes(name) ? ', required' : ''}`,
  );
  return takesSettings(
    command({
      name: source.name,
      about: `${source.title}: ${PLURALS[source.kind]}.`,
      examples: [
        [`windrow scrape ${source.name} ${example}`.trim(), 'to read'],
        [`windrow scrape ${source.name} ${example} --json`.replace('  ', ' '), 'one document'],
      ],
      notes: `Parameters, each as name=value (lists and objects as JSON):\n${described.join('\n')}`,
    })
      .argument('[params...]', 'parameters as name=value')
      .option('--ndjson', 'write one JSON object a line, as the items come')
      .option('--csv', 'write a table with a header line'),
    ['scrapeTimeoutSeconds', 'maxRetryAttempts', 'webHostMap', 'webAllowPrivate'],
  ).action((given: string[], options: Record<string, unknown>) => scrapeSource(source, given, options));
}

function paramsOf({ params }: Source): { properties: Record<string, ParamSchema>; required: string[] } {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' });
  return { properties: properties as Record<string, ParamSchema>, required };
}

async function scrapeSource(source: Source, given: string[], options: Record<string, unknown>): Promise<void> {
  const format = formatOf(options);
  const terminal = createTerminal({ json: format === 'json' });
  const config = loadConfig({
    flags: flagsFrom(options),
    file: options.config as string | undefined,
    warn: (line) => terminal.say(`warning: ${line}`),
  });
  const task = taskOf(source, readParams(source, given));
  const output = ITEM_OUTPUT[source.kind];
  const stop = new AbortController();
  const release = onInterrupt(() => stop.abort(new AppError('cancelled')));
  let outcome: Outcome | undefined;
  const items: Item[] = [];
  // Without its end, which the terminal sees to.
  const row = (cells: readonly unknown[]): void => terminal.out(csvLine(cells).slice(0, -2));
  if (format === 'csv') row(output.columns);
  const scrape = createScrape({
    tasks: [task],
    concurrency: 1,
    ...scrapingOf(config),
    toItem: (item) => item,
    signal: stop.signal,
    onOutcome: (ended) => {
      outcome = ended;
    },
  });
  let found = 0;
  try {
    for await (const item of scrape) {
      found += 1;
      terminal.progress(`${source.name}: ${found} ${PLURALS[source.kind]}`);
      if (format === 'ndjson') terminal.out(JSON.stringify(item));
      else if (format === 'csv') row(output.cells(item));
      else items.push(item);
    }
  } catch (error) {
    // Interrupted: what was found is shown all the same.
    if (error !== stop.signal.reason) throw error;
  } finally {
    release();
    terminal.progress(null);
  }
  const error = outcome?.error ?? null;
  const warnings = warningsOf(outcome?.metadata ?? null);
  if (format === 'json')
    terminal.document({
      source: source.name,
      found,
      error: error && { category: error.category, code: error.code, message: error.message },
      warnings,
      items,
    });
  else {
    if (format === 'text' && items.length > 0) output.show(items, terminal);
    for (const warning of warnings) terminal.say(`${terminal.style('yellow', 'warning')} ${source.name}: ${warning}`);
    if (error) terminal.say(`${terminal.style('red', 'failed')} ${source.name}: ${error.message}`);
    terminal.say(`${found} ${PLURALS[source.kind]} from ${source.name}`);
  }
  if (stop.signal.aborted) process.exitCode = 130;
  else if (error) process.exitCode = 1;
}

/** Checked by the schema of the source, everything that is wrong at once. */
function readParams(source: Source, given: readonly string[]): Record<string, unknown> {
  const { properties } = paramsOf(source);
  const errors: FieldError[] = [];
  const params: Record<string, unknown> = {};
  for (const word of given) {
    const at = word.indexOf('=');
    const name = word.slice(0, at);
    if (at < 1) errors.push({ pointer: word, detail: 'is no parameter: write name=value' });
    else if (!(name in properties))
      errors.push({ pointer: name, detail: `is no parameter; there are ${Object.keys(properties).join(', ')}` });
    else params[name] = readValue(word.slice(at + 1), properties[name]?.type);
  }
  const checked = source.params.safeParse(params);
  if (!checked.success)
    errors.push(
      ...issueErrors(checked.error.issues).map(({ pointer, detail }) => ({
        pointer: pointer.slice(1) || 'parameters',
        detail,
      })),
    );
  if (errors.length > 0) throw new AppError('invalid_usage', 'The parameters are not valid:', { errors });
  return params;
}

/** What is not of the type is passed on as it is, for the schema to say so. */
function readValue(text: string, type: string | undefined): unknown {
  if (type === 'string') return text;
  if (type === 'array' && !text.startsWith('[')) return text.split(',');
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: a text.
    return text;
  }
}

const taskOf = (source: Source, params: Record<string, unknown>): Task => ({
  source,
  params,
  target: String(params.url ?? params.item ?? params.company ?? Object.values(params)[0] ?? '') || null,
  wanted: null,
  keyOf: keyOfItem,
});

function keyOfItem(item: Item): string {
  const { job_hash: hash } = item as Posting;
  const { position } = item as Product;
  return hash ?? (position === undefined ? (item as Article).url : String(position));
}

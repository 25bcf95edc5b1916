// `windrow postings|articles|products list` and `facets`: what is stored, with the filters of the API.
import { type Command, Option } from 'commander';
import { clientCommand, configuredClient } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { formatOf, streamOut } from '../../terminal/formats.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { type ListName, queryOf, withFilters } from './item-filters.ts';

type Options = Record<string, unknown> & { json?: boolean; limit?: number; sort?: string };
type Item = Record<string, unknown>;

export interface ItemCommand {
  name: ListName;
  about: string;
  examples: readonly (readonly [string, string])[];
  sorts: readonly string[];
  head: readonly string[];
  row(item: Item): string[];
  /** Besides `list` and `facets`. */
  verbs?: readonly Command[];
}

const SHOWN = 50;
const SHOWN_FACETS = 10;

export const itemCommand = (of: ItemCommand): Command =>
  noun({ name: of.name, about: of.about, verbs: [list(of), facets(of), ...(of.verbs ?? [])], usual: 'list' });

/** A cell of a table. */
export const cell = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

function list({ name, examples, sorts, head, row }: ItemCommand): Command {
  const made = clientCommand({ name: 'list', about: `Lists stored ${name}.`, examples });
  return withFilters(made, name)
    .addOption(
      new Option('--sort <order>', 'order; with - before it: descending. relevance: best matches of --q first').choices(
        [...sorts.flatMap((sort) => [`-${sort}`, sort]), 'relevance'],
      ),
    )
    .option(
      '-n, --limit <number>',
      `maximum number (default ${SHOWN}; --ndjson and --csv return all)`,
      wholeNumber(1, 100_000_000),
    )
    .option('--ndjson', 'one JSON object per line')
    .option('--csv', 'as CSV')
    .action(async (options: Options) => {
      const format = formatOf(options);
      const terminal = createTerminal({ json: format !== 'text' });
      const client = await configuredClient(options, terminal);
      const query = queryOf(name, options);
      if (options.sort !== undefined) query.set('sort', options.sort);
      if (options.limit !== undefined) query.set('limit', String(options.limit));
      if (format === 'ndjson' || format === 'csv') return streamOut(client, `/${name}?${query}`, format);
      if (options.limit === undefined) query.set('limit', String(SHOWN));
      const found = await client.get<Record<string, Item[]> & { next_cursor: string | null; fuzzy_names?: Names }>(
        `/${name}?${query}`,
      );
      if (options.json) return terminal.document(found);
      sayNames(found.fuzzy_names, (line) => terminal.say(line));
      const items = found[name]!;
      if (items.length === 0) return terminal.say(`No ${name} match.`);
      terminal.table([[...head], ...items.map(row)]);
      if (found.next_cursor !== null)
        terminal.say(
          `There are more. Show more with --limit, or all with --csv, --ndjson or \`windrow export ${name}\``,
        );
    });
}

interface Names {
  names: string[];
}

function sayNames(found: Names | undefined, say: (line: string) => void): void {
  if (found) say(found.names.length > 0 ? `Names like it: ${found.names.join(', ')}` : 'No name is like it.');
}

interface FacetAnswer {
  total: number;
  exact: boolean;
  facets: Record<string, { value: string; count: number }[]>;
  fuzzy_names?: Names;
}

function facets({ name }: ItemCommand): Command {
  const made = clientCommand({
    name: 'facets',
    about: `Counts stored ${name}, in all and by value.`,
    examples: [[`windrow ${name} facets --q example`, 'how many match, and the most frequent values']],
  });
  return withFilters(made, name)
    .option('--facets <names>', 'what to count by, separated by commas (default: everything)')
    .option('-n, --limit <number>', 'values of each', wholeNumber(1, 200), SHOWN_FACETS)
    .action(async (options: Options) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const query = queryOf(name, options);
      query.set('limit', String(options.limit));
      if (options.facets !== undefined) query.set('facets', String(options.facets));
      const client = await configuredClient(options, terminal);
      const found = await client.get<FacetAnswer>(`/${name}/facets?${query}`);
      if (options.json) return terminal.document(found);
      sayNames(found.fuzzy_names, (line) => terminal.say(line));
      const about = found.exact ? '' : 'about ';
      terminal.out(`${about}${found.total.toLocaleString('en')} ${name}`);
      for (const [facet, values] of Object.entries(found.facets)) {
        if (values.length === 0) continue;
        terminal.out('');
        const rows = values.map(({ value, count }) => [value, `${about}${count.toLocaleString('en')}`]);
        terminal.table([[facet.toUpperCase(), 'COUNT'], ...rows]);
      }
    });
}

// `windrow positions …`: positions of companies.
import type { Command } from 'commander';
import { clientCommand, configuredClient } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { formatOf, streamOut } from '../../terminal/formats.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { fieldRows, readCommand } from './read-command.ts';

interface PositionView {
  id: string;
  company: string;
  title: string;
  location: string | null;
  remote_type: string | null;
  active: boolean;
  first_seen_at: string;
  job_url: string;
}

interface Options extends Record<string, unknown> {
  json?: boolean;
  closed?: boolean;
  all?: boolean;
  limit?: number;
}

const SHOWN = 50;

/** Flag → parameter of the API. */
const FILTERS = {
  company: 'company',
  q: 'q',
  remoteType: 'remote_type',
  location: 'location',
  department: 'department',
  newSince: 'new_since',
} as const;

export const make = () =>
  noun({
    name: 'positions',
    about: 'Positions of companies.',
    verbs: [
      list(),
      readCommand<PositionView>({
        name: 'show',
        about: 'Shows all fields of a position.',
        examples: [['windrow positions show 5a0f6e1c-6f0e-4d3a-9c53-2f4f9d1c8a71', 'an id from --json']],
        path: '/positions/{position}',
        arguments: { position: 'position id' },
        show: (position, { terminal }) => terminal.table(fieldRows(position)),
      }),
    ],
    usual: 'list',
  });

const list = (): Command =>
  clientCommand({
    name: 'list',
    about: 'Lists positions of companies, newest first.',
    examples: [
      ['windrow positions --new-since 1d', 'new in the last 24 hours'],
      ['windrow positions --company Acme --q engineer --remote-type remote --json', 'as JSON'],
      ['windrow positions --new-since 1w --csv > new.csv', 'all rows as CSV (or --ndjson)'],
    ],
  })
    .option('--new-since <time>', 'first seen after this time, or in the last 36h, 1d, 2w')
    .option('--company <company>', 'id or name')
    .option('--q <text>', 'words in title, department, location or company')
    .option('--remote-type <type>', 'remote, hybrid or onsite')
    .option('--location <text>', 'part of the location')
    .option('--department <text>', 'part of the department')
    .option('--closed', 'closed positions instead of open ones')
    .option('--all', 'open and closed')
    .option(
      '-n, --limit <number>',
      `maximum number (default ${SHOWN}; --ndjson and --csv return all)`,
      wholeNumber(1, 1_000),
    )
    .option('--ndjson', 'one JSON object per line')
    .option('--csv', 'as CSV')
    .action(async (options: Options) => {
      const format = formatOf(options);
      const terminal = createTerminal({ json: format !== 'text' });
      const client = await configuredClient(options, terminal);
      const query = new URLSearchParams();
      for (const [flag, name] of Object.entries(FILTERS))
        if (options[flag] !== undefined) query.set(name, String(options[flag]));
      if (!options.all) query.set('active', String(!options.closed));
      if (options.limit !== undefined) query.set('limit', String(options.limit));
      if (format === 'ndjson' || format === 'csv') return streamOut(client, `/positions?${query}`, format);
      if (options.limit === undefined) query.set('limit', String(SHOWN));
      const found = await client.get<{ positions: PositionView[]; total: number; next_cursor: string | null }>(
        `/positions?${query}`,
      );
      if (options.json) return terminal.document(found);
      if (found.total === 0) return terminal.say('No positions.');
      const rows = found.positions.map((one) => [
        one.first_seen_at.slice(0, 10),
        one.company,
        one.title,
        one.location ?? one.remote_type ?? '',
        one.active ? one.job_url : `${one.job_url} (closed)`,
      ]);
      terminal.table([['SINCE', 'COMPANY', 'TITLE', 'LOCATION', 'URL'], ...rows]);
      if (found.total > rows.length)
        terminal.say(`${rows.length} of ${found.total} shown. Show more with --limit, or all with --csv or --ndjson`);
    });

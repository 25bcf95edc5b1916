// `windrow provenance`: where each field of stored items came from.
import { Argument } from 'commander';
import { clientCommand } from '../../client/client.ts';
import { wholeNumber } from '../../terminal/options.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type ClientOptions, openClient } from './about-one.ts';

type Options = ClientOptions & { limit: number; source?: string; search?: string };

export interface ShownItem extends Record<string, unknown> {
  provenance: {
    source_version: number | null;
    task_id: string | null;
    attempt: number | null;
    pages: { url: string; id: string }[];
    fields: Record<string, string>;
  };
}

const KINDS = ['articles', 'postings', 'products'] as const;
const VALUE_CHARS = 48;

export const make = () =>
  clientCommand({
    name: 'provenance',
    about: 'Shows where the fields of stored items came from: the newest first.',
    examples: [
      ['windrow provenance postings --search welder', 'the newest posting with this word'],
      ['windrow provenance products --source walmart --limit 3 --json', 'three products as JSON'],
    ],
  })
    .addArgument(new Argument('<kind>', 'kind of items').choices([...KINDS]))
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 100), 1)
    .option('-s, --source <name>', 'only of this source')
    .option('-q, --search <words>', 'only with these words')
    .action(async (kind: (typeof KINDS)[number], options: Options) => {
      const { client, terminal } = await openClient(options);
      const query = new URLSearchParams({
        provenance: '1',
        limit: String(options.limit),
        ...(options.source ? { source: options.source } : {}),
        ...(options.search ? { q: options.search } : {}),
      });
      const found = await client.get<Record<string, ShownItem[]>>(`/${kind}?${query}`);
      if (options.json) return terminal.document(found);
      const items = found[kind] ?? [];
      if (items.length === 0) return terminal.say(`No ${kind} match.`);
      for (const [place, item] of items.entries()) {
        if (place > 0) terminal.out('');
        show(terminal, item);
      }
    });

function show(terminal: Terminal, item: ShownItem): void {
  const { source_version: version, task_id: task, attempt, pages, fields } = item.provenance;
  const rows = Object.entries(fields).map(([field, origin]) => [field, textOf(item[field]), origin]);
  terminal.table([['FIELD', 'VALUE', 'FROM'], ...rows]);
  const by = task === null ? 'not known' : `task ${task}${attempt === null ? '' : `, attempt ${attempt}`}`;
  terminal.out(`Read by: ${by}${version === null ? '' : `, version ${version} of the source`}`);
  for (const { url, id } of pages) terminal.out(`Archived page: ${url} ${id}`);
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const line = text.replace(/\s+/g, ' ');
  return line.length > VALUE_CHARS ? `${line.slice(0, VALUE_CHARS - 1)}…` : line;
}

// `windrow runs`: runs of all kinds, newest first.
import { InvalidArgumentError, Option } from 'commander';
import { RUN_KINDS, RUN_LABELS } from '../../../model/run/run-labels.ts';
import { type Client, clientCommand, configuredClient } from '../../client/client.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { columns, createTerminal, timeText } from '../../terminal/terminal.ts';

interface ListedRun {
  run_id: string;
  kind: string;
  status: string;
  about: string | null;
  total: number;
  completed: number;
  failed: number;
  created_at: string;
}

interface RunPage {
  runs: ListedRun[];
  next_cursor: string | null;
}

type Options = Record<string, unknown> & { limit: number; status?: string; kind?: string };

const ABOUT_CHARS = 60;

export const make = () =>
  clientCommand({
    name: 'runs',
    about: 'Lists runs of all kinds, newest first: article, posting (job search), company, cart.',
    examples: [
      ['windrow runs', 'the last 20'],
      ['windrow runs --kind posting --status running', 'job searches that are running'],
      ['windrow runs --status failed --limit 100 --json', 'as JSON'],
    ],
  })
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 1_000), 20)
    .addOption(new Option('-k, --kind <kind>', 'only runs of this kind').choices([...RUN_KINDS]))
    .option('-s, --status <status>', `only runs with this status: ${RUN_LABELS.join(', ')}`, runLabelOption)
    .action(async (options: Options) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const { runs, next_cursor } = await read(await configuredClient(options, terminal), options);
      if (options.json) return terminal.document({ runs, next_cursor });
      const isFiltered = options.status !== undefined || options.kind !== undefined;
      if (runs.length === 0)
        return terminal.say(
          isFiltered ? 'No runs match.' : 'No runs. Start one with: windrow submit https://example.com/story',
        );
      const rows = runs.map((run) => [
        run.run_id,
        run.kind,
        run.status,
        `${run.completed + run.failed}/${run.total}`,
        run.failed > 0 ? `${run.failed} failed` : '',
        timeText(run.created_at),
        aboutOf(run),
      ]);
      for (const line of columns([['RUN', 'KIND', 'STATUS', 'DONE', 'FAILED', 'CREATED (UTC)', 'ABOUT'], ...rows]))
        terminal.out(line.trimEnd());
      if (next_cursor !== null) terminal.say('There are more. Show them with --limit.');
    });

/** Also accepts the status values of article jobs, such as IN_PROGRESS. */
function runLabelOption(text: string): string {
  const word = text.toLowerCase().replace(/^in_progress$/, 'running');
  if (!(RUN_LABELS as readonly string[]).includes(word))
    throw new InvalidArgumentError(`It has to be one of ${RUN_LABELS.join(', ')}.`);
  return word;
}

/** A page of a rare status may have fewer rows than the limit. */
async function read(client: Client, { limit, status, kind }: Options): Promise<RunPage> {
  const query = new URLSearchParams({ ...(status ? { status } : {}), ...(kind ? { kind } : {}) });
  const runs: ListedRun[] = [];
  for (;;) {
    query.set('limit', String(limit - runs.length));
    const page = await client.get<RunPage>(`/runs?${query}`);
    runs.push(...page.runs);
    if (page.next_cursor === null || runs.length >= limit) return { runs, next_cursor: page.next_cursor };
    query.set('cursor', page.next_cursor);
  }
}

/** A search has one subject, whatever the number of sites. */
function aboutOf({ kind, about, total }: ListedRun): string {
  const one = (about ?? '').replace(/\s+/g, ' ');
  const text = one.length > ABOUT_CHARS ? `${one.slice(0, ABOUT_CHARS - 1)}…` : one;
  return kind !== 'posting' && total > 1 ? `${text} and ${total - 1} more` : text;
}

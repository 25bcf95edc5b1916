// `windrow runs …`: runs of all kinds.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { RUN_KINDS, RUN_LABELS } from '../../../model/run/run-labels.ts';
import { type Client, clientCommand, configuredClient } from '../../client/client.ts';
import { follow as watchProgress } from '../../client/follow.ts';
import { noun } from '../../command.ts';
import { ownerName, wholeNumber } from '../../terminal/options.ts';
import { createTerminal, timeText } from '../../terminal/terminal.ts';
import { cancelCommand } from '../scraping/cancel.ts';
import { type ClientOptions, openClient } from './about-one.ts';
import { fieldRows, MORE, readCommand } from './read-command.ts';
import { showCommand } from './run.ts';

interface ListedRun {
  run_id: string;
  kind: string;
  status: string;
  about: string | null;
  total: number;
  completed: number;
  failed: number;
  owner: string | null;
  created_at: string;
}

interface RunPage {
  runs: ListedRun[];
  next_cursor: string | null;
}

type Options = Record<string, unknown> & { limit: number };

/** Option → parameter of the API. */
const FILTERS = {
  status: 'status',
  kind: 'kind',
  source: 'source',
  q: 'q',
  after: 'created_after',
  owner: 'owner',
} as const;

const ABOUT_CHARS = 60;

export const make = () =>
  noun({
    name: 'runs',
    about: 'Runs of all kinds: article, posting (job search), company, cart, crawl, map.',
    verbs: [list(), showCommand('runs show'), info(), tasks(), follow(), cancelCommand('runs cancel')],
    usual: 'list',
  });

const list = (): Command =>
  clientCommand({
    name: 'list',
    about: 'Lists runs of all kinds, newest first: article, posting (job search), company, cart, crawl, map.',
    examples: [
      ['windrow runs', 'the last 20'],
      ['windrow runs --kind posting --status running', 'job searches that are running'],
      ['windrow runs --q nurse --after 2026-02-04', 'those that asked for nurses, since that day'],
      ['windrow runs --status failed --limit 100 --json', 'as JSON'],
      ['windrow runs --owner data-team', 'of one owner, with a key of scope admin'],
    ],
  })
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 1_000), 20)
    .addOption(new Option('-k, --kind <kind>', 'only runs of this kind').choices([...RUN_KINDS]))
    .option('-s, --status <status>', `only runs with this status: ${RUN_LABELS.join(', ')}`, runLabelOption)
    .option('--source <name>', 'only runs with a task of this source')
    .option('--q <text>', 'only this id, or with this text in what was requested')
    .option('--after <time>', 'only runs created after this day or time')
    .option('--owner <owner>', 'only runs of this owner of API keys', ownerName)
    .action(async (options: Options) => {
      const terminal = createTerminal({ json: Boolean(options.json) });
      const { runs, next_cursor } = await read(await configuredClient(options, terminal), options);
      if (options.json) return terminal.document({ runs, next_cursor });
      const isFiltered = Object.keys(FILTERS).some((name) => options[name] !== undefined);
      if (runs.length === 0)
        return terminal.say(
          isFiltered ? 'No runs match.' : 'No runs. Start one with: windrow submit https://example.com/story',
        );
      // Without keys nobody has an owner.
      const hasOwners = runs.some(({ owner }) => owner !== null);
      const rows = runs.map((run) => [
        run.run_id,
        ...(hasOwners ? [run.owner ?? ''] : []),
        run.kind,
        run.status,
        `${run.completed + run.failed}/${run.total}`,
        run.failed > 0 ? `${run.failed} failed` : '',
        timeText(run.created_at),
        aboutOf(run),
      ]);
      const owner = hasOwners ? ['OWNER'] : [];
      terminal.table([['RUN', ...owner, 'KIND', 'STATUS', 'DONE', 'FAILED', 'CREATED (UTC)', 'ABOUT'], ...rows]);
      if (next_cursor !== null) terminal.say('There are more. Show them with --limit.');
    });

const EXAMPLE = 'manual_a1b2c3d4e5f60718';

const info = (): Command =>
  readCommand<ListedRun>({
    name: 'info',
    about: 'Shows what a run of any kind was asked for, how far it is, and why it waits.',
    examples: [[`windrow runs info ${EXAMPLE} --json`, 'as JSON']],
    path: '/runs/{id}',
    arguments: { id: 'run id' },
    show: (run, { terminal }) => terminal.table(fieldRows(run)),
  });

interface TaskPage {
  tasks: {
    entry: Record<string, unknown>;
    source: string;
    state: string;
    attempts: number;
    error: { message: string } | null;
    finished_at: string | null;
  }[];
  next_cursor: string | null;
}

const tasks = (): Command =>
  readCommand<TaskPage>({
    name: 'tasks',
    about: 'Lists what a run requested, with the state, attempts and error of each.',
    examples: [[`windrow runs tasks ${EXAMPLE}`, 'one line per page, site, company or item']],
    path: '/runs/{id}/tasks',
    arguments: { id: 'run id' },
    flags: [{ flags: '-n, --limit <number>', about: 'maximum number', read: wholeNumber(1, 1_000), value: 100 }],
    show({ tasks: all, next_cursor: next }, { terminal }) {
      const rows = all.map((one) => [
        Object.values(one.entry).map(String).join(' '),
        one.source,
        one.state,
        String(one.attempts),
        timeText(one.finished_at),
        one.error?.message ?? '',
      ]);
      terminal.table([['REQUESTED', 'SOURCE', 'STATE', 'TRIES', 'ENDED (UTC)', 'ERROR'], ...rows]);
      if (next !== null) terminal.say(MORE);
    },
  });

const follow = (): Command =>
  clientCommand({
    name: 'follow',
    about: 'Shows the progress of a run of any kind until it has ended. Ctrl-C stops watching, never the run.',
    examples: [
      [`windrow runs follow ${EXAMPLE}`, 'exit code 1 when it failed or was cancelled'],
      [`windrow runs follow ${EXAMPLE} --json`, 'one line per change'],
    ],
  })
    .argument('<id>', 'run id')
    .action(async (id: string, options: ClientOptions) => {
      const { client, terminal } = await openClient(options);
      await watchProgress(client, id, terminal, Boolean(options.json));
    });

/** Also accepts the status values of article jobs, such as IN_PROGRESS. */
function runLabelOption(text: string): string {
  const word = text.toLowerCase().replace(/^in_progress$/, 'running');
  if (!(RUN_LABELS as readonly string[]).includes(word))
    throw new InvalidArgumentError(`It has to be one of ${RUN_LABELS.join(', ')}.`);
  return word;
}

/** A page of a rare status may have fewer rows than the limit. */
async function read(client: Client, { limit, ...options }: Options): Promise<RunPage> {
  const query = new URLSearchParams();
  for (const [name, parameter] of Object.entries(FILTERS))
    if (options[name] !== undefined) query.set(parameter, String(options[name]));
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
  return kind !== 'posting' && kind !== 'crawl' && kind !== 'map' && total > 1 ? `${text} and ${total - 1} more` : text;
}

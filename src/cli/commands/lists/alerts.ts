// `windrow alerts …`: searches that are kept, and what new postings they matched.
import { Command } from 'commander';
import { clientCommand } from '../../client/client.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { columns, timeText } from '../../terminal/terminal.ts';
import { type At, aboutOne, type ClientOptions, openClient } from './about-one.ts';

interface NoticeView {
  title: string;
  company: string | null;
  location: string | null;
  source: string;
  job_url: string | null;
}

interface AlertView {
  id: string;
  name: string;
  search: Record<string, unknown>;
  active: boolean;
  webhook_url: string | null;
  file: string | null;
  feed_url: string;
  last_matched_at: string | null;
  matches?: number;
}

interface MatchList {
  matches: { announced_at: string; posting: NoticeView }[];
  next_cursor: string | null;
}

type OneAt = At & { path: string };

const one = aboutOne({ command: 'alerts', noun: 'alert', example: 'alr_01890a5d7e8f70008a1b2c3d4e5f6071' });

export const make = () =>
  new Command('alerts')
    .description('Searches that are kept, and what new postings they matched.')
    .helpOption('-h, --help', 'show this help')
    .addCommand(list())
    .addCommand(add())
    .addCommand(preview())
    .addCommand(one('show', 'Shows an alert, where it tells, and how often it matched.', show))
    .addCommand(
      one('matches', 'Lists what an alert has matched, newest first.', matches).option(
        '-n, --limit <number>',
        'how many',
        wholeNumber(1, 1_000),
        50,
      ),
    )
    .addCommand(one('pause', 'Pauses an alert.', (at) => set(at, false)))
    .addCommand(one('resume', 'Lets an alert go on; what came meanwhile is not made up for.', (at) => set(at, true)))
    .addCommand(one('remove', 'Deletes an alert with its matches and its feed; its file stays.', remove));

const searchText = (search: Record<string, unknown>): string =>
  Object.entries(search)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ') || 'everything';

function list(): Command {
  return clientCommand({
    name: 'list',
    about: 'Lists the alerts.',
    examples: [['windrow alerts list --json', 'for a program']],
  })
    .option('-n, --limit <number>', 'how many', wholeNumber(1, 1_000), 100)
    .action(async (options: ClientOptions & { limit: number }) => {
      const { client, terminal } = await openClient(options);
      const found = await client.get<{ alerts: AlertView[]; total: number }>(`/alerts?limit=${options.limit}`);
      if (options.json) return terminal.document(found);
      if (found.total === 0) return terminal.say('No alerts.');
      const rows = found.alerts.map((alert) => [
        alert.id,
        alert.name,
        searchText(alert.search),
        alert.active ? timeText(alert.last_matched_at) : 'paused',
      ]);
      for (const line of columns([['ALERT', 'NAME', 'SEARCH', 'LAST MATCH (UTC)'], ...rows])) terminal.out(line);
      if (found.total > rows.length) terminal.say(`${rows.length} of ${found.total}; more with --limit`);
    });
}

/** Flag → filter of the API. */
const FILTERS = {
  q: 'q',
  source: 'source',
  company: 'company',
  location: 'location',
  remoteType: 'remote_type',
  minSalary: 'min_salary',
  currency: 'currency',
  postedAfter: 'posted_after',
} as const;

const searching = (made: Command): Command =>
  made
    .option('--q <text>', 'words, "phrases", or, -without')
    .option('--source <names>', 'one source, or several separated by commas')
    .option('--company <words>', "words of the company's name")
    .option('--location <words>', 'words of the location')
    .option('--remote-type <type>', 'remote, hybrid or onsite')
    .option('--min-salary <amount>', 'a year of pay, in the currency of the posting', wholeNumber(0, 1e12))
    .option('--currency <code>', 'such as EUR')
    .option('--posted-after <day>', 'a day or a time');

const searchOf = (options: ClientOptions): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(FILTERS).flatMap(([flag, name]) => (options[flag] === undefined ? [] : [[name, options[flag]]])),
  );

function add(): Command {
  const made = clientCommand({
    name: 'add',
    about: 'Keeps a search; new postings that match it are in its feed, and where else it is told to tell.',
    examples: [
      [`windrow alerts add "Remote Python" --q 'python -senior' --remote-type remote`, 'shows the address of its feed'],
      ['windrow alerts add Nurses --q nurse --location Boston --file nurses.ndjson', 'and one line a match in a file'],
    ],
  })
    .argument('<name>', 'what it is for')
    .option('--webhook <url>', 'is told of each match, signed')
    .option('--file <name>', 'a name such as python.ndjson or python.csv, in the folder of the server for such files');
  return searching(made).action(async (name: string, options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    const alert = await client.send<AlertView>('POST', '/alerts', {
      name,
      search: searchOf(options),
      ...(options.webhook === undefined ? {} : { webhook_url: options.webhook }),
      ...(options.file === undefined ? {} : { file: options.file }),
    });
    if (options.json) return terminal.document(alert);
    terminal.out(alert.id);
    terminal.say(`Feed: ${alert.feed_url}`);
  });
}

function preview(): Command {
  const made = clientCommand({
    name: 'preview',
    about: 'Shows how many of the postings that are known a search matches.',
    examples: [[`windrow alerts preview --q '"data engineer"' --min-salary 80000`, 'before it becomes an alert']],
  });
  return searching(made).action(async (options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    const found = await client.send<{ matching: number; has_more: boolean; newest: NoticeView[] }>(
      'POST',
      '/alerts/preview',
      { search: searchOf(options) },
    );
    if (options.json) return terminal.document(found);
    terminal.say(`${found.has_more ? 'More than ' : ''}${found.matching} of the postings that are known match.`);
    for (const line of columns(found.newest.map(noticeRow))) terminal.out(line);
  });
}

const noticeRow = (notice: NoticeView): string[] => [
  notice.title,
  notice.company ?? '',
  notice.location ?? '',
  notice.source,
  notice.job_url ?? '',
];

async function show({ client, terminal, path, options }: OneAt): Promise<void> {
  const alert = await client.get<AlertView>(path);
  if (options.json) return terminal.document(alert);
  const rows = [
    ['search', searchText(alert.search)],
    ['state', alert.active ? 'active' : 'paused'],
    ['matches', `${alert.matches}, last ${timeText(alert.last_matched_at) || 'never'}`],
    ['feed', alert.feed_url],
    ...(alert.webhook_url === null ? [] : [['webhook', alert.webhook_url]]),
    ...(alert.file === null ? [] : [['file', alert.file]]),
  ];
  terminal.out(`${alert.id}: ${alert.name}`);
  for (const line of columns(rows)) terminal.out(line);
}

async function matches({ client, terminal, path, options }: OneAt): Promise<void> {
  const found = await client.get<MatchList>(`${path}/matches?limit=${options.limit}`);
  if (options.json) return terminal.document(found);
  if (found.matches.length === 0) return terminal.say('Nothing has matched yet.');
  const rows = found.matches.map(({ announced_at, posting }) => [timeText(announced_at), ...noticeRow(posting)]);
  for (const line of columns([['SINCE (UTC)', 'TITLE', 'COMPANY', 'WHERE', 'SOURCE', 'ADDRESS'], ...rows]))
    terminal.out(line);
  if (found.next_cursor !== null) terminal.say('There are more; see them with --limit.');
}

async function set({ client, terminal, path, options }: OneAt, active: boolean): Promise<void> {
  const alert = await client.send<AlertView>('PATCH', path, { active });
  if (options.json) terminal.document(alert);
  else terminal.say(active ? 'Goes on.' : 'Paused.');
}

async function remove({ client, terminal, path, options }: OneAt): Promise<void> {
  const gone = await client.send<{ id: string }>('DELETE', path);
  if (options.json) terminal.document(gone);
  else terminal.say(`Deleted ${gone.id}.`);
}

// `windrow alerts …`: saved searches and the new postings they matched.
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { clientCommand } from '../../client/client.ts';
import { noun } from '../../command.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { timeText } from '../../terminal/terminal.ts';
import { type At, aboutOne, type ClientOptions, openClient } from './about-one.ts';
import { changeCommand } from './change.ts';

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

const EXAMPLE = 'alr_01890a5d7e8f70008a1b2c3d4e5f6071';
const one = aboutOne({ command: 'alerts', noun: 'alert', example: EXAMPLE });

export const make = () =>
  noun({
    name: 'alerts',
    about: 'Saved searches that notify you of new postings.',
    verbs: [
      list(),
      add(),
      preview(),
      one('show', 'Shows an alert, its feed, webhook and file, and the number of matches.', show),
      changeCommand({
        noun: 'alerts',
        argument: ['id', 'alert id'],
        fields: 'name, search, active, webhook_url, file',
        examples: [[`${EXAMPLE} --set 'search={"q":"python","remote_type":"remote"}'`, 'another search']],
      }),
      one('matches', 'Lists the matches of an alert, newest first.', matches).option(
        '-n, --limit <number>',
        'maximum number',
        wholeNumber(1, 1_000),
        50,
      ),
      one('feed', 'Prints the feed of an alert, as a feed reader gets it.', feed).option(
        '--rss',
        'RSS instead of Atom',
      ),
      one('pause', 'Pauses an alert.', (at) => set(at, false)),
      one('resume', 'Resumes an alert. Postings found while it was paused are not matched.', (at) => set(at, true)),
      one('remove', 'Deletes an alert with its matches and its feed. Its file stays.', remove),
    ],
  });

const searchText = (search: Record<string, unknown>): string =>
  Object.entries(search)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ') || 'everything';

function list(): Command {
  return clientCommand({
    name: 'list',
    about: 'Lists alerts.',
    examples: [['windrow alerts list --json', 'as JSON']],
  })
    .option('-n, --limit <number>', 'maximum number', wholeNumber(1, 1_000), 100)
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
      terminal.table([['ALERT', 'NAME', 'SEARCH', 'LAST MATCH (UTC)'], ...rows]);
      if (found.total > rows.length) terminal.say(`${rows.length} of ${found.total} shown. Show more with --limit`);
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
    .option('--q <text>', 'search words: "a phrase", or, -excluded')
    .option('--source <names>', 'one source, or several separated by commas')
    .option('--company <words>', 'words in the company name')
    .option('--location <words>', 'words in the location')
    .option('--remote-type <type>', 'remote, hybrid or onsite')
    .option('--min-salary <amount>', 'minimum annual salary, in the currency of the posting', wholeNumber(0, 1e12))
    .option('--currency <code>', 'such as EUR')
    .option('--posted-after <day>', 'posted after this day or time (ISO 8601)');

const searchOf = (options: ClientOptions): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(FILTERS).flatMap(([flag, name]) => (options[flag] === undefined ? [] : [[name, options[flag]]])),
  );

function add(): Command {
  const made = clientCommand({
    name: 'add',
    about: 'Saves a search as an alert. New postings that match appear in its feed, and in its webhook or file.',
    examples: [
      [`windrow alerts add "Remote Python" --q 'python -senior' --remote-type remote`, 'shows the URL of its feed'],
      [
        'windrow alerts add Nurses --q nurse --location Boston --file nurses.ndjson',
        'also writes one line per match to a file',
      ],
    ],
  })
    .argument('<name>', 'name of the alert')
    .option('--webhook <url>', 'URL that receives a signed event for each match')
    .option('--file <name>', 'file name such as python.ndjson or python.csv, in the alert folder of the server');
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
    about: 'Shows how many stored postings a search matches.',
    examples: [[`windrow alerts preview --q '"data engineer"' --min-salary 80000`, 'try a search before saving it']],
  });
  return searching(made).action(async (options: ClientOptions) => {
    const { client, terminal } = await openClient(options);
    const found = await client.send<{ matching: number; has_more: boolean; newest: NoticeView[] }>(
      'POST',
      '/alerts/preview',
      { search: searchOf(options) },
    );
    if (options.json) return terminal.document(found);
    terminal.say(`${found.has_more ? 'More than ' : ''}${found.matching} stored postings match.`);
    terminal.table(found.newest.map(noticeRow));
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
  terminal.table(rows);
}

async function matches({ client, terminal, path, options }: OneAt): Promise<void> {
  const found = await client.get<MatchList>(`${path}/matches?limit=${options.limit}`);
  if (options.json) return terminal.document(found);
  if (found.matches.length === 0) return terminal.say('No matches yet.');
  const rows = found.matches.map(({ announced_at, posting }) => [timeText(announced_at), ...noticeRow(posting)]);
  terminal.table([['SINCE (UTC)', 'TITLE', 'COMPANY', 'LOCATION', 'SOURCE', 'URL'], ...rows]);
  if (found.next_cursor !== null) terminal.say('There are more. Show them with --limit.');
}

/** The token in its URL is what a feed reader has instead of a key. */
async function feed({ client, terminal, path, options }: OneAt): Promise<void> {
  const { feed_url: url } = await client.get<AlertView>(path);
  if (options.json) return terminal.document({ feed_url: url });
  const { pathname, searchParams } = new URL(url);
  if (options.rss) searchParams.set('format', 'rss');
  await pipeline(await client.stream(`${pathname}?${searchParams}`, '*/*'), process.stdout, { end: false });
}

async function set({ client, terminal, path, options }: OneAt, active: boolean): Promise<void> {
  const alert = await client.send<AlertView>('PATCH', path, { active });
  if (options.json) terminal.document(alert);
  else terminal.say(active ? 'Resumed.' : 'Paused.');
}

async function remove({ client, terminal, path, options }: OneAt): Promise<void> {
  const gone = await client.send<{ id: string }>('DELETE', path);
  if (options.json) terminal.document(gone);
  else terminal.say(`Deleted ${gone.id}.`);
}

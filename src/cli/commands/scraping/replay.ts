// `windrow replay <run or file…>`: extracts archived pages again with the current code and shows what would be different, without the internet.
// A run is compared with its stored results; files have no comparison and show what is extracted.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError, asAppError } from '../../../model/errors.ts';
import type { Article } from '../../../model/item/article.ts';
import { canonicalUrl } from '../../../model/url.ts';
import { article } from '../../../sources/article/article.ts';
import { type Replay, replay } from '../../../web/archive/replay.ts';
import { type Client, clientCommand, configuredClient, type Results } from '../../client/client.ts';
import { loadConfig } from '../../settings/load.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';

const RUN_ID = /^job_[0-9a-f]{12}$/;
const COMPARED = ['title', 'author', 'published_at', 'language', 'image', 'content'] as const;
const SHOWN_CHARS = 60;

interface Difference {
  url: string;
  /** Outcome of a page: extracted or failed, and which fields changed. */
  error: string | null;
  changes: { field: string; before: string | null; after: string | null }[];
  isNew: boolean;
}

export const make = () =>
  clientCommand({
    name: 'replay',
    about: 'Extracts archived pages again, without the internet, and shows what would be different.',
    examples: [
      [
        'windrow replay job_a1b2c3d4e5f6',
        'pages of a run from the archive in WINDROW_HOME, compared with the stored results',
      ],
      ['windrow replay pages.warc.gz', 'WARC files, without a comparison'],
    ],
    notes: 'Pages are archived while WEB_ARCHIVE is on.',
  })
    .argument('<what...>', 'id of a run, or WARC files')
    .action(run);

async function run(what: string[], options: Record<string, unknown>): Promise<void> {
  const terminal = createTerminal({ json: Boolean(options.json) });
  const isRun = what.length === 1 && RUN_ID.test(what[0]!);
  const files = isRun ? await archiveFiles(terminal) : what.map((file) => resolve(file));
  const pages = await replay(files, isRun ? what[0] : undefined);
  // robots.txt and other files of a site are archived too, and are not articles.
  const urls = pages.urls.filter((url) => new URL(url).pathname !== '/robots.txt');
  if (urls.length === 0) throw new AppError('unknown_id', `The archive has no pages${isRun ? ` of ${what[0]}` : ''}.`);
  const stored = isRun
    ? await storedResults(await configuredClient(options, terminal), what[0]!)
    : new Map<string, StoredResult>();
  const found: Difference[] = [];
  for (const url of urls) found.push(await readAgain(pages, url, stored.get(canonicalUrl(url)), isRun));
  if (options.json) terminal.document({ pages: found });
  else show(terminal, found, isRun);
}

async function archiveFiles(terminal: Terminal): Promise<string[]> {
  const config = loadConfig({ flags: {}, file: undefined, warn: (line) => terminal.say(`warning: ${line}`) });
  const folder = join(resolve(config.home), 'archive');
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0)
    throw new AppError(
      'unknown_id',
      `There is no archive in ${folder}. Start the workers with WEB_ARCHIVE=on, and use their WINDROW_HOME here.`,
    );
  return names
    .filter((name) => name.includes('.warc'))
    .sort()
    .map((name) => join(folder, name));
}

type StoredResult = Results['results'][number] & Partial<Record<(typeof COMPARED)[number], string | null>>;

async function storedResults(client: Client, runId: string): Promise<Map<string, StoredResult>> {
  const stored = new Map<string, StoredResult>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page: Results = await client.get<Results>(`/jobs/${runId}/results${query}`);
    for (const result of page.results) stored.set(canonicalUrl(result.url), result);
    cursor = page.next_cursor;
  }
  return stored;
}

async function readAgain(
  pages: Replay,
  url: string,
  before: StoredResult | undefined,
  isCompared: boolean,
): Promise<Difference> {
  const signal = new AbortController().signal;
  try {
    let now: Article | undefined;
    for await (const item of article.scrape({ url }, pages.web(signal))) now = item;
    const changes = COMPARED.map((field) => ({ field, before: before?.[field] ?? null, after: now?.[field] ?? null }));
    return {
      url,
      error: null,
      changes: changes.filter((change) => change.before !== change.after),
      isNew: isCompared && before === undefined,
    };
  } catch (thrown) {
    return { url, error: asAppError(thrown).message, changes: [], isNew: false };
  }
}

function show(terminal: Terminal, found: Difference[], isCompared: boolean): void {
  for (const { url, error, changes, isNew } of found) {
    if (error !== null) terminal.out(`${url}\n  ${terminal.style('red', error)}`);
    else if (changes.length > 0) {
      terminal.out(`${url}${isNew ? ' (was not stored)' : ''}`);
      for (const { field, before, after } of changes) {
        const from = isCompared && !isNew ? `${terminal.style('red', short(field, before))} → ` : '';
        terminal.out(`  ${field}: ${from}${terminal.style('green', short(field, after))}`);
      }
    }
  }
  const failed = found.filter((one) => one.error !== null).length;
  const changed = found.filter((one) => one.changes.length > 0).length;
  terminal.say(
    isCompared
      ? `${found.length} pages: ${found.length - failed - changed} the same, ${changed} different, ${failed} not readable`
      : `${found.length} pages: ${found.length - failed} read, ${failed} not readable`,
  );
}

function short(field: string, text: string | null): string {
  if (text === null) return 'nothing';
  if (field === 'content') return `${text.length} characters, “${text.slice(0, SHOWN_CHARS).replace(/\s+/g, ' ')}…”`;
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

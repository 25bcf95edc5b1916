// The results of an article run, as JSON, NDJSON or CSV, always in the order of submission.
import type { TextFormat } from '../../model/article/text-format.ts';
import { csvLine } from '../../model/csv.ts';
import type { Run } from '../../model/run/run.ts';
import type { ArticleEntry } from '../../store/runs/article-entries.ts';
import type { RunResultStore } from '../../store/runs/run-store.ts';
import type { Format } from '../export/formats.ts';
import { encodeCursor } from '../lists/cursor.ts';
import { explainedView, failureView, jobStatus, type ResultView, resultView } from './views.ts';

export const RESULTS_LIST = 'results';
/** Entries read from the store at once: usually some megabytes of text. */
const PAGE = 100;

export interface ResultsRequest {
  run: Run;
  after: number;
  /** Null: all of them. */
  limit: number | null;
  format: Format;
  /** With the details of each article; not in CSV. */
  isExplained: boolean;
  /** What `content` is written in. */
  textFormat: TextFormat;
}

export function resultChunks(
  store: Pick<RunResultStore, 'articleEntries'>,
  request: ResultsRequest,
): AsyncGenerator<string> {
  const pages = entryPages(store, request);
  const shown = request.isExplained ? explainedView : resultView;
  const view = (entry: ArticleEntry) => shown(entry, request.textFormat);
  if (request.format === 'ndjson') return ndjson(pages, view);
  if (request.format === 'csv') return csv(pages, request.textFormat);
  return json(request.run, pages, view);
}

interface EntryPage {
  entries: ArticleEntry[];
  /** Position of the next page, if there is one. */
  next: number | null;
}

async function* entryPages(
  store: Pick<RunResultStore, 'articleEntries'>,
  request: ResultsRequest,
): AsyncGenerator<EntryPage> {
  let { after } = request;
  let left = request.limit ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const size = Math.min(PAGE, left);
    // One more than wanted shows whether there is a next page.
    const found = await store.articleEntries({ runId: request.run.id, after, limit: size + 1 });
    const entries = found.slice(0, size);
    left -= entries.length;
    const hasMore = found.length > size;
    after = entries.at(-1)?.pos ?? after;
    yield { entries, next: hasMore && left === 0 ? after : null };
    if (!hasMore || left === 0) return;
  }
}

type View = (entry: ArticleEntry) => object;

async function* json(run: Run, pages: AsyncGenerator<EntryPage>, view: View): AsyncGenerator<string> {
  const head = {
    job_id: run.id,
    status: jobStatus(run.status),
    total_articles: run.total,
    successful: run.completed,
    failed: run.failed,
  };
  let text = `${JSON.stringify(head).slice(0, -1)},"results":[`;
  let comma = '';
  let next: number | null = null;
  const failures: ReturnType<typeof failureView>[] = [];
  for await (const page of pages) {
    for (const entry of page.entries) {
      if (entry.state === 'failed') failures.push(failureView(entry));
      else {
        text += comma + JSON.stringify(view(entry));
        comma = ',';
      }
    }
    next = page.next;
    yield text;
    text = '';
  }
  const cursor = next === null ? null : encodeCursor(RESULTS_LIST, String(next));
  yield `],"failed_articles":${JSON.stringify(failures)},"next_cursor":${JSON.stringify(cursor)}}`;
}

async function* ndjson(pages: AsyncGenerator<EntryPage>, view: View): AsyncGenerator<string> {
  for await (const { entries } of pages) {
    yield entries
      .filter((entry) => entry.state !== 'failed')
      .map((entry) => `${JSON.stringify(view(entry))}\n`)
      .join('');
  }
}

const COLUMNS = [
  'article_id',
  'url',
  'source',
  'category',
  'title',
  'content',
  'author',
  'published_at',
  'language',
  'image',
  'scraped_at',
  'cached',
  'modified_at',
  'kind',
] as const satisfies (keyof ResultView)[];

async function* csv(pages: AsyncGenerator<EntryPage>, format: TextFormat): AsyncGenerator<string> {
  let head = csvLine(COLUMNS);
  for await (const { entries } of pages) {
    yield head +
      successes(entries, format)
        .map((view) => csvLine(COLUMNS.map((column) => view[column])))
        .join('');
    head = '';
  }
}

const successes = (entries: ArticleEntry[], format: TextFormat): ResultView[] =>
  entries.filter((entry) => entry.state !== 'failed').map((entry) => resultView(entry, format));

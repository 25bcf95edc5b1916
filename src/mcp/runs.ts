// What the tools share about runs: starting one of each kind, waiting for it within bounds, and reading what it found in pieces.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, idPath, withQuery } from './api.ts';
import { type Piece, pieceOf, placeOf, ROWS } from './page.ts';

export interface RunView {
  run_id: string;
  kind: 'article' | 'posting' | 'company' | 'cart' | 'crawl' | 'map';
  status: 'running' | 'completed' | 'partial' | 'failed' | 'cancelled';
  about: string | null;
  total: number;
  completed: number;
  failed: number;
  created_at: string;
  finished_at: string | null;
  waiting?: { message: string };
}

const FIRST_POLL_MS = 100;
const LAST_POLL_MS = 2_000;
const CART_WAIT_SECONDS = 2;
const CART_ATTEMPTS = 5;

export const startArticles = async (api: Api, urls: readonly string[], maxAgeSeconds?: number): Promise<string> =>
  (
    await api.submit<{ job_id: string }>('/jobs/submit', {
      articles: urls.map((url) => ({ url })),
      ...(maxAgeSeconds === undefined ? {} : { max_age_seconds: maxAgeSeconds }),
    })
  ).job_id;

export const startSearch = async (api: Api, search: object): Promise<string> =>
  (await api.submit<{ data: { run_id: string } }>('/jobs/scrape', search)).data.run_id;

export const startCart = async (api: Api, cart: object): Promise<string> =>
  (await api.submit<{ job_id: string }>('/cart', cart)).job_id;

export const startCompany = async (api: Api, company: string): Promise<string> =>
  (await api.submit<{ data: { run_id: string } }>(idPath('/companies', company, '/scrape'), {})).data.run_id;

export const startCrawl = async (api: Api, crawl: object): Promise<string> =>
  (await api.submit<{ run_id: string }>('/crawl', crawl)).run_id;

/** The run when it has ended or the time is over, whichever is first. The run goes on either way. */
export async function waitFor(api: Api, id: string, seconds: number, signal: AbortSignal): Promise<RunView> {
  const end = performance.now() + seconds * 1_000;
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 1.5, LAST_POLL_MS)) {
    const run = await api.get<RunView>(idPath('/runs', id));
    const left = end - performance.now();
    if (run.status !== 'running' || left <= 0) return run;
    await sleep(Math.min(pause, left), undefined, { signal });
  }
}

/** What an assistant needs of a run, and what to do next. */
export const briefly = ({
  run_id,
  kind,
  status,
  about,
  total,
  completed,
  failed,
  waiting,
  created_at,
}: RunView): object => ({
  run_id,
  kind,
  status,
  about,
  total,
  completed,
  failed,
  created_at,
  ...(waiting ? { waiting: waiting.message } : {}),
  ...(status === 'running'
    ? { next: 'Still running: follow_run waits for it, read_results has what is there already.' }
    : {}),
});

export interface Results extends Piece {
  failures?: unknown[];
}

/** A piece of what a run of any kind has found. */
export async function resultsOf(
  api: Api,
  run: RunKey,
  { cursor, budget }: { cursor: string | undefined; budget: number },
): Promise<Results> {
  const place = placeOf(cursor);
  const { rows, next, failures } = await READERS[run.kind](api, run, place.cursor);
  // Failures are few, and said once: with the first rows.
  const said = cursor === undefined && failures.length > 0 ? failures : undefined;
  return { ...(said ? { failures: said } : {}), ...pieceOf(rows, next, place, budget) };
}

type RunKey = Pick<RunView, 'run_id' | 'kind' | 'status'>;

interface CartView {
  status: string;
  results?: Record<string, object[]>;
  errors?: Record<string, string>;
}

interface Read {
  rows: unknown[];
  next: string | null;
  failures: unknown[];
}

/** Polls of a cart may be a moment behind the list of runs: an ended cart is asked for until it has ended there too. */
async function cartOf(api: Api, { run_id, status }: RunKey): Promise<CartView> {
  for (let left = CART_ATTEMPTS; ; left--) {
    const cart = await api.get<CartView>(
      withQuery(idPath('/results', run_id), { wait: status === 'running' ? undefined : CART_WAIT_SECONDS }),
    );
    if (status === 'running' || left === 0 || !['queued', 'processing'].includes(cart.status)) return cart;
  }
}

const READERS: Record<RunView['kind'], (api: Api, run: RunKey, cursor?: string) => Promise<Read>> = {
  async article(api, { run_id: id }, cursor) {
    const page = await api.get<{
      results: object[];
      failed_articles: { url: string; error: string }[];
      next_cursor: string | null;
    }>(withQuery(idPath('/jobs', id, '/results'), { format: 'markdown', limit: ROWS, cursor }));
    const rows = page.results.map((row) => pick(row, ['url', 'title', 'author', 'published_at', 'content']));
    return { rows, next: page.next_cursor, failures: page.failed_articles.map((row) => pick(row, ['url', 'error'])) };
  },
  async posting(api, { run_id: id }, cursor) {
    const { data } = await api.get<{
      data: { jobs: object[]; sites?: { site_name: string; error: string | null }[]; next_cursor: string | null };
    }>(withQuery(idPath('/jobs/scrape', id), { limit: ROWS, cursor }));
    const failures = (data.sites ?? [])
      .filter(({ error }) => error !== null)
      .map((site) => pick(site, ['site_name', 'error']));
    return { rows: data.jobs.map((job) => pick(job, POSTING_FIELDS)), next: data.next_cursor, failures };
  },
  async cart(api, run) {
    const cart = await cartOf(api, run);
    const rows = Object.entries(cart.results ?? {}).flatMap(([item, products]) =>
      products.map((product) => ({ item, ...pick(product, PRODUCT_FIELDS) })),
    );
    return { rows, next: null, failures: Object.entries(cart.errors ?? {}).map(([item, error]) => ({ item, error })) };
  },
  async crawl(api, { run_id: id }, cursor) {
    const page = await api.get<{ pages: CrawlRow[]; next_cursor: string | null }>(
      withQuery(idPath('/crawl', id, '/pages'), { format: 'markdown', limit: ROWS, cursor }),
    );
    const failed = page.pages.filter(({ state }) => state === 'failed');
    const rows = page.pages
      .filter(({ state }) => state !== 'failed')
      .map(({ url, depth, outcome, title, article }) => ({
        url,
        depth,
        outcome,
        title: article?.title ?? title,
        ...(article ? { content: article.content } : {}),
      }));
    return { rows, next: page.next_cursor, failures: failed.map((row) => pick(row, ['url', 'error'])) };
  },
  async map(api, { run_id: id }, cursor) {
    const page = await api.get<{ urls: { url: string }[]; next_cursor: string | null; error: string | null }>(
      withQuery(idPath('/map', id), { limit: 1_000, cursor }),
    );
    const failures = page.error === null ? [] : [{ error: page.error }];
    return { rows: page.urls.map(({ url }) => url), next: page.next_cursor, failures };
  },
  async company(api, { run_id: id }, cursor) {
    const page = await api.get<{ sessions: object[]; next_cursor: string | null }>(
      withQuery('/sessions', { run_id: id, limit: ROWS, cursor }),
    );
    return { rows: page.sessions, next: page.next_cursor, failures: [] };
  },
};

interface CrawlRow {
  url: string;
  depth: number;
  state: string;
  outcome: string | null;
  title: string | null;
  article: { title: string | null; content: string | null } | null;
}

const POSTING_FIELDS = [
  ...[
    'title',
    'company',
    'location',
    'remote_type',
    'job_types',
    'salary_min',
    'salary_max',
    'currency',
    'salary_interval',
  ],
  ...[
    'posted_date',
    'seniority',
    'experience_years',
    'degree',
    'visa_sponsorship',
    'contract_kinds',
    'skills',
    'job_url',
    'apply_url',
    'source',
    'description',
  ],
];
const PRODUCT_FIELDS = [
  'title',
  'price',
  'currency',
  'unit_price',
  'unit',
  'seller',
  'rating',
  'reviews',
  'delivery',
  'link',
];

function pick(row: object, names: readonly string[]): Record<string, unknown> {
  const fields = row as Record<string, unknown>;
  return Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));
}

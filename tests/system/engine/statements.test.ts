// Statements are plain SQL, so nothing but PostgreSQL can say whether they fit the schema. Here it is asked about all of them, also about those that no other
// test happens to run, and what it would answer is held against the type that the program gives the rows.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Kind } from '../../../src/model/item/item.ts';
import type { PostingFilter } from '../../../src/store/postings/posting-list.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type Collected, collectStatements, type RowKind } from '../../support/statements/collect.ts';
import { type Column, describeStatement } from '../../support/statements/describe.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let client: pg.Client;
let collected: Collected;

beforeAll(async () => {
  const room = resolve(import.meta.dirname, '../../../src/store');
  // Before the schema is there, or about databases: other tests run these.
  const isOfSchema = (file: string): boolean => !/\.test\.ts$|^(embedded|postgres|backup)\//.test(file);
  const files = globSync('**/*.ts', { cwd: room }).filter(isOfSchema);
  collected = collectStatements(files.map((file) => resolve(room, file)));
  database = await freshDatabase();
  store = await openStore({ connection: database.url, connectTimeoutMs: 30_000 });
  client = new pg.Client({ connectionString: database.url, options: '-c search_path=windrow,public' });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await store?.close();
  await database?.drop();
});

const { builtins } = pg.types;
const ARRAY_TYPES = new Set([1000, 1005, 1007, 1009, 1015, 1016, 1022, 1185, 1231, 2951]);
const KINDS = new Map<number, RowKind>([
  [builtins.BOOL, 'boolean'],
  // A Buffer, which is none of the kinds.
  [builtins.BYTEA, 'unknown'],
  [builtins.INT2, 'number'],
  [builtins.INT4, 'number'],
  [builtins.FLOAT4, 'number'],
  [builtins.FLOAT8, 'number'],
  [builtins.INT8, 'string'],
  [builtins.NUMERIC, 'string'],
  [builtins.TEXT, 'string'],
  [builtins.VARCHAR, 'string'],
  [builtins.UUID, 'string'],
  [builtins.TIMESTAMPTZ, 'date'],
  [builtins.BYTEA, 'bytes'],
  [builtins.JSON, 'unknown'],
  [builtins.JSONB, 'unknown'],
]);

function problemWith(name: string, wanted: RowKind, column: Column | undefined): string | null {
  if (!column) return `has no column ${name}`;
  const got = ARRAY_TYPES.has(column.type) ? 'array' : KINDS.get(column.type);
  if (got === undefined) return `${name} is of type ${column.type}, which this test does not know`;
  return wanted === got || wanted === 'unknown' || got === 'unknown' ? null : `${name} is a ${got}, not a ${wanted}`;
}

test('every statement fits the schema, and its rows are what the program takes them for', async () => {
  expect(collected.statements.length).toBeGreaterThan(150);
  const problems: string[] = [];
  for (const { at, text, row } of collected.statements) {
    try {
      const columns = new Map((await describeStatement(client, text)).map((column) => [column.name, column]));
      for (const [name, kind] of row ?? []) {
        const problem = problemWith(name, kind, columns.get(name));
        if (problem) problems.push(`${at}: ${problem}`);
      }
    } catch (error) {
      problems.push(`${at}: ${(error as Error).message} in ${text}`);
    }
  }
  expect(problems).toEqual([]);
});

const POSTING_FILTER: PostingFilter = {
  sources: ['indeed'],
  company: 'acme',
  location: 'boston',
  remoteType: 'remote',
  postedAfter: '2026-01-01',
  seenAfter: '2026-01-01T00:00:00Z',
  q: 'nurse',
  minSalary: 1,
  maxSalary: 2,
  salaryInterval: 'year',
  currency: 'USD',
  companies: ['Acme'],
  country: 'US',
  seniority: 'senior',
  jobType: 'contract',
  degree: 'bachelor',
  visaSponsorship: true,
  contractKind: 'permanent',
  maxExperience: 3,
  skills: ['sql'],
  postedBefore: '2026-01-01',
  seenBefore: '2026-01-01T00:00:00Z',
  groupId: crypto.randomUUID(),
};
const ARTICLE_FILTER = {
  source: 'BBC',
  category: 'news',
  host: 'a.example',
  language: 'en',
  author: 'ann',
  authors: ['Ann'],
  scrapedBefore: '2026-01-01',
  publishedAfter: '2026-01-01',
  publishedBefore: '2026-01-01',
  scrapedAfter: '2026-01-01T00:00:00Z',
  q: 'harbour',
};
const PRODUCT_FILTER = {
  sources: ['kroger'],
  seller: 'corner',
  sellers: ['Corner'],
  scrapedBefore: '2026-01-01',
  zipcode: '10001',
  currency: 'USD',
  minPrice: 1,
  maxPrice: 2,
  scrapedAfter: '2026-01-01T00:00:00Z',
  q: 'milk',
  groupId: crypto.randomUUID(),
};
const PAGE = { limit: 1, descending: true } as const;
const AFTER = { after: { value: '2026-01-01T00:00:00Z', key: crypto.randomUUID() } };
const SPAN = { from: new Date(0), to: new Date(), bucket: 'day', limit: 1, limitMs: 10_000 } as const;

const trimAll = () =>
  store.trim({
    runDays: 1,
    deadLetterDays: 1,
    idempotencyHours: 1,
    articleDays: 1,
    postingDays: 1,
    priceDays: 1,
    alertDays: 1,
    cartSeconds: 1,
    deliveryDays: 1,
    batch: 1,
  });

/** Twice: what is new, then what is known. */
async function submitTwice(itemKind: Kind): Promise<void> {
  const task = {
    key: crypto.randomUUID(),
    source: 'article',
    lane: 'http',
    params: {},
    priority: 5,
    maxRetries: 0,
    timeoutSeconds: 1,
    ref: {},
  };
  const run = { kind: itemKind, itemKind, trigger: 'manual', requestId: null, options: {}, tasks: [task] };
  for (const runId of [crypto.randomUUID(), crypto.randomUUID()])
    await store.submit({ ...run, runId, maxAgeSeconds: 60, idempotency: null });
}

/** What only the running program puts together, and how to have it do so on an empty database; a text names the test that does. */
const PUT_TOGETHER: Record<string, (() => Promise<unknown>) | string> = {
  "store/alerts/alerts.ts: parsed.join(', ')": () =>
    store.previewSearch({ company: 'acme', location: 'boston', q: 'nurse' }, POSTING_FILTER, { max: 1, shown: 1 }),
  "store/alerts/alerts.ts: where.join(' and ')": () =>
    store.previewSearch({ q: 'nurse' }, POSTING_FILTER, { max: 1, shown: 1 }),
  "store/alerts/announce.ts: [ is('sources', CONDITIONS.sources), is(": 'alerts.test.ts',
  'store/cleanup.ts: table': () => store.cleanUp({ sessionDays: 1, positionDays: 1, batch: 1 }),
  'store/invariants/look.ts: invariant.broken(rows)': 'doctor.test.ts',
  'store/invariants/look.ts: walk.key.map(({ column }) => `${column}:': 'doctor.test.ts',
  async 'store/items/item-list.ts: text'() {
    for (const order of ['first_seen_at', 'posted_at', 'salary'] as const)
      for (const filter of [POSTING_FILTER, {}]) await store.listPostings({ ...filter, ...PAGE, order, after: null });
    await store.listPostings({ ...POSTING_FILTER, ...PAGE, ...AFTER, order: 'first_seen_at' });
    for (const order of ['scraped_at', 'published_at'] as const)
      for (const filter of [ARTICLE_FILTER, {}]) await store.listArticles({ ...filter, ...PAGE, order, after: null });
    for (const order of ['scraped_at', 'price'] as const)
      for (const filter of [PRODUCT_FILTER, {}]) await store.listProducts({ ...filter, ...PAGE, order, after: null });
  },
  "store/items/item-list.ts: texts.join(', ')": 'search-api.test.ts',
  async 'store/items/origins.ts: TABLES[kind]'() {
    for (const kind of ['article', 'posting', 'product'] as const)
      await store.provenanceOf(kind, ['0199a0de-0000-7000-8000-000000000001']);
  },
  'store/items/stream.ts: { text, values, query_timeout: CHUNK_LIM': 'export.test.ts',
  'store/items/estimate.ts: from': 'list-cost.test.ts',
  async 'store/items/facets.ts: labels'() {
    const options = { facets: ['source'], limit: 1, limitMs: 10_000 };
    await store.postingFacets(POSTING_FILTER, options);
    await store.articleFacets(ARTICLE_FILTER, options);
    await store.productFacets(PRODUCT_FILTER, options);
  },
  'store/rollups/cells.ts: of.rows': 'rollups.test.ts',
  'store/rollups/roll-up.ts: AMOUNTS[kind]': 'rollups.test.ts',
  async "store/rollups/grouped.ts: columns.flat().join(', ')"() {
    const postings = { ...SPAN, filter: POSTING_FILTER, country: 'us' };
    await store.countPostingsOver({ ...postings, groups: ['source', 'city'] });
    await store.countCompanies({ ...postings, groups: ['company', 'country'] });
    await store.payOver({ ...postings, groups: ['seniority', 'job_type'], bucket: null });
    await store.pricesOver({ ...SPAN, groups: ['product'], filter: PRODUCT_FILTER });
  },
  async 'store/postgres/of-owner.ts: column'() {
    for (const owner of ['team-a', null]) {
      const page = { limit: 1, cursor: null, owner };
      await store.listRuns({ kind: 'article', status: null, skip: 0, ...page });
      await store.listAllRuns({ kind: null, status: null, ...page });
      await store.listEvidence({ owner, limit: 1, before: null });
      await store.newestEvidence([{ source: 'article', code: 'blocked' }], owner);
      await store.listQuality({ owner, limit: 1, before: null });
      await store.listSessions({ companyId: null, runId: null, after: null, limit: 1, owner });
      for (const webhookId of ['whk_0123456789abcdef', null])
        await store.listDeliveries({ webhookId, state: null, eventId: null, owner, before: null, limit: 1 });
    }
  },
  'store/retention.ts: text': () => trimAll(),
  'store/retention.ts: which': () => trimAll(),
  async 'store/runs/run-list.ts: MAY_BE[status]'() {
    for (const status of ['running', 'cancelled', 'completed', 'partial', 'failed'] as const)
      await store.listAllRuns({ kind: null, status, limit: 1, cursor: null });
  },
  async 'store/sources/source-holds.ts: which'() {
    await store.parkSource('article');
    await store.unparkSource('article');
  },
  async 'store/submissions/plan.ts: table'() {
    for (const kind of ['article', 'posting', 'product'] as const) await submitTwice(kind);
  },
  'store/submissions/rows.ts: look': () => submitTwice('article'),
  'store/webhooks/deliveries.ts: state': () => store.sweepDeliveries({ waitingMax: 0 }),
  'store/weeks.ts: name': () => trimAll(),
  'store/weeks.ts: table': 'tests/system/store/weeks.test.ts makes weeks',
  'store/weeks.ts: week.name': 'tests/system/store/weeks.test.ts drops them',
};

test('what reading cannot put together is run', async () => {
  expect([...new Set(collected.unread)].sort()).toEqual(Object.keys(PUT_TOGETHER).sort());
  for (const run of Object.values(PUT_TOGETHER)) if (typeof run === 'function') await run();
});

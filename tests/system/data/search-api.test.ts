// Searching the lists on a real database: filters by label, ranking and highlights, facets, names with typos, and pages while items are added.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createPool } from '../../../src/store/postgres/pool.ts';
import { freshDatabase } from '../../support/own-servers.ts';
import { type Draft, pay, place, posting, save } from '../../support/worlds/postings.ts';
import { type ApiWorld, startApiWorld } from '../api/api-world.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let world: ApiWorld;
let pool: pg.Pool;

const DRAFTS: Draft[] = [
  {
    source: 'indeed',
    external_id: 'kafka',
    title: 'Kafka Engineer',
    company: 'Deloitte',
    description: 'We run Kafka at 5 < 6 & "so" on. </mark><script>alert("kafka")</script>',
    skills: ['Kafka', 'SQL'],
    seniority: 'senior',
    job_types: ['full_time', 'contract'],
    experience_years: { min: 5, max: null },
    degree: 'bachelor',
    visa_sponsorship: false,
    contract_kinds: ['permanent', 'freelance'],
    locations: [place('Austin'), place('Berlin', 'DE')],
    salary: pay(90_000, 110_000),
  },
  {
    source: 'linkedin',
    external_id: 'baker',
    title: 'Baker',
    company: 'Deloitte Consulting LLP',
    description: 'Bread, and once a year kafka.',
    skills: ['bread'],
    seniority: 'entry',
    job_types: ['part_time'],
    experience_years: { min: null, max: 2 },
    degree: 'none',
    visa_sponsorship: true,
    salary: pay(20, 25, { interval: 'hour' }),
  },
  {
    source: 'linkedin',
    external_id: 'cook',
    title: 'Cook',
    company: 'Müller Küche',
    description: `${'Soup and so on. '.repeat(3_000)} kafka`,
    skills: ['sql'],
    remote_type: 'remote',
    locations: [place('Berlin', 'DE')],
    posted_at: '2026-10-01T00:00:00.000Z',
  },
];

beforeAll(async () => {
  database = await freshDatabase();
  world = await startApiWorld({ databaseUrl: database.url });
  pool = createPool({ connection: database.url, connectTimeoutMs: 30_000 });
  for (const draft of DRAFTS) await save(pool, posting(draft));
  await vi.waitUntil(async () => (await get('/postings')).postings.every(isGrouped), 60_000);
});
afterAll(async () => {
  await world?.stop();
  await pool?.end();
  await database?.drop();
});

const isGrouped = (one: { group: { id: string | null } }): boolean => one.group.id !== null;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function get(path: string): Promise<any> {
  const { status, body, text } = await world.call('GET', path);
  expect(status, text).toBe(200);
  return body;
}
const idsOf = (listed: { external_id: string }[]): string[] => listed.map((one) => one.external_id);

test.each([
  ['country=DE', ['cook', 'kafka']],
  ['country=US', ['baker', 'kafka']],
  ['country=DE&remote_type=remote', ['cook']],
  ['seniority=senior', ['kafka']],
  ['job_type=contract', ['kafka']],
  ['degree=none', ['baker']],
  ['degree=bachelor&visa_sponsorship=false', ['kafka']],
  ['visa_sponsorship=true', ['baker']],
  ['contract_kind=freelance', ['kafka']],
  ['max_experience=4', ['baker']],
  ['max_experience=5.5', ['baker', 'kafka']],
  ['skill=sql', ['cook', 'kafka']],
  ['skill=SQL,%20kafka', ['kafka']],
  ['skill=sql,bread', []],
  ['max_salary=60000', ['baker']],
  ['min_salary=60000&max_salary=120000', ['kafka']],
  ['salary_interval=hour', ['baker']],
  ['currency=USD&source=linkedin', ['baker']],
  ['posted_before=2026-10-02', ['cook']],
  ['first_seen_before=2020-01-01', []],
  ['skill=%27%29%3B--', []],
])('%s', async (query, ids) => {
  expect(idsOf((await get(`/postings?${query}`)).postings).sort()).toEqual(ids);
  // What is listed is what is counted.
  expect(await get(`/postings/facets?${query}&facets=source`)).toMatchObject({ total: ids.length, exact: true });
});

test('facets count the values of what matches, the most frequent first', async () => {
  const { total, exact, facets } = await get('/postings/facets');
  expect({ total, exact }).toEqual({ total: 3, exact: true });
  expect(facets.country).toEqual([
    { value: 'DE', count: 2 },
    { value: 'US', count: 2 },
  ]);
  expect(facets.skill).toEqual([
    { value: 'sql', count: 2 },
    { value: 'bread', count: 1 },
    { value: 'kafka', count: 1 },
  ]);
  expect(facets.company.map((one: { value: string }) => one.value)).toContain('Deloitte Consulting LLP');
  const some = await get('/postings/facets?q=kafka&source=linkedin&facets=skill,country&limit=1');
  expect(some).toEqual({
    total: 2,
    exact: true,
    facets: { skill: [{ value: 'bread', count: 1 }], country: [{ value: 'DE', count: 1 }] },
  });
});

test('the best match comes first, and every match is on one page', async () => {
  const best = idsOf((await get('/postings?q=kafka&sort=relevance')).postings);
  expect(best).toHaveLength(3);
  expect(best[0]).toBe('kafka');
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { postings: { external_id: string }[]; next_cursor: string | null } = await get(
      `/postings?q=kafka&sort=relevance&limit=1${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...idsOf(page.postings));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(best);
});

test('highlights are HTML with marks and nothing else of the page', async () => {
  const { postings } = await get('/postings?q=kafka&sort=relevance&highlight=true');
  const [kafka, ...others] = postings;
  expect(kafka.highlights.title).toBe('<mark>Kafka</mark> Engineer');
  expect(kafka.highlights.description).toContain('<mark>Kafka</mark> at 5 &lt; 6 &amp; &quot;so&quot; on.');
  expect(kafka.highlights.description).not.toMatch(/<(?!\/?mark>)/);
  // Shown as it is where the words are too far on; found all the same.
  expect(others.map((one: { highlights: object }) => Object.keys(one.highlights)).sort()).toEqual([
    [],
    ['description'],
  ]);
  expect((await get('/postings?q=kafka')).postings[0].highlights).toBeUndefined();
});

test.each([
  ['with pg_trgm', 'pg_trgm'],
  ['without', 'first_letters'],
])('a name with a typo finds the names like it, %s', async (_name, using) => {
  if (using === 'first_letters') await pool.query('drop extension pg_trgm cascade');
  expect((await get('/postings?company=Delloite')).postings).toEqual([]);
  const { postings, fuzzy_names } = await get('/postings?company=Delloite&fuzzy=true');
  expect(fuzzy_names).toEqual({ using, names: ['Deloitte', 'Deloitte Consulting LLP'] });
  expect(idsOf(postings).sort()).toEqual(['baker', 'kafka']);
  expect((await get('/postings/facets?company=M%C3%BCler&fuzzy=true')).total).toBe(1);
  expect((await get('/postings?company=Zzyzx&fuzzy=true')).postings).toEqual([]);
});

test('articles and products are searched the same way', async () => {
  const submitted = await world.call('POST', '/jobs/submit', {
    articles: ['a', 'b'].map((name) => ({ url: `https://news.example/${name}`, source: 'BBC', category: 'Tech' })),
  });
  await world.ended(submitted.body.job_id);
  await vi.waitUntil(async () => (await get('/articles')).articles.length === 2, 60_000);
  const [article] = (await get('/articles?q=text&sort=relevance&highlight=true')).articles;
  expect(article.highlights.content).toMatch(/^<mark>Text<\/mark> of https:/);
  expect(await get('/articles/facets?facets=host,category')).toEqual({
    total: 2,
    exact: true,
    facets: { host: [{ value: 'news.example', count: 2 }], category: [{ value: 'Tech', count: 2 }] },
  });
  expect(await get('/products/facets?q=milk')).toMatchObject({ total: 0, facets: { seller: [] } });
  expect((await get('/articles?author=Nobody&fuzzy=true')).fuzzy_names.names).toEqual([]);
});

test.each([
  ['/postings?sort=relevance', '/sort'],
  ['/postings?sort=relevance&q=a&format=csv', '/sort'],
  ['/postings?highlight=true', '/highlight'],
  ['/postings?fuzzy=true', '/fuzzy'],
  ['/postings?country=usa', '/country'],
  ['/postings?max_salary=-1', '/max_salary'],
  ['/postings?salary_interval=decade', '/salary_interval'],
  ['/postings?posted_before=soon', '/posted_before'],
  ['/postings/facets?facets=colour', '/facets'],
  ['/postings/facets?limit=0', '/limit'],
  ['/postings/facets?sort=salary', '/sort'],
])('%s is refused by its name', async (path, pointer) => {
  const { status, body } = await world.call('GET', path);
  expect(status).toBe(422);
  expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
});

test('while postings are added, pages of every order show each of the others once', async () => {
  const old = Array.from({ length: 40 }, (_, i) =>
    posting({
      source: 'naukri',
      external_id: `old-${i}`,
      company: `Old ${i}`,
      description: `steel ${'steel '.repeat(i)}`,
      salary: pay(30_000 + (i % 7) * 1_000, 60_000),
    }),
  );
  await save(pool, ...old);
  let added = 0;
  for (const sort of ['-first_seen_at', 'first_seen_at', '-posted_at', '-salary', 'salary', 'relevance']) {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && seen.length < 1_000; ) {
      const page: { postings: { external_id: string }[]; next_cursor: string | null } = await get(
        `/postings?q=steel&source=naukri&sort=${sort}&limit=7${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...idsOf(page.postings));
      cursor = page.next_cursor;
      const salary = pay(25_000 + ((added * 3_571) % 20_000), 60_000);
      const draft = { source: 'naukri', external_id: `new-${added++}`, description: 'steel '.repeat(added % 50) };
      await save(pool, posting({ ...draft, company: `New ${added}`, salary }));
    }
    expect(new Set(seen).size, sort).toBe(seen.length);
    expect(seen.filter((id) => id.startsWith('old-')).sort(), sort).toEqual(old.map((one) => one.external_id).sort());
  }
});

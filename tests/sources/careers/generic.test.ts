import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { positionsAt } from '../../../src/sandbox/careers/truth.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { CAREER_SOURCES } from '../../../src/sources/careers/index.ts';
import { createWeb } from '../../../src/web/web.ts';
import { serve } from '../../support/web/servers.ts';
import { type CareerWorld, careerWorld, NOON } from '../../support/worlds/careers.ts';

let world: CareerWorld;
beforeAll(async () => {
  world = await careerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** `oakhaven-40-api` is the company `oakhaven-40` on a site of the kind `api`. */
const truth = (label: string) => {
  const at = label.lastIndexOf('-');
  return positionsAt({ vendor: `site-${label.slice(at + 1)}`, token: label.slice(0, at) }, NOON);
};

test('static follows the links of a list and reads the JobPosting of each page', async () => {
  const label = 'oakhaven-jsonld';
  const { postings, skipped } = await world.scrape('static', { url: `https://${label}.hiring.example/careers` });
  const positions = truth(label);
  expect(positions.length).toBeGreaterThan(1);
  expect(skipped).toEqual([]);
  expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => String(p.number)).sort());
  for (const position of positions) {
    const posting = postings.find((p) => p.external_id === String(position.number));
    expect(posting).toMatchObject({
      title: position.title,
      company: 'Oakhaven',
      job_types: [position.type],
      posted_date: new Date(position.bornMs).toISOString().slice(0, 10),
      locations: [{ city: position.place.city, country: position.place.countryCode }],
      salary_min: position.pay?.min ?? null,
      currency: position.pay?.currency ?? null,
    });
    if (position.remote === 'remote')
      expect(posting).toMatchObject({ remote_type: 'remote', remote_regions: [position.place.country] });
    expect(posting?.description).toContain('research & planning');
  }
});

const BY_SELECTORS = {
  item: 'li.job',
  fields: { title: 'h3 a', url: 'h3 a@href', location: '.place', department: '.team', posted: 'time' },
  next: 'a[rel=next]',
};

test('static reads a list in pages by selectors, and each posting where it is told to', async () => {
  const label = 'oakhaven-60-list';
  const url = 'https://oakhaven-60-list.hiring.example/careers';
  const positions = truth(label);
  const listed = await world.scrape('static', { url, ...BY_SELECTORS });
  expect(positions.length).toBeGreaterThan(0);
  expect(listed.postings.map((p) => [p.title, p.department]).sort()).toEqual(
    positions.map((p) => [p.title, p.department]).sort(),
  );
  expect(listed.postings.every((p) => p.locations[0]?.country !== null && p.posted_at !== null)).toBe(true);
  const detailed = await world.scrape('static', {
    url,
    ...BY_SELECTORS,
    details: true,
    detail_fields: { description: '.text' },
  });
  expect(detailed.postings.every((p) => p.description?.includes('research & planning'))).toBe(true);
});

test('static takes "no open positions" for an empty board and anything else for a changed page', async () => {
  const empty = await world.scrape('static', { url: 'https://empty-oakhaven-jsonld.hiring.example/careers' });
  expect(empty.postings).toEqual([]);
  await expect(world.scrape('static', { url: 'https://oakhaven-rss.hiring.example/careers' })).rejects.toMatchObject({
    code: 'layout_changed',
    message: expect.stringContaining('Set item and fields to say where the postings are'),
  });
  await expect(
    world.scrape('static', { url: 'https://oakhaven-list.hiring.example/careers', item: '.nothing' }),
  ).rejects.toMatchObject({
    code: 'layout_changed',
    message: 'No postings found on the page: nothing matches ".nothing"',
  });
});

test('rss reads a feed', async () => {
  const label = 'oakhaven-rss';
  const { postings } = await world.scrape('rss', {
    url: `https://${label}.hiring.example/jobs/feed.xml`,
    company_name: 'Oakhaven',
  });
  const positions = truth(label);
  expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => String(p.number)).sort());
  expect(postings[0]).toMatchObject({ company: 'Oakhaven', posted_precision: 'exact' });
  expect(postings.map((p) => p.department).sort()).toEqual(positions.map((p) => p.department).sort());
});

test.each([
  ['none at all', 'http://', 'the next page is no address on the same host: http://'],
  ['of another host', 'https://evil.example/2', 'the next page is no address on the same host: https://evil.example/2'],
])('an API whose address of the next page is %s is told what is wrong', async (_, next, message) => {
  await using site = await serve((_request, response) =>
    response.end(JSON.stringify({ jobs: [{ id: 1, title: 'Welder' }], next })),
  );
  const webs = createWeb({ hostMap: `*=${site.origin}`, robots: 'off' });
  const source = CAREER_SOURCES.find(({ name }) => name === 'api')!;
  const web = webs.forAttempt({ signal: AbortSignal.timeout(60_000), source: 'api' });
  const params = source.params.parse({
    url: 'https://jobs.example/api',
    items: 'jobs',
    fields: { id: 'id', title: 'title' },
    paging: { kind: 'next', path: 'next' },
  });
  const read = async () => {
    for await (const item of source.scrape(params, web, { skipped() {}, incomplete() {} })) void item;
  };
  try {
    await expect(read()).rejects.toMatchObject({ code: 'layout_changed', message });
  } finally {
    await webs.close();
  }
});

describe('feeds of other kinds', () => {
  async function feed(body: string, type = 'application/xml'): Promise<Awaited<ReturnType<CareerWorld['scrape']>>> {
    await using site = await serve((_, response) => response.setHeader('content-type', type).end(body));
    const webs = createWeb({ hostMap: `*=${site.origin}`, robots: 'off' });
    const source = CAREER_SOURCES.find(({ name }) => name === 'rss')!;
    const web = webs.forAttempt({ signal: AbortSignal.timeout(60_000), source: 'rss' });
    const found: Awaited<ReturnType<CareerWorld['scrape']>> = { postings: [], skipped: [], incomplete: [] };
    const notes = {
      skipped: (row: { id: string | null; reason: string }) => void found.skipped.push(row),
      incomplete: (reason: string) => void found.incomplete.push(reason),
    };
    try {
      for await (const item of source.scrape(source.params.parse({ url: 'https://feeds.example/jobs' }), web, notes))
        found.postings.push(item as never);
      return found;
    } finally {
      await webs.close();
    }
  }

  test('Atom', async () => {
    const { postings } = await feed(
      `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Jobs</title><entry><id>tag:a,1</id><title>Welder &amp; fitter</title>
      <link rel="alternate" href="https://feeds.example/j/1?utm_source=x"/><published>2026-11-01T08:00:00Z</published><updated>2026-11-02T08:00:00Z</updated>
      <content type="html">&lt;p&gt;Weld things.&lt;/p&gt;</content></entry></feed>`,
    );
    expect(postings).toMatchObject([
      {
        external_id: 'tag:a,1',
        title: 'Welder & fitter',
        job_url: 'https://feeds.example/j/1',
        posted_date: '2026-11-01',
        description: 'Weld things.',
      },
    ]);
  });

  test('JSON Feed, with a JobPosting inside', async () => {
    const item = {
      id: '7',
      url: 'https://feeds.example/j/7',
      title: 'Baker',
      date_published: '2026-11-03T00:00:00Z',
      content_html: '<p>Bake.</p>',
      _jobposting: {
        '@type': 'JobPosting',
        employmentType: 'PART_TIME',
        jobLocation: { address: { addressLocality: 'Ghent', addressCountry: 'BE' } },
      },
    };
    const { postings } = await feed(
      JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'Jobs', items: [item] }),
      'application/feed+json',
    );
    expect(postings).toMatchObject([
      { external_id: '7', title: 'Baker', job_types: ['part_time'], locations: [{ city: 'Ghent', country: 'BE' }] },
    ]);
  });

  test('elements of their own: pay, place, last day; a title without an id is told by its address', async () => {
    const { postings, skipped } = await feed(
      `<?xml version="1.0"?><rss version="2.0" xmlns:joblisting="http://x.example/jl"><channel><title>Agency</title>
      <item><title>Clerk</title><link>https://feeds.example/j/2?utm_medium=rss</link><pubDate>Wed, 04 Nov 2026 23:10:38 GMT</pubDate>
      <joblisting:minimumSalary>20</joblisting:minimumSalary><joblisting:maximumSalary>25</joblisting:maximumSalary><joblisting:salaryCurrency>USD</joblisting:salaryCurrency><joblisting:salaryInterval>Hour</joblisting:salaryInterval>
      <joblisting:location>Atlanta, Georgia</joblisting:location><joblisting:qualifications>&lt;p&gt;Care.&lt;/p&gt;</joblisting:qualifications></item>
      <item><link>https://feeds.example/j/3</link></item></channel></rss>`,
    );
    expect(postings).toMatchObject([
      {
        external_id: 'https://feeds.example/j/2',
        salary_min: 20,
        salary_max: 25,
        salary_interval: 'hour',
        locations: [{ city: 'Atlanta' }],
        description: 'Care.',
      },
    ]);
    expect(skipped).toMatchObject([{ id: 'https://feeds.example/j/3' }]);
  });

  test('a page where a feed was', async () => {
    await expect(feed('<!doctype html><title>Moved</title>', 'text/html')).rejects.toMatchObject({
      code: 'layout_changed',
    });
  });
});

test('api reads any endpoint by its mapping, page by page', async () => {
  const label = 'oakhaven-40-api';
  const positions = truth(label);
  const params = {
    url: 'https://oakhaven-40-api.hiring.example/api/openings?page={page}&size=10',
    items: 'result.rows',
    total: 'result.count',
    paging: { kind: 'page', size: 10 },
    fields: {
      id: 'key',
      title: 'attributes.name',
      url: { text: 'https://oakhaven.example/jobs/{attributes.slug}' },
      department: 'attributes.group.label',
      location: 'attributes.offices.*.name',
      posted: 'attributes.opened',
      description: 'attributes.body',
      remote: 'attributes.model',
      job_type: 'attributes.contract',
      salary_min: 'pay.min',
      salary_max: 'pay.max',
      salary_currency: 'pay.currency',
    },
    values: { company: 'Oakhaven', salary_interval: 'year' },
  };
  const { postings, incomplete } = await world.scrape('api', params);
  expect(positions.length).toBeGreaterThan(20);
  expect(incomplete).toEqual([]);
  expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => String(p.number)).sort());
  const position = positions.find((one) => one.pay !== null)!;
  expect(postings.find((p) => p.external_id === String(position.number))).toMatchObject({
    title: position.title,
    company: 'Oakhaven',
    job_url: `https://oakhaven.example/jobs/${position.number}-a-job`,
    department: position.department,
    remote_type: position.remote,
    salary_min: position.pay?.min,
    salary_interval: 'year',
    locations: [{ city: position.place.city }],
  });
  const first = await world.scrape('api', {
    ...params,
    paging: { kind: 'none' },
    url: 'https://oakhaven-40-api.hiring.example/api/openings?page=1&size=10',
  });
  expect(first.incomplete).toEqual([expect.stringContaining(`${positions.length} postings`)]);
});

test('api says which part of its settings is wrong', () => {
  const { params } = CAREER_SOURCES.find(({ name }) => name === 'api')!;
  expect(params.safeParse({ url: 'https://a.example/x', fields: { id: 'id' } }).success).toBe(false);
  expect(params.safeParse({ url: 'https://a.example/x', fields: { title: 't', nonsense: 'x' } }).success).toBe(false);
  expect(params.safeParse({ url: 'https://a.example/x', fields: { title: 't', url: 'u' } }).success).toBe(true);
});

test('a browser page that no worker can open says so', async () => {
  await expect(
    world.scrape('playwright', { url: 'https://oakhaven-spa.hiring.example/careers', item: 'article.job' }),
  ).rejects.toMatchObject({ code: 'unsupported_content' });
});

test('the career sources of the contract take the settings it names', () => {
  const named: Record<string, Record<string, unknown>> = {
    greenhouse: { board: 'acme' },
    lever: { site: 'acme', region: 'eu' },
    ashby: { board: 'Acme Inc.' },
    smartrecruiters: { company: 'Acme1' },
    comeet: { uid: '30.005', token: 'ABC' },
    workday: { host: 'acme.wd5.myworkdayjobs.com', site: 'External' },
    workable: { account: 'acme' },
    recruitee: { host: 'jobs.acme.example' },
    personio: { company: 'acme', language: 'de' },
    teamtailor: { host: 'jobs.acme.example' },
    bamboohr: { company: 'acme' },
    rss: { url: 'https://a.example/feed' },
    api: { url: 'https://a.example/jobs', fields: { title: 'title', url: 'url' } },
    static: { url: 'https://a.example/jobs' },
    playwright: { url: 'https://a.example/jobs' },
  };
  for (const [name, settings] of Object.entries(named)) {
    const source = CAREER_SOURCES.find((one) => one.name === name);
    expect(source?.params.safeParse(settings).success, name).toBe(true);
    expect(source?.params.safeParse({}).success, name).toBe(false);
  }
});

test('settings cannot lead to another host or path', () => {
  const bad: [string, Record<string, unknown>][] = [
    ['greenhouse', { board: '../../../x' }],
    ['lever', { site: 'a/b' }],
    ['ashby', { board: 'a/../../b' }],
    ['smartrecruiters', { company: 'a?b' }],
    ['workday', { host: 'evil.example', site: 'x' }],
    ['workday', { host: 'a.myworkdayjobs.com.evil.example', site: 'x' }],
    ['recruitee', { company: 'evil.example/' }],
    ['recruitee', { company: 'a', host: 'b.example' }],
    ['personio', { company: 'evil.example#' }],
    ['bamboohr', { company: '127.0.0.1' }],
    ['rss', { url: 'file:///etc/passwd' }],
  ];
  for (const [name, params] of bad) {
    expect(
      CAREER_SOURCES.find((source) => source.name === name)?.params.safeParse(params).success,
      JSON.stringify(params),
    ).toBe(false);
  }
});

test('the sandbox answers on the viewer address too', async () => {
  const sandbox = await startSandbox({ now: () => NOON });
  const reply = await fetch(`${sandbox.origin}/__sandbox/at/boards-api.greenhouse.io/v1/boards/aldermoor/jobs`);
  expect(await reply.json()).toMatchObject({
    meta: { total: positionsAt({ vendor: 'greenhouse', token: 'aldermoor' }, NOON).length },
  });
  await sandbox.close();
});

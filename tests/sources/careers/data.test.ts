// Career sites whose list no link shows: read from their sitemap, or from the scripts of a page.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { positionsAt } from '../../../src/sandbox/careers/truth.ts';
import { CAREER_SOURCES } from '../../../src/sources/careers/index.ts';
import { type CareerWorld, careerWorld, NOON } from '../../support/worlds/careers.ts';

const DAY_MS = 86_400_000;
let world: CareerWorld;
beforeAll(async () => {
  world = await careerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** `oakhaven-40-state` is the company `oakhaven-40` on a site of the kind `state`. */
const truth = (label: string) => {
  const at = label.lastIndexOf('-');
  return positionsAt({ vendor: `site-${label.slice(at + 1)}`, token: label.slice(0, at) }, NOON);
};
const address = (label: string, path = '/careers') => `https://${label}.hiring.example${path}`;
const pageOf = (label: string, number: number) => address(label, `/careers/jobs/${number}-a-job`);
const asked = (label: string) =>
  world.sandbox.log(`${label}.hiring.example`).filter(({ path }) => path.startsWith('/careers/jobs/')).length;

describe('sitemap', () => {
  test.each(['/careers', '/sitemap.xml', '/sitemap-jobs.xml'])('reads the postings of a site from %s', async (path) => {
    const label = 'oakhaven-sitemap';
    const { postings, skipped, incomplete } = await world.scrape('sitemap', { url: address(label, path) });
    const positions = truth(label);
    expect(positions.length).toBeGreaterThan(1);
    expect([skipped, incomplete]).toEqual([[], []]);
    expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => pageOf(label, p.number)).sort());
    for (const position of positions)
      expect(postings.find((p) => p.job_url === pageOf(label, position.number))).toMatchObject({
        title: position.title,
        company: 'Oakhaven',
        locations: [{ city: position.place.city, country: position.place.countryCode }],
        salary_min: position.pay?.min ?? null,
        description: expect.stringContaining('research & planning'),
      });
  });

  test('an incremental scrape reads what is not known and what was changed lately', async () => {
    const label = 'brackenfield-40-sitemap';
    const positions = truth(label);
    const known = positions.slice(3).map((p) => pageOf(label, p.number));
    const age = Date.now() - NOON;
    const recently = positions.filter((p) => p.changedMs > NOON - 4 * DAY_MS).map((p) => pageOf(label, p.number));
    const wanted = [...new Set([...positions.slice(0, 3).map((p) => pageOf(label, p.number)), ...recently])];
    expect(recently.length).toBeGreaterThan(0);
    const recheck_days = Math.ceil(4 + age / DAY_MS);
    const inReach = age >= 0 && recheck_days <= 60;
    const { postings } = await world.scrape('sitemap', {
      url: address(label),
      known,
      recheck_days: inReach ? recheck_days : 0,
    });
    const found = postings.map((p) => p.external_id);
    expect(found).toEqual(expect.arrayContaining(wanted.slice(0, 3)));
    expect(found.length).toBeLessThan(positions.length);
    expect(asked(label)).toBe(found.length);
  });

  test('reads the latest changes where there are more pages than it may read, and says that there are more', async () => {
    const label = 'calderwick-60-sitemap';
    const { postings, incomplete } = await world.scrape('sitemap', { url: address(label), max_details: 5 });
    const latest = truth(label)
      .toSorted((a, b) => b.changedMs - a.changedMs)
      .slice(0, 5);
    expect(postings.map((p) => p.external_id).sort()).toEqual(latest.map((p) => pageOf(label, p.number)).sort());
    expect(incomplete).toEqual([expect.stringContaining('of which 5 were read')]);
  });

  test('tells what to say where no URL looks like a posting, and where no page states one', async () => {
    const url = address('oakhaven-sitemap', '/sitemap-pages.xml');
    await expect(world.scrape('sitemap', { url })).rejects.toMatchObject({
      code: 'layout_changed',
      message: expect.stringContaining('Say with include'),
    });
    const jobs = address('oakhaven-sitemap', '/sitemap-jobs.xml');
    await expect(
      world.scrape('sitemap', { url: jobs, include: ['/careers'], exclude: ['/jobs/'] }),
    ).rejects.toMatchObject({ code: 'layout_changed', message: expect.stringContaining('states a JobPosting') });
    await expect(
      world.scrape('sitemap', { url: address('oakhaven-list', '/careers?sitemap.xml') }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('a page in the place of a sitemap is no empty board', async () => {
    const url = address('oakhaven-jsonld', '/careers?of=/sitemap.xml');
    await expect(world.scrape('sitemap', { url })).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      world.scrape('sitemap', { url: address('empty-oakhaven-sitemap', '/sitemap-jobs.xml') }),
    ).rejects.toMatchObject({ code: 'layout_changed' });
  });
});

const FIELDS = {
  id: 'ref',
  title: 'name',
  url: 'slug',
  location: 'where',
  department: 'team',
  posted: 'opened',
  description: 'body',
};

describe('embedded', () => {
  test.each([
    ['nextdata', { script: 'script#__NEXT_DATA__', items: 'props.pageProps.jobs' }],
    ['nextdata', { items: 'props.pageProps.jobs' }],
    ['state', { after: 'window.__STATE__ =', items: 'openings' }],
    ['state', { items: 'openings' }],
  ])('reads the list in the scripts of a page: %s %o', async (kind, settings) => {
    const label = `oakhaven-30-${kind}`;
    const isPaged = kind === 'nextdata';
    const { postings, skipped, incomplete } = await world.scrape('embedded', {
      url: address(label, isPaged ? '/careers?page={page}' : '/careers'),
      fields: FIELDS,
      ...settings,
      ...(isPaged && { paging: { kind: 'page', size: 20 }, total: 'props.pageProps.total' }),
    });
    const positions = truth(label);
    expect(positions.length).toBeGreaterThan(20);
    expect([skipped, incomplete]).toEqual([[], []]);
    expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => String(p.number)).sort());
    const position = positions[0]!;
    expect(postings.find((p) => p.external_id === String(position.number))).toMatchObject({
      title: position.title,
      department: position.department,
      job_url: address(label, `/careers/${position.number}`),
      locations: [{ city: position.place.city, country: position.place.countryCode }],
      posted_date: new Date(position.bornMs).toISOString().slice(0, 10),
      description: expect.stringContaining('research & planning'),
    });
  });

  test('an empty list is an empty board, and a wrong path names what is there', async () => {
    const scrape = (label: string, settings: object) =>
      world.scrape('embedded', { url: address(label), fields: FIELDS, ...settings });
    expect((await scrape('empty-oakhaven-state', { items: 'openings' })).postings).toEqual([]);
    await expect(scrape('oakhaven-state', { after: 'window.__STATE__ =', items: 'jobs' })).rejects.toMatchObject({
      code: 'layout_changed',
      message: expect.stringContaining('it has user, isOpen, openings'),
    });
    await expect(scrape('oakhaven-list', { items: 'openings' })).rejects.toMatchObject({ code: 'layout_changed' });
  });

  test('says what is wrong with its settings', () => {
    const { params } = CAREER_SOURCES.find(({ name }) => name === 'embedded')!;
    const base = { url: 'https://a.example/', items: 'jobs', fields: { title: 'name', id: 'id' } };
    expect(params.safeParse(base).success).toBe(true);
    expect(params.safeParse({ ...base, script: '#a', after: 'x =' }).success).toBe(false);
    expect(params.safeParse({ ...base, items: '' }).success).toBe(false);
    expect(params.safeParse({ ...base, fields: { id: 'id' } }).success).toBe(false);
  });
});

test('a Workday tenant on the shared host, and one with an underscore that its host cannot have', async () => {
  const positions = positionsAt({ vendor: 'workday', token: 'northwick-4' }, NOON);
  const host = 'wd5.myworkdaysite.com';
  const { postings } = await world.scrape('workday', { host, tenant: 'northwick-4', site: 'Careers' });
  expect(postings).toHaveLength(positions.length);
  expect(postings[0]).toMatchObject({ company_ref: `${host}/northwick-4/Careers`, description: expect.any(String) });
  const { params } = CAREER_SOURCES.find(({ name }) => name === 'workday')!;
  expect(params.safeParse({ host, site: 'Careers' }).error?.issues[0]).toMatchObject({ path: ['tenant'] });
  const under = await world.scrape('workday', { host: 'under-northwick-4.wd1.myworkdayjobs.com', site: 'jobs' });
  expect(under.postings).toHaveLength(positionsAt({ vendor: 'workday', token: 'under-northwick-4' }, NOON).length);
});

// Every board against its replica, through the real web layer: paging, filters, descriptions, duplicates, and the ways boards refuse.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/model/errors.ts';
import { Posting } from '../../src/model/posting/posting.ts';
import { findJobs, jobAt } from '../../src/sandbox/boards/catalogue.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { BOARD_SOURCES } from '../../src/sources/boards/index.ts';
import type { Notes } from '../../src/sources/define.ts';
import { createWeb, type Webs } from '../../src/web/web.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');
const SETTINGS = new Map([
  ['indeed.app_key', 'ab'.repeat(32)],
  ['ziprecruiter.app_auth', 'b64'],
]);
let sandbox: Sandbox;
let webs: Webs;
let keyless: Webs;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => NOW_MS });
  const options = {
    hostMap: `*=${sandbox.origin}`,
    guard: { allow: ['127.0.0.1'] },
    timeoutMs: 60_000,
    maxPaceWaitMs: 60_000,
  };
  webs = createWeb({ ...options, sourceSettings: SETTINGS });
  keyless = createWeb(options);
});
afterAll(async () => {
  await Promise.all([webs.close(), keyless.close()]);
  await sandbox.close();
});

interface Outcome {
  postings: Posting[];
  error: AppError | null;
  warnings: string[];
  skipped: { id: string | null; reason: string }[];
  pages: { requested: number; completed: number };
  requests: number;
}

async function scrape(name: string, given: Record<string, unknown>, through = webs): Promise<Outcome> {
  const source = BOARD_SOURCES.find((one) => one.name === name)!;
  const web = through.forAttempt({
    signal: AbortSignal.timeout(120_000),
    source: name,
    pace: { concurrency: 4, delayMs: 0 },
    policy: source.policy ?? {},
  });
  const skipped: Outcome['skipped'] = [];
  const notes: Notes = { skipped: (row) => void skipped.push(row), incomplete: () => undefined };
  const postings: Posting[] = [];
  let error: AppError | null = null;
  try {
    for await (const posting of source.scrape(source.params.parse(given), web, notes))
      postings.push(Posting.parse(posting));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    error = thrown;
  }
  const { warnings, pagesRequested, pagesCompleted, requests } = web.ledger;
  return {
    postings,
    error,
    warnings,
    skipped,
    pages: { requested: pagesRequested, completed: pagesCompleted },
    requests,
  };
}

const CASES: [source: string, term: string, location: string | undefined, country: string | undefined][] = [
  ['indeed', 'engineer', 'Austin, TX', 'usa'],
  ['linkedin', 'engineer', 'Austin, TX', undefined],
  ['glassdoor', 'engineer', 'Austin, TX', 'usa'],
  ['ziprecruiter', 'engineer', 'Austin, TX', 'usa'],
  ['google-jobs', 'engineer', 'Austin, TX', undefined],
  ['naukri', 'engineer', 'Pune', undefined],
  ['bayt', 'engineer', undefined, undefined],
  ['bdjobs', 'engineer', undefined, undefined],
];
const params = ([, search_term, location, country]: (typeof CASES)[number]) => ({
  search_term,
  ...(location ? { location } : {}),
  ...(country ? { country } : {}),
});

describe.each(CASES)('%s', (...row) => {
  const [name, term] = row;

  test('gives as many postings as wanted, each once, complete and stable', async () => {
    const { postings, error, pages } = await scrape(name, { ...params(row), results_wanted: 35 });
    expect(error).toBeNull();
    expect(postings).toHaveLength(35);
    expect(new Set(postings.map((one) => one.job_hash)).size).toBe(35);
    expect(pages.completed).toBe(pages.requested);
    expect(pages.completed).toBeGreaterThan(0);
    for (const one of postings) {
      expect(one.source).toBe(name);
      expect(one.title).toMatch(/Engineer|Developer|Scientist|Analyst|Specialist|Administrator|Manager|Designer/);
      expect(one.job_url).toMatch(/^https?:\/\//);
      expect(one.job_url).not.toMatch(/trackingId|refId|utm_/);
      if (!/^(?:Remote|Anywhere)/.test(one.location ?? '')) expect(one.locations[0]?.country).toMatch(/^[A-Z]{2}$/);
    }
    const again = await scrape(name, { ...params(row), results_wanted: 35 });
    expect(again.postings.map((one) => one.job_hash)).toEqual(postings.map((one) => one.job_hash));
  });

  test('an offset goes on where the first ones ended', async () => {
    const all = await scrape(name, { ...params(row), results_wanted: 45 });
    const later = await scrape(name, { ...params(row), results_wanted: 10, offset: 25 });
    expect(later.postings.map((one) => one.external_id)).toEqual(
      all.postings.slice(25, 35).map((one) => one.external_id),
    );
  });

  test('a search without matches is empty, not an error', async () => {
    const { postings, error } = await scrape(name, { ...params(row), search_term: 'underwater basket weaver' });
    expect(error).toBeNull();
    expect(postings).toEqual([]);
  });

  test('rows that cannot be read cost themselves only', async () => {
    const { postings, error, skipped } = await scrape(name, {
      ...params(row),
      search_term: `${term} #broken`,
      results_wanted: 20,
    });
    if (name === 'google-jobs') return expect(postings.length).toBe(20);
    expect(error).toBeNull();
    expect(postings).toHaveLength(20);
    expect(skipped.length).toBeGreaterThan(2);
  });

  test.each([
    ['blocked', ['blocked', 'captcha']],
    ['challenge', ['blocked']],
    ['throttled', ['rate_limited']],
    ['changed', ['layout_changed', 'blocked']],
  ])('a board that is %s says so', async (quirk, codes) => {
    const { postings, error } = await scrape(name, { ...params(row), search_term: `${term} #${quirk}` });
    expect(postings).toEqual([]);
    expect(codes).toContain(error?.code);
  });

  test('parameters without effect are named', async () => {
    const { warnings } = await scrape(name, {
      ...params(row),
      results_wanted: 1,
      company_ids: ['1'],
      distance: 10,
      easy_apply: true,
    });
    const expected = name === 'linkedin' ? /easy_apply/ : /company_ids/;
    expect(warnings.some((warning) => expected.test(warning))).toBe(true);
  });
});

test('an offset past the first page of Glassdoor leads over the pages before it', async () => {
  const given = { search_term: 'engineer', location: 'Austin, TX', country: 'usa' };
  const all = await scrape('glassdoor', { ...given, results_wanted: 260 });
  const ids = all.postings.map((one) => one.external_id);
  for (const offset of [30, 65, 200]) {
    const later = await scrape('glassdoor', { ...given, results_wanted: 10, offset });
    expect(later.error, `offset ${offset}`).toBeNull();
    expect(later.postings.map((one) => one.external_id)).toEqual(ids.slice(offset, offset + 10));
    expect(later.pages.requested).toBeLessThan(Math.floor(offset / 30) + 3);
  }
});

test('Naukri wants a CAPTCHA with JSON, which is no empty result', async () => {
  const { error, postings } = await scrape('naukri', { search_term: 'engineer #blocked' });
  expect([error?.code, postings]).toEqual(['captcha', []]);
});

test('every job of the world that a board shows is found, however many pages that takes', async () => {
  const wanted = findJobs({ board: 'indeed', share: 80, term: 'nurse', countries: ['US'], seed: 0, nowMs: NOW_MS });
  const { postings, pages } = await scrape('indeed', { search_term: 'nurse', results_wanted: 600, country: 'US' });
  expect(postings).toHaveLength(Math.min(600, wanted.length));
  expect(pages.requested).toBe(Math.ceil((postings.length + 5) / 99));
});

test('what Indeed says arrives in the fields where it belongs', async () => {
  const { postings } = await scrape('indeed', {
    search_term: 'software engineer',
    location: 'Austin, TX',
    results_wanted: 60,
  });
  const number = findJobs({
    board: 'indeed',
    share: 80,
    term: 'software engineer',
    where: 'Austin, TX',
    countries: ['US'],
    seed: 0,
    nowMs: NOW_MS,
  })[0]!;
  const job = jobAt(number, NOW_MS);
  const [first] = postings;
  expect(first).toMatchObject({ title: job.title, description_format: 'markdown', apply_url: job.applyUrl });
  expect(first?.description).toContain('### What you will do');
  // When the employer published it, and when Indeed first showed it.
  expect(postings.every((one) => one.listed_at !== null && one.posted_at! <= one.listed_at)).toBe(true);
  expect(postings.some((one) => one.posted_at !== one.listed_at)).toBe(true);
  const paid = postings.find((one) => one.salary_source === 'employer');
  expect(paid?.salary_interval).toBe('year');
  expect(postings.some((one) => one.salary_source === 'estimated')).toBe(true);
  expect(postings.some((one) => one.remote_type === 'remote')).toBe(true);
});

test('without a key Indeed is read from its pages, and the warning says so', async () => {
  const { postings, warnings, error } = await scrape(
    'indeed',
    { search_term: 'nurse', location: 'Dallas, TX', results_wanted: 20, fetch_description: true },
    keyless,
  );
  expect(error).toBeNull();
  expect(postings).toHaveLength(20);
  expect(postings[0]?.description).toContain('What you will do');
  expect(warnings.join()).toMatch(/app_key/);
});

test('without authorization ZipRecruiter is read from its pages', async () => {
  const { postings } = await scrape(
    'ziprecruiter',
    { search_term: 'nurse', results_wanted: 45, fetch_description: true },
    keyless,
  );
  expect(postings).toHaveLength(45);
  expect(postings[1]?.description).toContain('What you will do');
  expect(postings.some((one) => one.apply_url !== null)).toBe(true);
});

test.each(['linkedin', 'glassdoor', 'ziprecruiter', 'bdjobs'])('%s fetches descriptions when asked', async (name) => {
  const row = CASES.find(([source]) => source === name)!;
  const bare = await scrape(name, { ...params(row), results_wanted: 12 });
  const full = await scrape(name, {
    ...params(row),
    results_wanted: 12,
    fetch_description: true,
    description_format: 'plain',
  });
  expect(full.requests).toBeGreaterThan(bare.requests + 8);
  const described = full.postings.filter((one) => one.description?.includes('What you will do'));
  expect(described.length).toBeGreaterThan(8);
  expect(described[0]?.description_html).toContain('<h3>What you will do</h3>');
});

test('filters reach the board', async () => {
  const { postings } = await scrape('linkedin', {
    search_term: 'engineer',
    location: 'Boston, MA',
    hours_old: 72,
    job_type: 'contract',
    results_wanted: 30,
    fetch_description: true,
  });
  expect(postings.length).toBeGreaterThan(5);
  for (const one of postings) {
    if (one.posted_date !== null) expect(one.posted_date >= '2026-11-12').toBe(true);
    if (one.description !== null) expect(one.job_types).toEqual(['contract']);
  }
  const remote = await scrape('indeed', { search_term: 'engineer', is_remote: true, results_wanted: 30 });
  expect(remote.postings.every((one) => one.remote_type === 'remote')).toBe(true);
  const both = await scrape('indeed', {
    search_term: 'engineer',
    is_remote: true,
    hours_old: 48,
    job_type: 'fulltime',
    results_wanted: 20,
  });
  expect(both.postings.every((one) => one.remote_type === 'remote' && one.job_types.includes('full_time'))).toBe(true);
  expect(both.warnings.join()).toMatch(/one thing at a time/);
});

test('closed postings of LinkedIn are told from open ones', async () => {
  const { postings } = await scrape('linkedin', { search_term: 'nurse', results_wanted: 150, fetch_description: true });
  expect(postings.some((one) => one.is_closed)).toBe(true);
  expect(postings.filter((one) => one.is_closed).length).toBeLessThan(20);
});

test('the login wall of LinkedIn is a block, with a name of its own', async () => {
  const { error } = await scrape('linkedin', { search_term: 'nurse #walled' });
  expect([error?.code, error?.category]).toEqual(['login', 'blocked']);
});

test('an error inside a good answer is an error', async () => {
  expect((await scrape('indeed', { search_term: 'nurse #refused' })).error?.code).toBe('layout_changed');
  expect((await scrape('glassdoor', { search_term: 'nurse #refused' })).error?.code).toBe('layout_changed');
});

test('a market without results is empty, and a country nobody knows is refused', async () => {
  expect((await scrape('indeed', { search_term: 'nurse', location: 'Toronto, ON', country: 'usa' })).postings).toEqual(
    [],
  );
  expect(
    (await scrape('indeed', { search_term: 'nurse', location: 'Toronto, ON', country: 'Canada' })).postings.length,
  ).toBe(15);
  await expect(scrape('indeed', { search_term: 'nurse', country: 'Atlantis' })).rejects.toThrow('is no country');
});

test('yearly pay when asked for, with what was said kept', async () => {
  const hourly = await scrape('ziprecruiter', { search_term: 'warehouse associate', results_wanted: 40 });
  const wage = hourly.postings.find((one) => one.salary_interval === 'hour')!;
  const yearly = await scrape('ziprecruiter', {
    search_term: 'warehouse associate',
    results_wanted: 40,
    enforce_annual_salary: true,
  });
  const same = yearly.postings.find((one) => one.external_id === wage.external_id)!;
  expect(same.salary_interval).toBe('year');
  expect(same.salary_min).toBeCloseTo(wage.salary_min! * 2080, 2);
  expect(same.salary?.flags).toContain('annualised');
});

test('a search stops when it is cancelled between pages', async () => {
  const source = BOARD_SOURCES.find((one) => one.name === 'linkedin')!;
  const stop = new AbortController();
  const web = webs.forAttempt({ signal: stop.signal, source: 'linkedin', pace: { concurrency: 4, delayMs: 0 } });
  const seen: unknown[] = [];
  const run = async () => {
    for await (const posting of source.scrape(
      source.params.parse({ search_term: 'nurse', results_wanted: 500, min_pause_seconds: 60 }),
      web,
    )) {
      seen.push(posting);
      if (seen.length === 10) setTimeout(() => stop.abort(new AppError('cancelled')), 20);
    }
  };
  await expect(run()).rejects.toMatchObject({ code: 'cancelled' });
  expect(seen).toHaveLength(10);
});

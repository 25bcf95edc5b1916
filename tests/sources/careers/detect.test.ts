import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comeetToken, comeetUid } from '../../../src/sandbox/careers/comeet.ts';
import { guidOf } from '../../../src/sandbox/careers/guid.ts';
import { vendorAddresses, vendorOf } from '../../../src/sources/ats/addresses/vendors.ts';
import { type Detection, detect, findingsOn } from '../../../src/sources/careers/detect.ts';
import { type CareerWorld, careerWorld } from '../../support/worlds/careers.ts';

let world: CareerWorld;
beforeAll(async () => {
  world = await careerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const look = (url: string): Promise<Detection> =>
  detect(url, world.webs.forAttempt({ signal: AbortSignal.timeout(60_000), source: 'static' }));

describe('an address alone', () => {
  test.each([
    ['https://boards.greenhouse.io/acme', { scraper_type: 'greenhouse', board: 'acme' }],
    ['https://job-boards.eu.greenhouse.io/acme/jobs/123', { scraper_type: 'greenhouse', board: 'acme' }],
    ['https://boards.greenhouse.io/embed/job_board?for=acme', { scraper_type: 'greenhouse', board: 'acme' }],
    ['https://boards-api.greenhouse.io/v1/boards/acme/jobs', { scraper_type: 'greenhouse', board: 'acme' }],
    ['https://jobs.lever.co/acme/0a1b', { scraper_type: 'lever', site: 'acme' }],
    ['https://jobs.eu.lever.co/acme', { scraper_type: 'lever', site: 'acme', region: 'eu' }],
    ['https://api.lever.co/v0/postings/acme?mode=json', { scraper_type: 'lever', site: 'acme' }],
    ['https://jobs.ashbyhq.com/Acme%20Inc.', { scraper_type: 'ashby', board: 'Acme Inc.' }],
    ['https://careers.smartrecruiters.com/Acme1', { scraper_type: 'smartrecruiters', company: 'Acme1' }],
    [
      'https://jobs.smartrecruiters.com/oneclick-ui/company/Acme1/publication/x',
      { scraper_type: 'smartrecruiters', company: 'Acme1' },
    ],
    [
      'https://acme.wd5.myworkdayjobs.com/en-US/External/job/x',
      { scraper_type: 'workday', host: 'acme.wd5.myworkdayjobs.com', site: 'External' },
    ],
    [
      'https://acme.wd5.myworkdayjobs.com/wday/cxs/acme/External/jobs',
      { scraper_type: 'workday', host: 'acme.wd5.myworkdayjobs.com', site: 'External' },
    ],
    [
      'https://acme.wd1.myworkdayjobs.com/Careers',
      { scraper_type: 'workday', host: 'acme.wd1.myworkdayjobs.com', site: 'Careers' },
    ],
    [
      'https://acme.wd3.myworkdayjobs.com/de-DE/jobs/job/Berlin/Baker_R-1',
      { scraper_type: 'workday', host: 'acme.wd3.myworkdayjobs.com', site: 'jobs' },
    ],
    [
      'https://acme.wd3.myworkdayjobs.com/Search',
      { scraper_type: 'workday', host: 'acme.wd3.myworkdayjobs.com', site: 'Search' },
    ],
    [
      'https://wd5.myworkdaysite.com/en-US/recruiting/acme/Acme_Careers/job/x',
      { scraper_type: 'workday', host: 'wd5.myworkdaysite.com', tenant: 'acme', site: 'Acme_Careers' },
    ],
    ['https://apply.workable.com/acme/j/F8427A442D/', { scraper_type: 'workable', account: 'acme' }],
    ['https://acme.workable.com/', { scraper_type: 'workable', account: 'acme' }],
    ['https://acme.recruitee.com/o/x', { scraper_type: 'recruitee', company: 'acme' }],
    ['https://acme.jobs.personio.com/', { scraper_type: 'personio', company: 'acme', tld: 'com' }],
    ['https://acme.na.teamtailor.com/jobs', { scraper_type: 'teamtailor', company: 'acme.na' }],
    ['https://acme.bamboohr.com/jobs/embed2.php', { scraper_type: 'bamboohr', company: 'acme' }],
  ])('%s', (url, settings) => {
    expect(vendorOf(url)).toEqual(settings);
  });

  test.each([
    'https://boards.greenhouse.io/embed/job_board/js',
    'https://www.workable.com/',
    'https://apply.workable.com/j/F8427A442D',
    'https://www.bamboohr.com/',
    'https://api.recruitee.com/x',
    'https://greenhouse.io.evil.example/acme',
    'https://example.com/careers',
    'no address',
  ])('%s names no board', (url) => {
    expect(vendorOf(url)).toBeNull();
  });
});

test('addresses are found in scripts that escape their slashes', () => {
  expect(vendorAddresses('{"u":"https:\\/\\/api.lever.co\\/v0\\/postings\\/acme?a=1\\u0026mode=json"}')).toEqual([
    'https://api.lever.co/v0/postings/acme?a=1&mode=json',
  ]);
});

const VENDOR_SITES: [kind: string, settings: (company: string) => Record<string, string>][] = [
  ['greenhouse', (board) => ({ scraper_type: 'greenhouse', board })],
  ['lever', (site) => ({ scraper_type: 'lever', site })],
  ['ashby', (board) => ({ scraper_type: 'ashby', board })],
  ['smartrecruiters', (company) => ({ scraper_type: 'smartrecruiters', company })],
  ['comeet', (c) => ({ scraper_type: 'comeet', uid: comeetUid(c), token: comeetToken(comeetUid(c)) })],
  ['workday', (c) => ({ scraper_type: 'workday', host: `${c}.wd5.myworkdayjobs.com`, site: 'External' })],
  ['workable', (account) => ({ scraper_type: 'workable', account })],
  ['recruitee', (company) => ({ scraper_type: 'recruitee', company })],
  ['personio', (company) => ({ scraper_type: 'personio', company })],
  ['teamtailor', (company) => ({ scraper_type: 'teamtailor', company })],
  ['bamboohr', (company) => ({ scraper_type: 'bamboohr', company })],
  ['oracle', (c) => ({ scraper_type: 'oracle', host: `${c}.fa.us2.oraclecloud.com`, site: 'CX_1' })],
  ['pinpoint', (company) => ({ scraper_type: 'pinpoint', company })],
  ['breezy', (company) => ({ scraper_type: 'breezy', company })],
  ['gem', (board) => ({ scraper_type: 'gem', board })],
  ['rippling', (board) => ({ scraper_type: 'rippling', board })],
  ['jazzhr', (company) => ({ scraper_type: 'jazzhr', company })],
  ['jobvite', (company) => ({ scraper_type: 'jobvite', company })],
  ['join', (company) => ({ scraper_type: 'join', company })],
  ['gupy', (company) => ({ scraper_type: 'gupy', company })],
  ['jobylon', (c) => ({ scraper_type: 'jobylon', feed: guidOf(c) })],
  ['ukg', (c) => ({ scraper_type: 'ukg', host: 'recruiting.ultipro.com', tenant: 'ACM1000ACME', board: guidOf(c) })],
  ['adp', (c) => ({ scraper_type: 'adp', cid: guidOf(c), center: '19000101_000001', locale: 'en_US' })],
  ['paylocity', (c) => ({ scraper_type: 'paylocity', board: guidOf(c) })],
  ['taleo', (c) => ({ scraper_type: 'taleo', host: `${c}.taleo.net`, section: 'ex' })],
  ['eightfold', (c) => ({ scraper_type: 'eightfold', host: `${c}.eightfold.ai`, domain: `${c}.com` })],
  ['icims', (c) => ({ scraper_type: 'icims', host: `careers-${c}.icims.com` })],
  ['avature', (c) => ({ scraper_type: 'avature', url: `https://${c}.avature.net/careers/SearchJobs` })],
  ['redirect', (board) => ({ scraper_type: 'greenhouse', board })],
];

describe('a company site', () => {
  test.each(VENDOR_SITES)('with %s leads to its board, which can then be scraped', async (kind, settings) => {
    const { findings } = await look(`https://calderwick-${kind}.hiring.example/careers`);
    expect(findings[0]).toMatchObject({ settings: settings('calderwick') });
    expect(findings[0]?.confidence).toBeGreaterThanOrEqual(0.8);
    expect(findings[0]?.evidence).not.toBe('');
    const { scraper_type, ...params } = findings[0]!.settings;
    expect((await world.scrape(scraper_type, params)).postings.length).toBeGreaterThan(0);
  });

  test.each([
    ['https://calderwick.phenom.example/us/en', { scraper_type: 'phenom', host: 'calderwick.phenom.example' }],
    ['https://calderwick.jibe.example/', { scraper_type: 'jibe', host: 'calderwick.jibe.example' }],
    [
      'https://calderwick.successfactors.example/search/',
      { scraper_type: 'successfactors', host: 'calderwick.successfactors.example' },
    ],
  ])('of its own host shows the system by what it loads: %s', async (url, settings) => {
    const { findings } = await look(url);
    expect(findings[0]).toMatchObject({ settings });
  });

  test('with a system that has no source names it, and says what to do', async () => {
    const { findings, hints } = await look('https://calderwick-cornerstone.hiring.example/careers');
    expect(findings.filter(({ confidence }) => confidence > 0.5)).toEqual([]);
    expect(hints).toEqual([
      {
        vendor: 'Cornerstone',
        evidence: expect.stringContaining('calderwick.csod.com'),
        advice: expect.stringContaining('playwright'),
      },
    ]);
  });

  test('whose list only its sitemap shows is found by it', async () => {
    const { findings } = await look('https://calderwick-sitemap.hiring.example/careers');
    expect(findings[0]).toMatchObject({
      settings: { scraper_type: 'sitemap', url: 'https://calderwick-sitemap.hiring.example/sitemap.xml' },
    });
  });

  test('is found from its front page', async () => {
    const { findings, looked } = await look('https://calderwick-lever.hiring.example/');
    expect(findings[0]).toMatchObject({ settings: { scraper_type: 'lever', site: 'calderwick' } });
    expect(looked.map(({ url }) => url)).toEqual([
      'https://calderwick-lever.hiring.example/',
      'https://calderwick-lever.hiring.example/careers',
    ]);
  });

  test('without a vendor falls back to its JobPostings, its feed, then the page', async () => {
    const jsonld = await look('https://calderwick-jsonld.hiring.example/careers');
    expect(jsonld.findings[0]).toMatchObject({
      settings: { scraper_type: 'static', url: 'https://calderwick-jsonld.hiring.example/careers' },
      confidence: 0.7,
    });
    const rss = await look('https://calderwick-rss.hiring.example/careers');
    expect(rss.findings[0]).toMatchObject({
      settings: { scraper_type: 'rss', url: 'https://calderwick-rss.hiring.example/jobs/feed.xml' },
      confidence: 0.5,
    });
    const list = await look('https://calderwick-list.hiring.example/careers');
    expect(list.findings[0]).toMatchObject({ settings: { scraper_type: 'static' }, confidence: 0.3 });
  });

  test('that does not answer says why', async () => {
    const { findings, looked } = await look('https://calderwick-lever.hiring.example/nowhere');
    expect(findings).toEqual([]);
    expect(looked).toEqual([
      { url: 'https://calderwick-lever.hiring.example/nowhere', failed: expect.stringContaining('not_found') },
    ]);
  });
});

test('ids of a vendor without its board are a guess and say so', () => {
  const [finding] = findingsOn({
    asked: 'https://www.acme.co.uk/jobs',
    url: 'https://www.acme.co.uk/jobs',
    text: '<a href="/jobs/x?gh_jid=123">x</a>',
  });
  expect(finding).toMatchObject({ settings: { scraper_type: 'greenhouse', board: 'acme' }, confidence: 0.45 });
});

test('a vendor on the company domain shows in what the page loads', () => {
  const url = 'https://jobs.acme.example/';
  const text = '<link rel=stylesheet href="https://assets.teamtailor-cdn.com/x.css">';
  expect(findingsOn({ asked: url, url, text })[0]).toMatchObject({
    settings: { scraper_type: 'teamtailor', host: 'jobs.acme.example' },
  });
});

test('the board in a script counts more than a link to a partner', () => {
  const url = 'https://www.acme.example/careers';
  const text =
    '<a href="https://jobs.lever.co/partner">partner</a><script src="https://boards.greenhouse.io/embed/job_board/js?for=acme"></script>';
  expect(findingsOn({ asked: url, url, text }).map(({ settings }) => settings.scraper_type)).toEqual([
    'greenhouse',
    'lever',
  ]);
});

test('a source that knows its own addresses is found by the address, a redirect, a frame and a link', () => {
  const rules = [
    {
      name: 'acme-ats',
      detect: (address: URL) => (address.hostname === 'acme-ats.example' ? { board: address.pathname.slice(1) } : null),
    },
    { name: 'without-a-rule' },
  ];
  const found = (page: { asked?: string; url?: string; text?: string }) =>
    findingsOn({ asked: 'https://a.example/', url: page.asked ?? 'https://a.example/', text: '', ...page }, rules)[0];
  const settings = { scraper_type: 'acme-ats', board: 'north' };
  expect(found({ asked: 'https://acme-ats.example/north' })).toMatchObject({ settings, confidence: 0.98 });
  expect(found({ url: 'https://acme-ats.example/north' })).toMatchObject({ settings, confidence: 0.97 });
  expect(found({ text: '<iframe src="//acme-ats.example/north"></iframe>' })).toMatchObject({
    settings,
    confidence: 0.93,
  });
  expect(found({ text: '<a href="https://acme-ats.example/north">jobs</a>' })).toMatchObject({
    settings,
    confidence: 0.8,
  });
  expect(found({ text: '<a href="https://else.example/north">jobs</a>' })).toBeUndefined();
});

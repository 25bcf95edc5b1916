import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Posting } from '../../../src/model/posting/posting.ts';
import { comeetToken } from '../../../src/sandbox/careers/comeet.ts';
import { guidOf } from '../../../src/sandbox/careers/guid.ts';
import { jobylonCompany } from '../../../src/sandbox/careers/pages/jobylon.ts';
import { positionsAt } from '../../../src/sandbox/careers/truth.ts';
import { type CareerWorld, careerWorld, NOON } from '../../support/worlds/careers.ts';
import { VENDORS } from '../../support/worlds/vendors.ts';

let world: CareerWorld;
beforeAll(async () => {
  world = await careerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const TOKEN = 'northwick-30';

describe.each(VENDORS)('$source $board', (vendor) => {
  const positions = positionsAt({ vendor: vendor.source, token: TOKEN }, NOON);

  test('the postings are those of the board, in one shape', async () => {
    const { postings, skipped, incomplete } = await world.scrape(vendor.source, vendor.board(TOKEN));
    expect(positions.length).toBeGreaterThan(15);
    expect(skipped).toEqual([]);
    expect(incomplete).toEqual([]);
    expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => vendor.idOf(p, TOKEN)).sort());
    const byId = new Map(postings.map((posting) => [posting.external_id, posting]));
    for (const position of positions) {
      const posting = Posting.parse(byId.get(vendor.idOf(position, TOKEN)));
      const about = `${position.title} ${position.number}`;
      expect(posting.title.replace(/ \((?:m\/w\/d|f\/m\/d)\)$/, ''), about).toBe(position.title);
      expect(posting.job_url, about).toMatch(/^https:\/\//);
      expect(posting.locations[0], about).toMatchObject({
        city: position.place.city,
        country: position.place.countryCode,
      });
      if (vendor.department !== false) expect(posting.department, about).toBe(position.department);
      if (vendor.type !== false) expect(posting.job_types, about).toContain(position.type);
      const isShown = vendor.remote !== false && (position.remote === 'remote' || vendor.hybrid !== false);
      if (position.remote === 'onsite')
        expect(posting.remote_type, about).toBe(vendor.onsite ?? (vendor.remote === false ? 'unknown' : 'onsite'));
      else if (isShown) expect(posting.remote_type, about).toBe(position.remote);
      for (const duty of position.duties) expect(posting.description, about).toContain(duty);
      expect(posting.description, about).toContain('research & planning');
      expect(posting.description_html, about).toContain('research &amp; planning');
      if (vendor.pay !== 'none') {
        const pay = position.pay && {
          salary_min: position.pay.min,
          salary_max: position.pay.max,
          currency: position.pay.currency,
          salary_interval: 'year',
        };
        expect(posting, about).toMatchObject(pay ?? { salary_min: null, salary_max: null });
      }
      if (vendor.posted !== false)
        expect(posting.posted_date, about).toBe(new Date(position.bornMs).toISOString().slice(0, 10));
    }
  });

  test('an empty board is an honest zero', async () => {
    expect(await world.scrape(vendor.source, vendor.board('empty-northwick'))).toEqual({
      postings: [],
      skipped: [],
      incomplete: [],
    });
  });

  test('a board that does not exist says so', async () => {
    if (vendor.source === 'smartrecruiters') {
      expect((await world.scrape(vendor.source, vendor.board('gone-northwick'))).postings).toEqual([]);
      return;
    }
    await expect(world.scrape(vendor.source, vendor.board('gone-northwick'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('a board that sends its visitors elsewhere is not followed', async () => {
    await expect(world.scrape(vendor.source, vendor.board('moved-northwick'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('a row that cannot be read costs itself and is named', async () => {
    const token = 'broken-northwick-12';
    const { postings, skipped } = await world.scrape(vendor.source, vendor.board(token));
    expect(postings).toHaveLength(positionsAt({ vendor: vendor.source, token }, NOON).length);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]?.id).not.toBeNull();
    expect(skipped[0]?.reason).not.toMatch(/invalid input/i);
  });

  test('an incremental scrape yields only what is not known', async () => {
    const known = positions.slice(3).map((position) => vendor.idOf(position, TOKEN));
    const { postings } = await world.scrape(vendor.source, { ...vendor.board(TOKEN), known });
    expect(postings.map((p) => p.external_id).sort()).toEqual(
      positions
        .slice(0, 3)
        .map((p) => vendor.idOf(p, TOKEN))
        .sort(),
    );
  });
});

test.each(VENDORS.filter(({ nameless }) => nameless !== false))(
  '$source: a row without an id is counted and nameless',
  async (vendor) => {
    const token = 'nameless-northwick-12';
    const { postings, skipped } = await world.scrape(vendor.source, vendor.board(token));
    expect(postings).toHaveLength(positionsAt({ vendor: vendor.source, token }, NOON).length);
    expect(skipped).toEqual([{ id: null, reason: 'nothing in it tells which posting it is' }]);
  },
);

test('comeet reads a company by its uid and token, without internal positions', async () => {
  const uid = '30.005';
  const positions = positionsAt({ vendor: 'comeet', token: uid }, NOON);
  const { postings } = await world.scrape('comeet', { uid, token: comeetToken(uid) });
  expect(postings.map((p) => p.title).sort()).toEqual(positions.map((p) => p.title).sort());
  expect(postings.every((p) => p.posted_at === null && p.updated_at !== null && p.salary === null)).toBe(true);
  expect(postings[0]?.description?.indexOf('Description')).toBeLessThan(
    postings[0]?.description?.indexOf('Requirements') ?? 0,
  );
  await expect(world.scrape('comeet', { uid, token: 'WRONG' })).rejects.toMatchObject({ code: 'not_found' });
});

test('lever keeps the two regions apart', async () => {
  const eu = await world.scrape('lever', { site: TOKEN, region: 'eu' });
  expect(eu.postings.map((p) => p.title).sort()).toEqual(
    positionsAt({ vendor: 'lever-eu', token: TOKEN }, NOON)
      .map((p) => p.title)
      .sort(),
  );
  expect(eu.postings[0]?.company_ref).toBe(`eu:${TOKEN}`);
});

test('a company name in the settings wins over the legal entity', async () => {
  const { postings } = await world.scrape('workday', {
    host: 'northwick-4.wd5.myworkdayjobs.com',
    site: 'External',
    company_name: 'Northwick',
  });
  expect(new Set(postings.map((p) => p.company))).toEqual(new Set(['Northwick']));
});

test('a Workday tenant names its site as it likes, and one that it does not have is not found', async () => {
  const host = 'northwick-4.wd5.myworkdayjobs.com';
  const { postings } = await world.scrape('workday', { host, site: 'Northwick_Careers' });
  expect(postings).toHaveLength(positionsAt({ vendor: 'workday', token: 'northwick-4' }, NOON).length);
  expect(postings[0]?.job_url).toContain(`${host}/Northwick_Careers/job/`);
  await expect(world.scrape('workday', { host, site: 'gone-careers' })).rejects.toMatchObject({ code: 'not_found' });
});

test('recruitee sends its token where one is needed, and says so where it is missing', async () => {
  await expect(world.scrape('recruitee', { company: 'locked-northwick' })).rejects.toMatchObject({
    code: 'http_4xx',
    message: expect.stringContaining('token'),
  });
  const token = 'sandbox-token';
  const { postings } = await world.scrape('recruitee', { company: 'locked-northwick', token });
  expect(postings).toHaveLength(positionsAt({ vendor: 'recruitee', token: 'locked-northwick' }, NOON).length);
});

test('personio reads the career page where the feed is not enabled', async () => {
  const token = 'locked-northwick-9';
  const positions = positionsAt({ vendor: 'personio', token }, NOON);
  const { postings } = await world.scrape('personio', { company: token });
  expect(postings.map((p) => [p.external_id, p.title, p.department]).sort()).toEqual(
    positions.map((p) => [String(p.number), p.title, p.department]).sort(),
  );
  expect(postings.every((p) => p.description === null && p.locations[0]?.country !== null)).toBe(true);
});

test('jazzhr reads the career page of who does not syndicate its feed', async () => {
  const token = 'locked-northwick-9';
  const positions = positionsAt({ vendor: 'jazzhr', token }, NOON);
  const { postings } = await world.scrape('jazzhr', { company: token });
  expect(postings.map((p) => p.title).sort()).toEqual(positions.map((p) => p.title).sort());
  expect(postings.every((p) => p.description !== null && p.posted_at !== null)).toBe(true);
});

test('paylocity reads the career page of who has no feed', async () => {
  const token = 'locked-northwick-9';
  const positions = positionsAt({ vendor: 'paylocity', token }, NOON);
  const { postings } = await world.scrape('paylocity', { board: guidOf(token) });
  expect(postings.map((p) => [p.external_id, p.title, p.department]).sort()).toEqual(
    positions.map((p) => [String(p.number), p.title, p.department]).sort(),
  );
  for (const position of positions)
    expect(postings.find((p) => p.external_id === String(position.number))).toMatchObject({
      job_types: [position.type],
      description: expect.stringContaining('research & planning'),
    });
});

test.each(['successfactors', 'eightfold', 'avature', 'ukg'])(
  '%s is read whole where the site is of the other kind',
  async (source) => {
    const token = 'locked-northwick-30';
    const vendor = VENDORS.find((one) => one.source === source)!;
    const positions = positionsAt({ vendor: source, token }, NOON);
    const { postings, skipped, incomplete } = await world.scrape(source, vendor.board(token));
    expect(positions.length).toBeGreaterThan(15);
    expect([skipped, incomplete]).toEqual([[], []]);
    expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => vendor.idOf(p, token)).sort());
    expect(postings.every((p) => p.description?.includes('research & planning'))).toBe(true);
  },
);

test('successfactors reads sites with tiles', async () => {
  const token = 'dup-northwick-60';
  const { postings } = await world.scrape('successfactors', { host: `${token}.successfactors.example` });
  const positions = positionsAt({ vendor: 'successfactors', token }, NOON);
  expect(positions.length).toBeGreaterThan(25);
  expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => String(p.number)).sort());
});

test('an iCIMS portal that takes one for a robot is blocked and not empty', async () => {
  await expect(world.scrape('icims', { host: 'careers-locked-northwick.icims.com' })).rejects.toMatchObject({
    code: 'blocked',
    message: expect.stringContaining('playwright'),
  });
});

test('jobylon reads the embedded list as its script writes it', async () => {
  const token = 'northwick-12';
  const positions = positionsAt({ vendor: 'jobylon', token }, NOON);
  const { postings } = await world.scrape('jobylon', { company: jobylonCompany(token) });
  expect(postings.map((p) => [p.external_id, p.title, p.department]).sort()).toEqual(
    positions.map((p) => [String(p.number), p.title, p.department]).sort(),
  );
  expect(postings.every((p) => p.description !== null)).toBe(true);
});

test('UKG shows pay only where the employer does', async () => {
  const { board, idOf } = VENDORS.find(({ source }) => source === 'ukg')!;
  const { postings } = await world.scrape('ukg', board('northwick-30'));
  for (const position of positionsAt({ vendor: 'ukg', token: 'northwick-30' }, NOON))
    expect(postings.find((p) => p.external_id === idOf(position, 'northwick-30'))).toMatchObject({
      salary_min: position.pay?.min ?? null,
      currency: position.pay?.currency ?? null,
    });
});

test.each(['oracle', 'phenom', 'eightfold', 'join'])('%s tells a list that shrinks while one reads', async (source) => {
  const { board } = VENDORS.find((one) => one.source === source)!;
  const token = source === 'oracle' ? 'shrink-northwick-240' : 'shrink-northwick-130';
  const { incomplete } = await world.scrape(source, { ...board(token), details: false });
  expect(incomplete).toContain('the list changed while it was read');
});

test('teamtailor falls back to the JSON feed where there is no RSS', async () => {
  const token = 'legal-northwick';
  const { postings } = await world.scrape('teamtailor', { company: token });
  const positions = positionsAt({ vendor: 'teamtailor', token }, NOON);
  expect(postings.map((p) => p.external_id).sort()).toEqual(positions.map((p) => String(p.number)).sort());
  expect(postings.map((p) => p.job_types)).not.toContainEqual([]);
});

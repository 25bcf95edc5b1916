// A month of daily scrapes on the whole engine: made-up companies on the sandbox's boards, with faults, the daily schedule run by hand once a pretend day.
// The sandbox knows the truth, so every day each position that was closed is held against it, and at the end everything that is open.

import { jobHash } from '../../../src/model/posting/posting.ts';
import { createScheduler } from '../../../src/orchestrator/loops/schedule.ts';
import { companyTokens, positionsAt } from '../../../src/sandbox/careers/truth.ts';
import { VENDORS, type Vendor } from './career-month.ts';
import { openCompanyWorld } from './company-world.ts';

export interface CompanyMonthReport {
  sessions: Record<string, number>;
  changes: Record<string, number>;
  changedFields: Record<string, number>;
  refusals: Record<string, number>;
  failedAttempts: number;
  secondsPerDay: number[];
  /** Postings in events, and among the matches of an alert that takes everything. */
  announced: { news: number; matches: number };
  /** Each must stay empty. */
  wronglyClosed: string[];
  announcedTwice: string[];
  notAnnounced: string[];
  wrongAtTheEnd: string[];
  warnings: string[];
}

export interface CompanyMonthOptions {
  companies: number;
  days: number;
  faultRate: number;
  onDay?(day: number, seconds: number): void;
}

interface Followed {
  id: string;
  vendor: Vendor;
  token: string;
}

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 1, 7);
const KINDS = ['500', 'reset', 'truncated', 'drop', 'shell-then-ok:1', 'empty-then-ok:2'];
/** More than the web layer tries by itself, so that attempts fail and are tried again; on a bad day, more than anybody tries. */
const MAX_STRIKES = 5;
const BAD_DAY_STRIKES = 40;
const BAD_DAY_EVERY = 4;
/** How often a company whose scrape was not complete on the last day is scraped again, as the days after would. */
const LAST_TRIES = 5;

export async function companyMonth(options: CompanyMonthOptions): Promise<CompanyMonthReport> {
  const clock = { nowMs: START_MS };
  const faults = { rate: options.faultRate, kinds: KINDS, seed: 0, maxStrikes: MAX_STRIKES };
  const world = await openCompanyWorld({ now: () => clock.nowMs, faults, orchestrators: 2 });
  try {
    return await liveThrough(world, { clock, faults }, options);
  } finally {
    await world.close();
  }
}

type World = Awaited<ReturnType<typeof openCompanyWorld>>;

/** What a day changes: the sandbox reads both at every request. */
interface Weather {
  clock: { nowMs: number };
  faults: { seed: number; maxStrikes: number };
}

async function liveThrough(
  world: World,
  { clock, faults }: Weather,
  options: CompanyMonthOptions,
): Promise<CompanyMonthReport> {
  const followed = await describeCompanies(world, options.companies);
  const input = { name: 'everything', search: {}, active: true, webhookUrl: null, file: null };
  const everything = (await world.store.createAlert(input, { max: 1, owner: null }))!;
  await world.sql(
    `insert into windrow.webhooks (id, url, events, secrets) values ('whk_month', 'https://example.com/', '{postings.new}', '{x}')`,
  );
  const scheduler = createScheduler(world.schedulerOptions);
  const secondsPerDay: number[] = [];
  const wronglyClosed: string[] = [];
  let lastChange = '0';
  for (let day = 0; day < options.days; day++) {
    clock.nowMs = START_MS + day * DAY_MS;
    faults.seed = day;
    const isBad = day % BAD_DAY_EVERY === BAD_DAY_EVERY - 1 && day < options.days - 1;
    faults.maxStrikes = isBad ? BAD_DAY_STRIKES : MAX_STRIKES;
    world.sandbox.reset();
    const began = performance.now();
    const daily = (await world.store.getSchedule('daily-companies'))!;
    const { runId } = await scheduler.runNow(daily, { requestId: null, idempotency: null });
    await world.settled(runId!, 600_000);
    secondsPerDay.push((performance.now() - began) / 1_000);
    lastChange = await checkClosed(world, followed, clock.nowMs, lastChange, wronglyClosed);
    options.onDay?.(day, secondsPerDay.at(-1)!);
  }
  await scrapeTheRest(world);
  await checkClosed(world, followed, clock.nowMs, lastChange, wronglyClosed);
  return {
    sessions: await countBy(world, 'select status as name, count(*)::int as n from windrow.sessions group by 1'),
    changes: await countBy(world, 'select kind as name, count(*)::int as n from windrow.position_changes group by 1'),
    changedFields: await countBy(
      world,
      `select f->>'field' as name, count(*)::int as n from windrow.position_changes c, jsonb_array_elements(c.changes) f where kind = 'updated' group by 1`,
    ),
    refusals: await countBy(
      world,
      'select closing_refused as name, count(*)::int as n from windrow.sessions where closing_refused is not null group by 1',
    ),
    failedAttempts: (
      await world.sql<{ n: number }>('select coalesce(sum(attempts - 1), 0)::int as n from windrow.outcomes')
    )[0]!.n,
    secondsPerDay,
    wronglyClosed,
    ...(await checkAnnounced(world, everything.id)),
    wrongAtTheEnd: await checkOpen(world, followed, clock.nowMs),
    warnings: world.warnings,
  };
}

async function describeCompanies(world: World, count: number): Promise<Map<string, Followed>> {
  const plans = companyTokens(count).map((token, n) => ({ token, vendor: VENDORS[n % VENDORS.length]! }));
  await world.store.saveCompanies(
    plans.map(({ token, vendor }) => ({
      name: token,
      website: null,
      active: true,
      scrapingConfig: { scraper_type: vendor.source, ...vendor.params(token) },
    })),
  );
  const ids = new Map((await world.store.activeCompanies()).map((company) => [company.name, company.id]));
  return new Map(plans.map((plan) => [ids.get(plan.token)!, { ...plan, id: ids.get(plan.token)! }]));
}

function trueHashes({ vendor, token }: Followed, nowMs: number): Set<string> {
  const positions = positionsAt({ vendor: vendor.source, token }, nowMs);
  return new Set(positions.map((position) => jobHash(vendor.source, vendor.ref(token), vendor.id(position, token))));
}

/** Whatever was closed since `after` must not be open in truth; returns the last change looked at. */
async function checkClosed(
  world: World,
  followed: Map<string, Followed>,
  nowMs: number,
  after: string,
  wrong: string[],
): Promise<string> {
  const rows = await world.sql<{ id: string; kind: string; company_id: string; job_hash: string }>(
    `select c.id, c.kind, p.company_id, p.job_hash from windrow.position_changes c join windrow.positions p on p.key = c.key
     where c.id > $1 and c.kind = 'closed' order by c.id`,
    [after],
  );
  for (const row of rows) {
    const company = followed.get(row.company_id)!;
    if (trueHashes(company, nowMs).has(row.job_hash)) wrong.push(`${company.token}: ${row.job_hash}`);
  }
  return rows.at(-1)?.id ?? after;
}

/**
 * Every posting is new once. The first of each job is in one event and among the matches of an alert that takes everything; of the others, which are the
 * same job at another vendor, nobody hears.
 */
async function checkAnnounced(world: World, alertId: string) {
  await world.announced();
  const created = await world.sql<{ key: string }>(
    `select key from windrow.position_changes where kind = 'created' group by key having count(*) > 1`,
  );
  const events = await world.sql<{ body: string }>(
    `select body from windrow.deliveries where type = 'postings.new' order by seq`,
  );
  const told = events.flatMap(({ body }) => JSON.parse(body).data.postings as { job_hash: string; company: string }[]);
  const matched: string[] = [];
  for (let before: string | null = null; ; ) {
    const page = await world.store.alertMatches(alertId, { before, limit: 1_000 });
    matched.push(...page.map((one) => one.notice.job_hash));
    if (page.length < 1_000) break;
    before = page.at(-1)!.seq;
  }
  const postings = await world.sql<{ job_hash: string; group_id: string }>(
    'select job_hash, group_id from windrow.postings',
  );
  const groupOf = new Map(postings.map((row) => [row.job_hash, row.group_id]));
  const news = told.map((one) => one.job_hash);
  const twice = (hashes: string[]) => {
    const seen = new Set<string>();
    return hashes.filter((hash) => seen.size === seen.add(hash).size);
  };
  const knownGroups = [news, matched].map((hashes) => new Set(hashes.map((hash) => groupOf.get(hash))));
  return {
    announced: { news: news.length, matches: matched.length },
    announcedTwice: [...created.map((row) => row.key), ...twice(news), ...twice(matched)],
    notAnnounced: [
      ...postings.filter((row) => knownGroups.some((groups) => !groups.has(row.group_id))).map((row) => row.job_hash),
      ...told.filter((one) => one.company === null).map((one) => `${one.job_hash} without its company`),
    ],
  };
}

/** A scrape that saw only a part, or could not be believed, waits for the next one. */
async function scrapeTheRest(world: World): Promise<void> {
  for (let tries = 0; tries < LAST_TRIES; tries++) {
    const rows = await world.sql<{ name: string }>(
      `select c.name from windrow.companies c join lateral (
         select * from windrow.sessions s where s.company_id = c.id order by s.started_at desc limit 1
       ) s on true where s.status <> 'completed' or s.closing_refused is not null`,
    );
    if (rows.length === 0) return;
    const companies = await Promise.all(rows.map(async (row) => (await world.store.getCompany(row.name))!));
    await world.scrape(companies);
  }
}

async function checkOpen(world: World, followed: Map<string, Followed>, nowMs: number): Promise<string[]> {
  const rows = await world.sql<{ company_id: string; job_hash: string }>(
    'select company_id, job_hash from windrow.positions where active',
  );
  const open = Map.groupBy(rows, (row) => row.company_id);
  const wrong: string[] = [];
  for (const company of followed.values()) {
    const truth = trueHashes(company, nowMs);
    const found = new Set((open.get(company.id) ?? []).map((row) => row.job_hash));
    for (const one of [...found].filter((hash) => !truth.has(hash)))
      wrong.push(`${company.token} (${company.vendor.source}): ${one} is not open`);
    for (const one of [...truth].filter((hash) => !found.has(hash)))
      wrong.push(`${company.token} (${company.vendor.source}): ${one} is missing`);
  }
  return wrong;
}

async function countBy(world: World, text: string): Promise<Record<string, number>> {
  const rows = await world.sql<{ name: string; n: number }>(text);
  return Object.fromEntries(rows.map((row) => [row.name, row.n]));
}

// A month of daily scrapes of made-up companies, on a sandbox with faults, followed by the rules of model/company/position.ts. It knows the truth, so it
// can tell whether a position was ever closed while it was open, announced twice, or left out at the end.
import { changesOf, type KnownPosition, type ScrapeOutcome } from '../../../src/model/company/position.ts';
import { jobHash, type Posting } from '../../../src/model/posting/posting.ts';
import { uuid } from '../../../src/sandbox/careers/lever.ts';
import { companyTokens, positionsAt, type TruePosition } from '../../../src/sandbox/careers/truth.ts';
import { type CareerWorld, careerWorld } from './careers.ts';

export interface Vendor {
  source: string;
  params(token: string): Record<string, unknown>;
  ref(token: string): string;
  id(position: TruePosition, token: string): string;
}

const plain = (token: string) => token;
const number = (position: TruePosition) => String(position.number);
const host = (token: string) => `${token}.wd5.myworkdayjobs.com`;
export const VENDORS: Vendor[] = [
  { source: 'greenhouse', params: (board) => ({ board }), ref: plain, id: (p) => String(4_000_000_000 + p.number) },
  { source: 'lever', params: (site) => ({ site }), ref: plain, id: uuid },
  { source: 'ashby', params: (board) => ({ board }), ref: plain, id: uuid },
  {
    source: 'smartrecruiters',
    params: (company) => ({ company }),
    ref: plain,
    id: (p) => `7440${String(p.number).padStart(11, '0')}`,
  },
  {
    source: 'workday',
    params: (token) => ({ host: host(token), site: 'External' }),
    ref: (token) => `${host(token)}/External`,
    id: (p) => `R-${p.number}`,
  },
  {
    source: 'workable',
    params: (account) => ({ account }),
    ref: plain,
    id: (p) => p.number.toString(16).toUpperCase().padStart(10, 'A'),
  },
  { source: 'recruitee', params: (company) => ({ company }), ref: plain, id: number },
  { source: 'personio', params: (company) => ({ company }), ref: plain, id: number },
  { source: 'teamtailor', params: (company) => ({ company }), ref: plain, id: number },
  { source: 'bamboohr', params: (company) => ({ company }), ref: plain, id: number },
];

export interface MonthReport {
  scrapes: number;
  failedAttempts: number;
  refusals: Record<string, number>;
  created: number;
  updated: number;
  reopened: number;
  closed: number;
  /** Each must stay empty. */
  wronglyClosed: string[];
  announcedTwice: string[];
  wrongAtTheEnd: string[];
}

export interface MonthOptions {
  companies: number;
  days: number;
  faultRate: number;
  onDay?: (day: number) => void;
}

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 8, 1, 7);
const AT_ONCE = 8;
const MAX_ATTEMPTS = 4;

interface Company {
  vendor: Vendor;
  token: string;
  known: Map<string, KnownPosition>;
  announced: Set<string>;
  history: number[];
  unconfirmed: number | null;
}

export async function simulateMonth({ companies: count, days, faultRate, onDay }: MonthOptions): Promise<MonthReport> {
  const clock = { nowMs: START_MS };
  const kinds = ['500', 'reset', 'truncated', 'drop', 'shell-then-ok:1', 'empty-then-ok:2'];
  await using world = await careerWorld({ now: () => clock.nowMs, faults: { rate: faultRate, kinds, seed: 5 } });
  const companies = companyTokens(count).map(
    (token, i): Company => ({
      vendor: VENDORS[i % VENDORS.length] as Vendor,
      token,
      known: new Map(),
      announced: new Set(),
      history: [],
      unconfirmed: null,
    }),
  );
  const report: MonthReport = {
    scrapes: 0,
    failedAttempts: 0,
    refusals: {},
    created: 0,
    updated: 0,
    reopened: 0,
    closed: 0,
    wronglyClosed: [],
    announcedTwice: [],
    wrongAtTheEnd: [],
  };
  for (let day = 0; day < days; day++) {
    clock.nowMs = START_MS + day * DAY_MS;
    world.sandbox.reset();
    const waiting = [...companies];
    const lane = async () => {
      for (let company = waiting.pop(); company !== undefined; company = waiting.pop())
        await scrapeDay(world, company, clock.nowMs, report);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    onDay?.(day);
  }
  for (const company of companies) {
    const active = [...company.known.values()].filter((position) => position.active).map((position) => position.key);
    const truth = trueKeys(company, clock.nowMs);
    for (const key of active) if (!truth.has(key)) report.wrongAtTheEnd.push(`${company.token}: ${key} is not open`);
    for (const key of truth)
      if (!active.includes(key)) report.wrongAtTheEnd.push(`${company.token}: ${key} is missing`);
  }
  return report;
}

function trueKeys({ vendor, token }: Company, nowMs: number): Set<string> {
  const positions = positionsAt({ vendor: vendor.source, token }, nowMs);
  return new Set(positions.map((position) => jobHash(vendor.source, vendor.ref(token), vendor.id(position, token))));
}

async function scrapeDay(world: CareerWorld, company: Company, nowMs: number, report: MonthReport): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    let postings: Posting[] = [];
    let outcome: ScrapeOutcome = {
      mode: 'full',
      status: 'failed',
      atMs: nowMs,
      unreadable: [],
      unconfirmed: company.unconfirmed,
    };
    try {
      const found = await world.scrape(company.vendor.source, company.vendor.params(company.token));
      postings = found.postings;
      outcome = {
        ...outcome,
        status: found.incomplete.length > 0 ? 'partial' : 'completed',
        unreadable: found.skipped,
      };
    } catch {
      report.failedAttempts += 1;
    }
    apply(company, postings, outcome, report);
    if (outcome.status === 'completed') break;
  }
  report.scrapes += 1;
}

function apply(company: Company, postings: Posting[], outcome: ScrapeOutcome, report: MonthReport): void {
  const truth = trueKeys(company, outcome.atMs);
  const verdict = changesOf([...company.known.values()], postings, outcome, company.history);
  company.history = verdict.history;
  company.unconfirmed = verdict.unconfirmed;
  if (verdict.closingRefused !== null)
    report.refusals[verdict.closingRefused] = (report.refusals[verdict.closingRefused] ?? 0) + 1;
  for (const change of verdict.changes) {
    const before = company.known.get(change.key);
    if (change.kind === 'closed') {
      report.closed += 1;
      if (truth.has(change.key)) report.wronglyClosed.push(`${company.token}: ${change.key}`);
      company.known.set(change.key, { ...(before as KnownPosition), active: false });
    } else if (change.kind === 'unchanged')
      company.known.set(change.key, { ...(before as KnownPosition), lastSeenMs: outcome.atMs });
    else {
      report[change.kind] += 1;
      if (change.kind === 'created' && company.announced.has(change.key)) report.announcedTwice.push(change.key);
      company.announced.add(change.key);
      company.known.set(change.key, {
        key: change.key,
        external_id: change.posting.external_id,
        active: true,
        lastSeenMs: outcome.atMs,
        content: change.content,
      });
    }
  }
}

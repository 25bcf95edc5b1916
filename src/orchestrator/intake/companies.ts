// Scrapes companies: one run, and a task and a session per company. A company that is being scraped is not scraped twice: both runs share the task, and
// each has its own session.
import { randomUUID } from 'node:crypto';
import type { CompanyFilter } from '../../model/company/company.ts';
import { AppError } from '../../model/errors.ts';
import { keyOf } from '../../model/ids.ts';
import type { Company } from '../../store/companies/companies.ts';
import { insertSessions, startDelayed } from '../../store/companies/sessions.ts';
import { urlOption } from '../../store/runs/run-events.ts';
import type { Accepted } from '../../store/submissions/submit.ts';
import { askedBy, type IntakeContext, type IntakeOptions } from './intake.ts';
import { scrapeRunId } from './searches.ts';

export interface CompanyScrape {
  companies: Company[];
  incremental: boolean;
  trigger: 'manual' | 'schedule';
  /** After the first attempt; MAX_RETRY_ATTEMPTS by default. */
  maxRetries?: number;
  webhookUrl?: string | null;
}

export const noCompanies = (filter: CompanyFilter): AppError =>
  new AppError(
    'nothing_to_do',
    Object.values(filter).every((one) => one === undefined)
      ? 'There are no active companies.'
      : 'No active company matches the filter.',
  );

export type ScrapeCompanies = (request: CompanyScrape, context: IntakeContext) => Promise<Accepted>;

/** The daily scrape of all companies must not delay requests that a person waits for. */
const PRIORITY = { manual: 5, schedule: 8 } as const;

export function createCompanyIntake({ store, wire, laneOf, ...limits }: IntakeOptions): ScrapeCompanies {
  return async ({ companies, incremental, trigger, maxRetries = limits.maxRetries, webhookUrl }, context) => {
    const known = incremental ? await store.openExternalIds(companies.map((company) => company.id)) : null;
    const accepted = await store.submit({
      runId: scrapeRunId(trigger),
      kind: 'company',
      itemKind: 'posting',
      trigger,
      ...askedBy(context),
      options: { incremental, companies: companies.length, ...urlOption(webhookUrl) },
      tasks: companies.map(({ id, name, scrapingConfig: { scraper_type, ...params } }) => ({
        key: keyOf(`company:${id}:${incremental ? 'incremental' : 'full'}`),
        source: scraper_type,
        lane: laneOf(scraper_type),
        params: { company_default: name, ...params, ...(known && { known: known.get(id) ?? [] }) },
        priority: PRIORITY[trigger],
        maxRetries,
        timeoutSeconds: limits.taskTimeoutSeconds,
        backoff: 'company',
        ref: { company: name, company_id: id },
      })),
      maxAgeSeconds: 0,
      async along(client, run) {
        const sessions = companies.map((company, pos) => ({
          id: randomUUID(),
          companyId: company.id,
          pos,
          incremental,
        }));
        await insertSessions(client, run, sessions);
        if (trigger === 'manual') await startDelayed(client, run.seq);
      },
    });
    wire.wake();
    return accepted;
  };
}

// Ashby: one call gives a whole board. `isRemote` is true for hybrid work as well, so only `workplaceType` is believed.
import { z } from 'zod';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import type { PaySaid, PlaceSaid } from '../postings/advert.ts';
import { DOCUMENTED_API, getJson } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { idIn, nonEmptyText, statedRemote } from '../postings/text.ts';

const Address = z
  .object({
    postalAddress: z
      .object({
        addressLocality: z.string().nullish(),
        addressRegion: z.string().nullish(),
        addressCountry: z.string().nullish(),
      })
      .nullish(),
  })
  .nullish();

const Component = z.object({
  compensationType: z.string().nullish(),
  interval: z.string().nullish(),
  currencyCode: z.string().nullish(),
  minValue: z.number().nullish(),
  maxValue: z.number().nullish(),
  summary: z.string().nullish(),
});
type Component = z.infer<typeof Component>;

const Compensation = z.object({
  compensationTierSummary: z.string().nullish(),
  compensationTiers: z
    .array(
      z.object({
        title: z.string().nullish(),
        tierSummary: z.string().nullish(),
        components: z.array(Component).nullish(),
      }),
    )
    .nullish(),
  summaryComponents: z.array(Component).nullish(),
});

const Job = z.object({
  id: z.string().min(1),
  title: z.string(),
  jobUrl: z.string().nullish(),
  applyUrl: z.string().nullish(),
  isListed: z.boolean().nullish(),
  department: z.string().nullish(),
  team: z.string().nullish(),
  employmentType: z.string().nullish(),
  location: z.string().nullish(),
  address: Address,
  secondaryLocations: z.array(z.object({ location: z.string().nullish(), address: Address })).nullish(),
  workplaceType: z.string().nullish(),
  publishedAt: z.string().nullish(),
  descriptionHtml: z.string().nullish(),
  shouldDisplayCompensationOnJobPostings: z.boolean().nullish(),
  compensation: Compensation.nullish(),
});
type Job = z.infer<typeof Job>;

const ORIGINS = prefixed('api', {
  id: 'jobs[].id',
  title: 'jobs[].title',
  url: 'jobs[].jobUrl',
  applyUrl: 'jobs[].applyUrl',
  places: 'jobs[].location | jobs[].secondaryLocations[]',
  remote: 'jobs[].workplaceType',
  types: 'jobs[].employmentType',
  pay: 'jobs[].compensation',
  html: 'jobs[].descriptionHtml',
  posted: 'jobs[].publishedAt',
  department: 'jobs[].department',
  team: 'jobs[].team',
});

export const ashbyRows: RowReader<Job> = {
  row: Job,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert(job, raw) {
    if (job.isListed === false) return null;
    return {
      id: job.id,
      title: job.title,
      url: job.jobUrl,
      applyUrl: job.applyUrl,
      places: [
        place(job.location, job.address),
        ...(job.secondaryLocations ?? []).map((other) => place(other.location, other.address)),
      ],
      remote: statedRemote(job.workplaceType),
      types: [job.employmentType],
      pay: job.shouldDisplayCompensationOnJobPostings === false ? null : payOf(job.compensation),
      html: job.descriptionHtml,
      posted: job.publishedAt,
      department: nonEmptyText(job.department),
      team: nonEmptyText(job.team),
      raw,
      origins: ORIGINS,
    };
  },
};

function place(text: string | null | undefined, address: z.infer<typeof Address>): PlaceSaid {
  const postal = address?.postalAddress;
  return {
    text: nonEmptyText(text),
    city: nonEmptyText(postal?.addressLocality),
    region: nonEmptyText(postal?.addressRegion),
    country: nonEmptyText(postal?.addressCountry),
  };
}

/** Salaries only: equity and bonuses are other components. A tier is a zone. */
function payOf(compensation: z.infer<typeof Compensation> | null | undefined): PaySaid | null {
  const isSalary = (component: Component) =>
    component.compensationType === 'Salary' && (component.minValue != null || component.maxValue != null);
  const tiers = (compensation?.compensationTiers ?? []).flatMap((tier) =>
    (tier.components ?? []).filter(isSalary).map((component) => ({ title: nonEmptyText(tier.title), component })),
  );
  const overall = (compensation?.summaryComponents ?? []).find(isSalary) ?? tiers[0]?.component;
  if (overall === undefined) return null;
  const zones = tiers.map(({ title, component }) => ({
    label: title,
    min: component.minValue ?? null,
    max: component.maxValue ?? null,
  }));
  const raw = nonEmptyText(compensation?.compensationTierSummary);
  const summaries = [raw, ...tiers.map(({ component }) => component.summary)];
  return {
    min: overall.minValue,
    max: overall.maxValue,
    currency: overall.currencyCode,
    interval: overall.interval === 'NONE' ? null : overall.interval,
    raw,
    isOte: summaries.some((summary) => /^\s*OTE\b/i.test(summary ?? '')),
    ...(zones.length > 1 ? { zones } : {}),
  };
}

export const ashby = defineSource({
  name: 'ashby',
  title: 'Ashby job boards',
  kind: 'posting',
  lane: 'http',
  hosts: ['api.ashbyhq.com'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: DOCUMENTED_API,
  // Names may hold spaces and dots, and their case matters.
  params: z.object({
    ...COMMON_PARAMS,
    board: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^/?#\\]+$/),
  }),
  async *scrape(params, web, notes) {
    const name = encodeURIComponent(params.board);
    const board = openListing({ source: 'ashby', ref: params.board, params, web, notes });
    const page = await getJson(
      web,
      `https://api.ashbyhq.com/posting-api/job-board/${name}?includeCompensation=true`,
      z.object({ jobs: z.array(z.unknown()) }),
    );
    yield* board.take(page.jobs, ashbyRows);
    board.finish();
  },
});

// A posting: one job advertisement as one source shows it, in one shape whatever the source. Sources fill in a draft with what they know;
// `toPosting` adds what follows from it (hashes, flat salary and date, yearly pay), so that no source can get those wrong.
// What a reader would get wrong: `job_hash` says "the same advertisement at the same source" and never changes with its text;
// `fingerprint` says "looks like the same job anywhere" and is only a first guess (same-posting.ts decides).
import { hash } from 'node:crypto';
import { z } from 'zod';
import { companyKey, placeKey, titleKey } from './posting-keys.ts';

export const REMOTE_TYPES = ['remote', 'hybrid', 'onsite', 'unknown'] as const;
export const JOB_TYPES = [
  'full_time',
  'part_time',
  'contract',
  'temporary',
  'internship',
  'volunteer',
  'per_diem',
  'other',
] as const;
export const SENIORITIES = [
  'intern',
  'entry',
  'mid',
  'senior',
  'staff',
  'principal',
  'lead',
  'manager',
  'director',
  'vp',
  'executive',
  'unknown',
] as const;
/** The lowest degree that is enough; `none`: the posting says that none is needed; `university`: one whose level it does not name. */
export const DEGREES = [
  'none',
  'high_school',
  'vocational',
  'associate',
  'university',
  'bachelor',
  'master',
  'doctorate',
] as const;
/** `agency`: employed by another company that lends people. */
export const CONTRACT_KINDS = ['permanent', 'fixed_term', 'freelance', 'agency'] as const;
export const INTERVALS = ['hour', 'day', 'week', 'month', 'year'] as const;
/** In order of trust. */
export const SALARY_SOURCES = ['employer', 'description', 'estimated'] as const;
export const DATE_PRECISIONS = ['exact', 'day', 'approximate', 'unknown'] as const;

export type RemoteType = (typeof REMOTE_TYPES)[number];
export type JobType = (typeof JOB_TYPES)[number];
export type Seniority = (typeof SENIORITIES)[number];
export type Degree = (typeof DEGREES)[number];
export type ContractKind = (typeof CONTRACT_KINDS)[number];
export type Interval = (typeof INTERVALS)[number];
export type SalarySource = (typeof SALARY_SOURCES)[number];
export type DatePrecision = (typeof DATE_PRECISIONS)[number];

/** The one annualisation constant: how many of each interval a year of work has. */
export const PER_YEAR: Record<Interval, number> = { hour: 2080, day: 260, week: 52, month: 12, year: 1 };

export const JobLocation = z.object({
  raw: z.string(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  /** ISO 3166-1 alpha-2; null where the text does not say. */
  country: z.string().length(2).nullable(),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  /** `area` is a metropolitan area, `macro` a part of the world such as EMEA. */
  kind: z.enum(['city', 'region', 'country', 'area', 'macro', 'remote', 'unknown']),
});
export type JobLocation = z.infer<typeof JobLocation>;

const Bounds = z.object({ min: z.number().nullable(), max: z.number().nullable() });

export const Salary = Bounds.extend({
  currency: z.string().length(3).nullable(),
  interval: z.enum(INTERVALS).nullable(),
  source: z.enum(SALARY_SOURCES),
  raw: z.string().nullable(),
  is_ote: z.boolean(),
  is_net: z.boolean(),
  /** Monthly salaries a year, where the text says 13 or 14. */
  payments_per_year: z.number().nullable(),
  /** One range each where the posting pays differently by place or level. */
  zones: z.array(Bounds.extend({ label: z.string().nullable() })),
  /** What was concluded and not read: `interval_inferred`, `interval_corrected`, `assumed_thousands`, `currency_inferred`. */
  flags: z.array(z.string()),
});
export type Salary = z.infer<typeof Salary>;

/** What a source says. Everything else of a posting follows from it. */
const Said = z.object({
  source: z.string(),
  /** The id the source gives it; always text, since ids outgrow numbers. */
  external_id: z.string().min(1),
  /** Board token or tenant, where ids are unique only within one. */
  company_ref: z.string().nullable(),
  title: z.string().min(1),
  company: z.string().nullable(),
  company_url: z.string().nullable(),
  company_logo: z.string().nullable(),
  company_industry: z.string().nullable(),
  company_size: z.string().nullable(),
  company_revenue: z.string().nullable(),
  company_description: z.string().nullable(),
  company_rating: z.number().nullable(),
  company_reviews_count: z.number().nullable(),
  company_addresses: z.array(z.string()),
  /** As the source shows it. */
  location: z.string().nullable(),
  /** The first is the primary one. */
  locations: z.array(JobLocation),
  remote_type: z.enum(REMOTE_TYPES),
  /** Where one may live, for remote work: ISO country codes or names of regions. */
  remote_regions: z.array(z.string()),
  job_types: z.array(z.enum(JOB_TYPES)),
  salary: Salary.nullable(),
  /** Canonical, without tracking. */
  job_url: z.string(),
  /** Where the employer takes applications, when the source says. */
  apply_url: z.string().nullable(),
  /** In the format that was asked for. */
  description: z.string().nullable(),
  description_format: z.enum(['markdown', 'html', 'plain']),
  /** Only allowed tags and no scripts, whatever format was asked for. */
  description_html: z.string().nullable(),
  language: z.string().nullable(),
  /** When the employer published it. ISO 8601; with precision `day` the time of day is midnight UTC and means nothing. */
  posted_at: z.string().nullable(),
  posted_precision: z.enum(DATE_PRECISIONS),
  /** For "30+ days ago": published on this day or before. */
  posted_not_after: z.string().nullable(),
  /** When this source first showed it, where it tells the two apart. */
  listed_at: z.string().nullable(),
  updated_at: z.string().nullable(),
  valid_through: z.string().nullable(),
  /** The source says that applications are closed. */
  is_closed: z.boolean(),
  department: z.string().nullable(),
  team: z.string().nullable(),
  job_function: z.string().nullable(),
  seniority: z.enum(SENIORITIES),
  experience_years: Bounds.nullable(),
  degree: z.enum(DEGREES).nullable(),
  /** Whether the employer sponsors visas; null where the posting does not say. */
  visa_sponsorship: z.boolean().nullable(),
  contract_kinds: z.array(z.enum(CONTRACT_KINDS)),
  skills: z.array(z.string()),
  emails: z.array(z.string()),
  vacancy_count: z.number().int().nullable(),
  listing_type: z.enum(['organic', 'sponsored', 'easy_apply']).nullable(),
  /** The source's own record, only where it was asked for. */
  raw: z.unknown(),
});

export const Posting = Said.extend({
  salary_min: z.number().nullable(),
  salary_max: z.number().nullable(),
  currency: z.string().nullable(),
  salary_interval: z.enum(INTERVALS).nullable(),
  salary_source: z.enum(SALARY_SOURCES).nullable(),
  salary_annual: Bounds.nullable(),
  /** Day of `posted_at`, YYYY-MM-DD. */
  posted_date: z.string().nullable(),
  /** SHA-256, hex, of who says it and under which id: the same for every scrape of the same advertisement. */
  job_hash: z.string().length(64),
  /** SHA-256, hex, of company, title and place as compared across sources. */
  fingerprint: z.string().length(64),
});
export type Posting = z.infer<typeof Posting>;

/** As a worker may report it: what every posting must say, and whatever else it knows. */
export const ReportedPosting = Posting.partial().required({ title: true, job_url: true });
type ReportedPosting = z.infer<typeof ReportedPosting>;

/** What every draft must say, and whatever else the source knows. */
export type PostingDraft = Pick<Posting, 'source' | 'external_id' | 'title' | 'job_url'> &
  Partial<z.infer<typeof Said>>;

/** One object, written once: a copy of sixty fields costs as much as reading them. What is not said is null, and each posting has arrays of its own. */
export function toPosting(draft: PostingDraft): Posting {
  const { salary = null, locations = [], remote_type: remote = 'unknown', posted_at: postedAt = null } = draft;
  return {
    company_ref: draft.company_ref ?? null,
    company: draft.company ?? null,
    company_url: draft.company_url ?? null,
    company_logo: draft.company_logo ?? null,
    company_industry: draft.company_industry ?? null,
    company_size: draft.company_size ?? null,
    company_revenue: draft.company_revenue ?? null,
    company_description: draft.company_description ?? null,
    company_rating: draft.company_rating ?? null,
    company_reviews_count: draft.company_reviews_count ?? null,
    company_addresses: draft.company_addresses ?? [],
    location: draft.location ?? locations[0]?.raw ?? null,
    locations,
    remote_type: remote,
    remote_regions: draft.remote_regions ?? [],
    job_types: draft.job_types ?? [],
    salary,
    apply_url: draft.apply_url ?? null,
    description: draft.description ?? null,
    description_format: draft.description_format ?? 'markdown',
    description_html: draft.description_html ?? null,
    language: draft.language ?? null,
    posted_at: postedAt,
    posted_precision: draft.posted_precision ?? 'unknown',
    posted_not_after: draft.posted_not_after ?? null,
    listed_at: draft.listed_at ?? null,
    updated_at: draft.updated_at ?? null,
    valid_through: draft.valid_through ?? null,
    is_closed: draft.is_closed ?? false,
    department: draft.department ?? null,
    team: draft.team ?? null,
    job_function: draft.job_function ?? null,
    seniority: draft.seniority ?? 'unknown',
    experience_years: draft.experience_years ?? null,
    degree: draft.degree ?? null,
    visa_sponsorship: draft.visa_sponsorship ?? null,
    contract_kinds: draft.contract_kinds ?? [],
    skills: draft.skills ?? [],
    emails: draft.emails ?? [],
    vacancy_count: draft.vacancy_count ?? null,
    listing_type: draft.listing_type ?? null,
    raw: draft.raw ?? null,
    source: draft.source,
    external_id: draft.external_id,
    title: draft.title,
    job_url: draft.job_url,
    salary_min: salary?.min ?? null,
    salary_max: salary?.max ?? null,
    currency: salary?.currency ?? null,
    salary_interval: salary?.interval ?? null,
    salary_source: salary?.source ?? null,
    salary_annual: salary === null ? null : annualSalary(salary),
    posted_date: postedAt?.slice(0, 10) ?? null,
    job_hash: jobHash(draft.source, draft.company_ref ?? null, draft.external_id),
    fingerprint: fingerprint(draft.company ?? null, draft.title, locations[0] ?? null, remote),
  };
}

const FIELDS = Object.keys(Posting.shape).length;

/** The posting that a worker reported for this source. Workers of ours report all of it. */
export function completePosting(reported: ReportedPosting, source: string): Posting {
  if (Object.keys(reported).length === FIELDS) return reported as Posting;
  const day = reported.posted_date ?? null;
  const said = Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined));
  const posting = toPosting({
    posted_at: day === null ? null : `${day}T00:00:00.000Z`,
    posted_precision: day === null ? 'unknown' : 'day',
    salary: flatSalary(reported),
    source,
    external_id: reported.job_hash ?? reported.job_url,
    title: reported.title,
    job_url: reported.job_url,
    ...said,
  });
  // The worker says what is the same advertisement.
  return reported.job_hash === undefined ? posting : { ...posting, job_hash: reported.job_hash };
}

function flatSalary({ salary_min: min = null, salary_max: max = null, ...said }: ReportedPosting): Salary | null {
  if (min === null && max === null) return null;
  return {
    min,
    max,
    currency: said.currency ?? null,
    interval: said.salary_interval ?? null,
    source: said.salary_source ?? 'employer',
    raw: null,
    is_ote: false,
    is_net: false,
    payments_per_year: null,
    zones: [],
    flags: [],
  };
}

export function jobHash(source: string, companyRef: string | null, externalId: string): string {
  return hash('sha256', JSON.stringify([source, companyRef ?? '', externalId]), 'hex');
}

export function fingerprint(
  company: string | null,
  title: string,
  place: JobLocation | null,
  remote: RemoteType,
): string {
  return hash('sha256', JSON.stringify([companyKey(company ?? ''), titleKey(title), placeKey(place, remote)]), 'hex');
}

/** Yearly pay in the salary's own currency; null where the interval is not known. */
export function annualSalary(
  salary: Pick<Salary, 'min' | 'max' | 'interval' | 'payments_per_year'>,
): { min: number | null; max: number | null } | null {
  if (salary.interval === null) return null;
  const times = salary.interval === 'month' ? (salary.payments_per_year ?? PER_YEAR.month) : PER_YEAR[salary.interval];
  // Cents of an hourly wage times 2080 would otherwise end in 0.0000000001.
  const yearly = (amount: number | null) => (amount === null ? null : Math.round(amount * times * 100) / 100);
  return { min: yearly(salary.min), max: yearly(salary.max) };
}

/** The annual salary, if it can be computed. The original stays in `raw` and in the flags. */
export function inYears(salary: Salary | null): Salary | null {
  const annual = salary === null || salary.interval === 'year' ? null : annualSalary(salary);
  if (salary === null || annual === null) return salary;
  return {
    ...salary,
    ...annual,
    interval: 'year',
    raw: salary.raw ?? `${salary.min ?? ''} - ${salary.max ?? ''} per ${salary.interval}`,
    flags: [...salary.flags, 'annualised'],
  };
}

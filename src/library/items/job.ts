// A job as the library hands it out: the posting of the model with names as TypeScript has them. A type check in the test holds the two together: a field
// that a posting gains has to get its sentence here.
import type {
  ContractKind,
  DatePrecision,
  Degree,
  Interval,
  JobLocation,
  JobType,
  Posting,
  RemoteType,
  Salary as SalaryModel,
  SalarySource,
  Seniority,
} from '../../model/posting/posting.ts';

/** Lowest and highest of a range; null where that end is open. */
export interface Range {
  min: number | null;
  max: number | null;
}

/** Pay in full, as it was read. */
export interface Salary extends Range {
  /** ISO 4217 code, such as USD. */
  currency: string | null;
  /** What the amounts are for: an hour, a year. */
  interval: Interval | null;
  /** Who says it: the employer, the text of the description, or the site as an estimate. */
  source: SalarySource;
  /** The text that the amounts were read from. */
  raw: string | null;
  /** On-target earnings: commission is included. */
  isOte: boolean;
  /** After taxes. */
  isNet: boolean;
  /** Monthly salaries in a year, where the text says 13 or 14. */
  paymentsPerYear: number | null;
  /** One range each where pay differs by place or level. */
  zones: (Range & { label: string | null })[];
  /** What was concluded and not read, such as `interval_inferred`. */
  flags: string[];
}

/** A place that a posting names. */
export type JobPlace = JobLocation;

/** One job advertisement as one site shows it. Unknown values are null, unknown lists are empty. */
export interface Job {
  /** The site it was found on, such as `indeed`, or the kind of career page, such as `greenhouse`. */
  site: string;
  /** The id that the site gives it. */
  id: string;
  /** Name of the company's board, where ids are unique only within one. */
  companyRef: string | null;
  /** Title of the job. */
  title: string;
  /** Name of the employer. */
  company: string | null;
  /** The employer's page, on the site or elsewhere. */
  companyUrl: string | null;
  /** Address of the employer's logo. */
  companyLogo: string | null;
  /** Industry of the employer, in the site's words. */
  companyIndustry: string | null;
  /** Number of employees, in the site's words. */
  companySize: string | null;
  /** Revenue of the employer, in the site's words. */
  companyRevenue: string | null;
  /** What the site says about the employer. */
  companyDescription: string | null;
  /** Rating of the employer, from 0 to 5. */
  companyRating: number | null;
  /** How many reviews the rating comes from. */
  companyReviewsCount: number | null;
  /** Addresses of the employer. */
  companyAddresses: string[];
  /** Where the job is, as the site shows it. */
  location: string | null;
  /** The same, read: the first is the main one. */
  locations: JobPlace[];
  /** Whether the work is remote, hybrid or on site. */
  remoteType: RemoteType;
  /** Where one may live for remote work: ISO country codes or names of regions. */
  remoteRegions: string[];
  /** Full time, part time, contract and so on. */
  jobTypes: JobType[];
  /** Lowest pay, in `currency` for each `salaryInterval`. */
  salaryMin: number | null;
  /** Highest pay, in `currency` for each `salaryInterval`. */
  salaryMax: number | null;
  /** ISO 4217 code of the pay, such as USD. */
  currency: string | null;
  /** What the pay is for: an hour, a year. */
  salaryInterval: Interval | null;
  /** Where the pay comes from: the employer, the text of the description, or an estimate of the site. */
  salarySource: SalarySource | null;
  /** The pay of a year, in the same currency. */
  salaryAnnual: Range | null;
  /** Everything known about the pay. */
  salary: Salary | null;
  /** The advertisement on the site, without tracking. */
  jobUrl: string;
  /** Where the employer takes applications, when the site says. */
  applyUrl: string | null;
  /** Text of the advertisement, in `descriptionFormat`. */
  description: string | null;
  /** Format of the description. */
  descriptionFormat: 'markdown' | 'html' | 'plain';
  /** The description as clean HTML, whatever format was asked for. */
  descriptionHtml: string | null;
  /** ISO 639-1 code of the advertisement's language. */
  language: string | null;
  /** Day it was published, YYYY-MM-DD. */
  postedDate: string | null;
  /** When it was published, ISO 8601; see `postedPrecision`. */
  postedAt: string | null;
  /** How exactly that is known; with `day` the time of day means nothing. */
  postedPrecision: DatePrecision;
  /** For "30+ days ago": published on this day or before. */
  postedNotAfter: string | null;
  /** When this site first showed it, if the site distinguishes the two. */
  listedAt: string | null;
  /** When it was last changed. */
  updatedAt: string | null;
  /** Until when applications are taken. */
  validThrough: string | null;
  /** The site says that applications are closed. */
  isClosed: boolean;
  /** Department of the employer. */
  department: string | null;
  /** Team within the department. */
  team: string | null;
  /** Function of the job, in the site's words. */
  jobFunction: string | null;
  /** Level of the job. */
  seniority: Seniority;
  /** Years of experience that are asked for. */
  experienceYears: Range | null;
  /** The lowest degree that is enough; `none` where the advertisement says that none is needed. */
  degree: Degree | null;
  /** Whether the employer sponsors visas; null where the advertisement does not say. */
  visaSponsorship: boolean | null;
  /** Permanent, for a fixed term, freelance, through an agency. */
  contractKinds: ContractKind[];
  /** Skills that the site lists. */
  skills: string[];
  /** E-mail addresses in the advertisement. */
  emails: string[];
  /** How many people are wanted. */
  vacancyCount: number | null;
  /** Whether the site was paid to show it, or takes applications itself. */
  listingType: 'organic' | 'sponsored' | 'easy_apply' | null;
  /** SHA-256 of site and id: the same for every scrape of the same advertisement. */
  jobHash: string;
  /** SHA-256 of company, title and place: the same for advertisements that look like the same job on several sites. */
  fingerprint: string;
  /** The site's own record, with the option `includeRaw`. */
  raw: unknown;
}

export function toJob(posting: Posting): Job {
  return {
    site: posting.source,
    id: posting.external_id,
    companyRef: posting.company_ref,
    title: posting.title,
    company: posting.company,
    companyUrl: posting.company_url,
    companyLogo: posting.company_logo,
    companyIndustry: posting.company_industry,
    companySize: posting.company_size,
    companyRevenue: posting.company_revenue,
    companyDescription: posting.company_description,
    companyRating: posting.company_rating,
    companyReviewsCount: posting.company_reviews_count,
    companyAddresses: posting.company_addresses,
    location: posting.location,
    locations: posting.locations,
    remoteType: posting.remote_type,
    remoteRegions: posting.remote_regions,
    jobTypes: posting.job_types,
    salaryMin: posting.salary_min,
    salaryMax: posting.salary_max,
    currency: posting.currency,
    salaryInterval: posting.salary_interval,
    salarySource: posting.salary_source,
    salaryAnnual: posting.salary_annual,
    salary: posting.salary && toSalary(posting.salary),
    jobUrl: posting.job_url,
    applyUrl: posting.apply_url,
    description: posting.description,
    descriptionFormat: posting.description_format,
    descriptionHtml: posting.description_html,
    language: posting.language,
    postedDate: posting.posted_date,
    postedAt: posting.posted_at,
    postedPrecision: posting.posted_precision,
    postedNotAfter: posting.posted_not_after,
    listedAt: posting.listed_at,
    updatedAt: posting.updated_at,
    validThrough: posting.valid_through,
    isClosed: posting.is_closed,
    department: posting.department,
    team: posting.team,
    jobFunction: posting.job_function,
    seniority: posting.seniority,
    experienceYears: posting.experience_years,
    degree: posting.degree,
    visaSponsorship: posting.visa_sponsorship,
    contractKinds: posting.contract_kinds,
    skills: posting.skills,
    emails: posting.emails,
    vacancyCount: posting.vacancy_count,
    listingType: posting.listing_type,
    jobHash: posting.job_hash,
    fingerprint: posting.fingerprint,
    raw: posting.raw,
  };
}

function toSalary({ is_ote, is_net, payments_per_year, ...salary }: SalaryModel): Salary {
  return { ...salary, isOte: is_ote, isNet: is_net, paymentsPerYear: payments_per_year };
}

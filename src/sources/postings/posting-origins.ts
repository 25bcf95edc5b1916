// Where the fields of a posting came from: from the fields of its advertisement, where the source says which place of the site those are, and from the rules of
// to-posting.ts. Few ways of reading serve millions of postings, so each way is one object, found again by what was decided.
import { seniority } from '../../extract/posting/seniority.ts';
import type { Posting } from '../../model/posting/posting.ts';
import type { Origins } from '../../model/provenance/origins.ts';
import type { Advert, AdvertOrigins } from './advert.ts';
import { nonEmptyText } from './text.ts';
import type { PostingParams } from './to-posting.ts';

export type PayOrigin = 'pay' | 'payText' | 'text' | 'estimate';

interface Reading {
  advert: Advert;
  posting: Posting;
  params: PostingParams;
  pay: PayOrigin | null;
  /** Which lists the advertisement itself has. */
  says: { regions: boolean; types: 'said' | 'title' | 'text'; skills: boolean };
}

/** Fields that are taken over. */
const TAKEN: Partial<Record<keyof Posting, keyof AdvertOrigins>> = {
  external_id: 'id',
  title: 'title',
  job_url: 'url',
  apply_url: 'applyUrl',
  company_url: 'companyUrl',
  company_logo: 'companyLogo',
  company_industry: 'industry',
  company_size: 'company_size',
  company_revenue: 'company_revenue',
  company_description: 'company_description',
  company_rating: 'company_rating',
  company_reviews_count: 'company_reviews_count',
  company_addresses: 'company_addresses',
  listing_type: 'listing_type',
  location: 'places',
  locations: 'places',
  description: 'html',
  description_html: 'html',
  language: 'language',
  posted_at: 'posted',
  posted_precision: 'posted',
  posted_not_after: 'posted',
  posted_date: 'posted',
  listed_at: 'listed',
  updated_at: 'updated',
  valid_through: 'validThrough',
  is_closed: 'isClosed',
  department: 'department',
  team: 'team',
  job_function: 'jobFunction',
  vacancy_count: 'vacancies',
};

/** The same for every posting. */
const ALWAYS: Partial<Record<keyof Posting, string>> = {
  source: 'computed',
  company_ref: 'request:board',
  description_format: 'request:description_format',
  raw: 'request:include_raw',
  emails: 'rule:emails-in-text',
  degree: 'rule:degree-in-text',
  visa_sponsorship: 'rule:sponsorship-in-text',
  contract_kinds: 'rule:contract-in-label-or-text',
  salary_annual: 'computed',
  job_hash: 'computed',
  fingerprint: 'computed',
};

/** What depends on the posting, as a key: postings with the same key were read in the same way. */
function decisions({ advert, posting, params, pay, says }: Reading): Record<string, string | boolean | null> {
  return {
    company: params.company_name
      ? 'company_name'
      : nonEmptyText(advert.company) !== null
        ? 'said'
        : posting.company && 'company_default',
    remote: advert.remote != null && advert.remote !== 'unknown',
    ...says,
    pay,
    currency: posting.salary?.flags.includes('currency_inferred') ?? false,
    interval: posting.salary?.flags.some((flag) => flag.startsWith('interval_')) ?? false,
    // Titles say it best.
    level: advert.level != null && seniority(posting.title) === 'unknown',
    experience: advert.experienceYears != null,
  };
}

const RULES: Record<PayOrigin, string> = { pay: '', payText: '', text: 'rule:salary-in-text', estimate: '' };

const known = new WeakMap<AdvertOrigins, Map<string, Origins>>();

export function postingOrigins(said: AdvertOrigins, reading: Reading): Origins {
  const decided = decisions(reading);
  const key = Object.values(decided).join();
  const ofSource = known.get(said) ?? new Map<string, Origins>();
  known.set(said, ofSource);
  const before = ofSource.get(key);
  if (before) return before;

  const origins: Record<string, string> = { ...ALWAYS };
  const take = (field: keyof Posting, from: keyof AdvertOrigins, rule?: string | false): void => {
    const origin = rule || said[from];
    if (origin !== undefined) origins[field] = origin;
  };
  for (const [field, from] of Object.entries(TAKEN)) take(field as keyof Posting, from);
  take(
    'company',
    'company',
    typeof decided.company === 'string' && decided.company !== 'said' && `request:${decided.company}`,
  );
  take('remote_type', 'remote', !decided.remote && 'rule:remote-in-words');
  take('remote_regions', 'remoteRegions', !decided.regions && 'rule:remote-regions-in-text');
  take('job_types', 'types', decided.types !== 'said' && `rule:job-type-in-${decided.types}`);
  take('seniority', 'level', !decided.level && 'rule:seniority-in-title');
  take('experience_years', 'experienceYears', !decided.experience && 'rule:experience-in-text');
  take('skills', 'skills', !decided.skills && 'rule:skills-in-text');
  const { pay } = reading;
  if (pay !== null)
    for (const field of ['salary', 'salary_min', 'salary_max', 'currency', 'salary_interval', 'salary_source'] as const)
      take(field, pay === 'text' ? 'pay' : pay, RULES[pay]);
  if (decided.currency) origins.currency = 'inferred';
  if (decided.interval) origins.salary_interval = 'inferred';
  ofSource.set(key, origins);
  return origins;
}

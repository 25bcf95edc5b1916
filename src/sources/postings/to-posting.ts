// An advertisement becomes a posting: here, once, for every job board and career source. Fields of the source are believed before words, words of a label
// before words of the text.
import { parseDate } from '../../extract/dates.ts';
import { cleanText } from '../../extract/html/html.ts';
import { describe } from '../../extract/posting/description.ts';
import { emailsIn } from '../../extract/posting/emails.ts';
import { contractKinds, jobTypes, jobTypesOfTitle } from '../../extract/posting/job-type.ts';
import { languageCode } from '../../extract/posting/language.ts';
import { postedDate } from '../../extract/posting/posted-date.ts';
import { remoteRegions, remoteType } from '../../extract/posting/remote.ts';
import { requirementsOf } from '../../extract/posting/requirements/requirements.ts';
import { seniority } from '../../extract/posting/seniority.ts';
import { skillsIn } from '../../extract/posting/skills.ts';
import { parseSalary } from '../../extract/salary/salary.ts';
import { structuredSalary } from '../../extract/salary/structured.ts';
import { AppError } from '../../model/errors.ts';
import {
  inYears,
  type JobLocation,
  type Posting,
  type Salary,
  type SalarySource,
  toPosting,
} from '../../model/posting/posting.ts';
import { withOrigins } from '../../model/provenance/origins.ts';
import { canonicalUrl } from '../../model/url.ts';
import type { Advert, PaySaid } from './advert.ts';
import { boundedAdvert } from './bounded-advert.ts';
import { placesOf } from './places.ts';
import { type PayOrigin, postingOrigins } from './posting-origins.ts';
import { decodeEntities, nonEmptyText } from './text.ts';

/** What the person who asked says about postings, whatever the source. */
export interface PostingParams {
  company_name?: string | undefined;
  company_default?: string | undefined;
  description_format: Posting['description_format'];
  include_raw: boolean;
  enforce_annual_salary?: boolean;
}

export interface PostingContext {
  source: string;
  ref: string | null;
  params: PostingParams;
  nowMs: number;
}

const YEAR_MS = 365 * 86_400_000;

export function advertToPosting(given: Advert, { source, ref, params, nowMs }: PostingContext): Posting {
  const advert = boundedAdvert(given);
  const title = plainTitle(advert.title);
  if (title === null) throw new AppError('layout_changed', 'an advertisement without a title');
  const url = nonEmptyText(advert.url);
  if (url === null || !URL.canParse(url)) throw new AppError('layout_changed', 'an advertisement without an address');
  const description = advert.html == null ? null : describe(advert.html);
  const { places, remote: locationSays } = placesOf(advert.places ?? []);
  const country = places.find((place) => place.country !== null)?.country ?? null;
  const text = description?.plain ?? '';
  const types = jobTypes(advert.types ?? []);
  const titled = types.length > 0 ? types : jobTypesOfTitle(title);
  const asked = requirementsOf(text);
  const stated = clean(advert.skills);
  const regions = clean(advert.remoteRegions);
  const pay = salaryOf(advert, country, text);
  const salary = pay?.salary ?? null;
  const posting = toPosting({
    ...advert.more,
    source,
    external_id: advert.id,
    company_ref: ref,
    title,
    company: params.company_name ?? nonEmptyText(advert.company) ?? params.company_default ?? null,
    company_url: webAddress(advert.companyUrl),
    company_logo: webAddress(advert.companyLogo),
    company_industry: nonEmptyText(advert.industry),
    location: shownAs(places),
    locations: places,
    remote_type: remoteType({ stated: advert.remote, title, location: locationSays, text }),
    remote_regions: regions.length > 0 ? regions : remoteRegions(text),
    job_types: titled.length > 0 ? titled : asked.job_types,
    salary: params.enforce_annual_salary ? inYears(salary) : salary,
    job_url: jobUrl(url),
    apply_url: webAddress(advert.applyUrl),
    description:
      description && (params.description_format === 'html' ? description.html : description[params.description_format]),
    description_format: params.description_format,
    description_html: description?.html ?? null,
    language: languageCode(advert.language ?? ''),
    ...postedDate(advert.posted, nowMs),
    listed_at: postedDate(advert.listed, nowMs).posted_at,
    updated_at: postedDate(advert.updated, nowMs).posted_at,
    valid_through: lastDay(advert.validThrough, nowMs),
    is_closed: advert.isClosed ?? false,
    department: nonEmptyText(advert.department),
    team: nonEmptyText(advert.team),
    job_function: nonEmptyText(advert.jobFunction),
    seniority: seniority(title, advert.level),
    experience_years: advert.experienceYears ?? asked.experience_years,
    degree: asked.degree,
    visa_sponsorship: asked.visa_sponsorship,
    contract_kinds: contractKinds(advert.types ?? [], asked.contract_kinds),
    skills: stated.length > 0 ? stated : skillsIn(text),
    emails: emailsIn(text),
    vacancy_count: advert.vacancies ?? null,
    raw: params.include_raw ? advert.raw : null,
  });
  const says = {
    regions: regions.length > 0,
    types: types.length > 0 ? ('said' as const) : titled.length > 0 ? ('title' as const) : ('text' as const),
    skills: stated.length > 0,
  };
  const reading = { advert, posting, params, pay: pay?.from ?? null, says };
  return withOrigins(posting, given.origins && postingOrigins(given.origins, reading));
}

function plainTitle(raw: unknown): string | null {
  const text = nonEmptyText(raw);
  return text && (cleanText(/&(?:#\w+|\w+);/.test(text) ? decodeEntities(text) : text) || null);
}

function shownAs(places: readonly JobLocation[]): string | null {
  const [first] = places;
  if (first === undefined || places.length === 1) return first?.raw ?? null;
  return [...new Set(places.map((place) => place.raw))].join(' | ');
}

function clean(texts: Advert['skills']): string[] {
  return texts === undefined ? [] : [...new Set(texts.flatMap((text) => nonEmptyText(text) ?? []))];
}

function webAddress(url: unknown): string | null {
  const text = nonEmptyText(url);
  return text !== null && /^https?:/i.test(text) && URL.canParse(text) ? text : null;
}

/** Where readers came from, as job boards and vendors write it; the general ones canonicalUrl knows. */
const ORIGIN = /^(?:gh_src|lever-(?:source|origin|via)(?:\[\])?|source|src|ref|trk|trackingId|refId|position|pageNum)$/;

function jobUrl(address: string): string {
  if (!address.includes('?')) return canonicalUrl(address);
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) if (ORIGIN.test(name)) url.searchParams.delete(name);
  return canonicalUrl(url.href);
}

/** Fields of the source, then its label, then the text, then the source's guess. */
function salaryOf(
  { pay, payText, estimate }: Advert,
  country: string | null,
  text: string,
): { salary: Salary; from: PayOrigin } | null {
  const label = nonEmptyText(payText);
  const stated = pay == null ? null : statedSalary(pay, { country, text: text || label, source: 'employer' });
  if (stated !== null) return { salary: stated, from: 'pay' };
  const labelled = label === null ? null : parseSalary(label, { country, strictness: 'label', source: 'employer' });
  if (labelled !== null) return { salary: labelled, from: 'payText' };
  const written = text === '' ? null : parseSalary(text, { country, strictness: 'text', source: 'description' });
  if (written !== null) return { salary: written, from: 'text' };
  const guessed = estimate == null ? null : statedSalary(estimate, { country, text: null, source: 'estimated' });
  return guessed && { salary: guessed, from: 'estimate' };
}

function statedSalary(
  { min, max, currency, interval, isOte = false, zones = [], raw, country }: PaySaid,
  about: { country: string | null; text: string | null; source: SalarySource },
): Salary | null {
  const stated = structuredSalary({
    min,
    max,
    currency,
    unit: interval,
    isOte,
    zones,
    ...about,
    ...(country && { country }),
  });
  return stated && { ...stated, raw: nonEmptyText(raw) };
}

/** Unlike other dates this one lies ahead. */
function lastDay(value: Advert['validThrough'], nowMs: number): string | null {
  const text = typeof value === 'number' ? new Date(value).toISOString() : nonEmptyText(value);
  return text === null ? null : parseDate(text, { now: new Date(nowMs + 10 * YEAR_MS) });
}

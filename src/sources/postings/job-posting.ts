// schema.org JobPosting, as pages write it: JSON-LD with keys in any case, addresses that are texts, pay in five shapes, placeholders for what
// is not known. Read into an advertisement; what it means is decided where all advertisements are.
import { all, attr, type Document, parse } from '../../extract/html/html.ts';
import {
  firstString,
  type JsonLdNode,
  jsonLd,
  type MicrodataItem,
  microdata,
  typesOf,
} from '../../extract/html/structured.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Advert, PaySaid, PlaceSaid } from './advert.ts';
import { nonEmptyText, unescapeHtml } from './text.ts';

/** Every JobPosting a page holds, as JSON-LD or else as microdata. */
export function jobPostingsIn(page: Document | string): JsonLdNode[] {
  const doc = typeof page === 'string' ? parse(page) : page;
  const stated = jsonLd(doc).filter(isJobPosting);
  if (stated.length > 0) return stated;
  return flat(microdata(doc))
    .filter((item) => item.type === 'JobPosting')
    .map(microdataNode);
}

const DAY_MS = 86_400_000;

/** In the shape of JSON-LD, so that one reader serves both. */
const fromMicrodata = new WeakSet<object>();

const PROPERTIES = {
  id: 'identifier | url | =request:url',
  title: 'title | name',
  url: 'url | =request:url',
  company: 'hiringOrganization.name',
  companyUrl: 'hiringOrganization.sameAs',
  companyLogo: 'hiringOrganization.logo',
  industry: 'industry',
  places: 'jobLocation',
  remote: 'jobLocationType',
  remoteRegions: 'applicantLocationRequirements',
  types: 'employmentType',
  pay: 'baseSalary',
  estimate: 'estimatedSalary',
  html: 'description',
  posted: 'datePosted',
  validThrough: 'validThrough',
  isClosed: 'validThrough',
  department: 'department',
  jobFunction: 'occupationalCategory',
  experienceYears: 'experienceRequirements',
  skills: 'skills',
  language: 'inLanguage',
  vacancies: 'totalJobOpenings',
};
const JSON_LD = prefixed('json-ld', PROPERTIES);
const MICRODATA = prefixed('microdata', PROPERTIES);

function isJobPosting(node: JsonLdNode): boolean {
  return typesOf(node).includes('JobPosting');
}

function flat(items: readonly MicrodataItem[]): MicrodataItem[] {
  return items.flatMap((item) => [
    item,
    ...flat(
      Object.values(item.properties)
        .flat()
        .filter((value) => typeof value !== 'string'),
    ),
  ]);
}

function microdataNode(item: MicrodataItem): JsonLdNode {
  const entries = Object.entries(item.properties).map(([name, values]) => {
    const plain = values.map((value) => (typeof value === 'string' ? value : microdataNode(value)));
    return [name, plain.length === 1 ? plain[0] : plain];
  });
  const node = { '@type': item.type, ...Object.fromEntries(entries) };
  fromMicrodata.add(node);
  return node;
}

/** The property of that name; `Title` and `title` are the same to the people who write these. */
function get(node: unknown, name: string): unknown {
  if (node === null || typeof node !== 'object') return undefined;
  const record = node as JsonLdNode;
  return record[name] ?? record[name.charAt(0).toUpperCase() + name.slice(1)];
}

const textOf = (node: unknown, name: string) => nonEmptyText(firstString(get(node, name)));
const list = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat());

export interface PageFacts {
  /** Address of the page, for postings that do not name their own. */
  url: string;
  nowMs: number;
}

export function jobPostingId(node: unknown, pageUrl: string): string {
  const identifier = get(node, 'identifier');
  const value = nonEmptyText(
    firstString(typeof identifier === 'object' ? (get(identifier, 'value') ?? get(identifier, '@id')) : identifier),
  );
  return value ?? textOf(node, 'url') ?? pageUrl;
}

export function jobPostingAdvert(node: unknown, page: PageFacts): Advert {
  const organization = get(node, 'hiringOrganization');
  const until = textOf(node, 'validThrough');
  const description = get(node, 'description');
  const company = nonEmptyText(typeof organization === 'string' ? organization : textOf(organization, 'name'));
  return {
    id: jobPostingId(node, page.url),
    title: textOf(node, 'title') ?? textOf(node, 'name'),
    url: absolute(textOf(node, 'url'), page.url),
    company: company !== null && /^confidential$/i.test(company) ? null : company,
    companyUrl: textOf(organization, 'sameAs'),
    companyLogo: textOf(organization, 'logo'),
    industry: textOf(node, 'industry'),
    places: list(get(node, 'jobLocation')).map((place) => placeOf(place, company)),
    remote: list(get(node, 'jobLocationType')).some((type) => /telecommute|remote/i.test(String(type)))
      ? 'remote'
      : null,
    remoteRegions: list(get(node, 'applicantLocationRequirements')).map((region) => nonEmptyText(firstString(region))),
    types: list(get(node, 'employmentType')).flatMap((type) => (typeof type === 'string' ? type.split(',') : [])),
    pay: payOf(node, 'baseSalary'),
    estimate: payOf(node, 'estimatedSalary'),
    html: typeof description === 'string' ? unescapeHtml(description) : null,
    posted: textOf(node, 'datePosted'),
    validThrough: until,
    isClosed: isOver(until, page.nowMs),
    department: textOf(node, 'department'),
    jobFunction: textOf(node, 'occupationalCategory'),
    experienceYears: experienceOf(get(node, 'experienceRequirements')),
    skills: list(get(node, 'skills')).flatMap((skills) =>
      typeof skills === 'string' && skills.length < 500 ? skills.split(/[,;]/) : [],
    ),
    language: textOf(node, 'inLanguage'),
    vacancies: Number(textOf(node, 'totalJobOpenings')) || null,
    raw: node,
    origins: fromMicrodata.has(node as object) ? MICRODATA : JSON_LD,
  };
}

/** A day without a time lasts until its end. */
function isOver(until: string | null, nowMs: number): boolean {
  const untilMs = until === null ? Number.NaN : Date.parse(until);
  return untilMs + (/T\d|:\d/.test(until ?? '') ? 0 : DAY_MS) < nowMs;
}

function absolute(url: string | null, base: string): string {
  return url !== null && URL.canParse(url, base) ? new URL(url, base).href : base;
}

function placeOf(place: unknown, company: string | null): PlaceSaid | null {
  if (typeof place === 'string') return { text: nonEmptyText(place) };
  const address = get(place, 'address');
  if (typeof address === 'string') return { text: nonEmptyText(address) };
  // A place's name is often the company's, and then says nothing about where it is.
  const name = textOf(place, 'name');
  const geo = get(place, 'geo');
  const found = {
    text: name === company ? null : name,
    city: textOf(address, 'addressLocality'),
    region: textOf(address, 'addressRegion'),
    country: textOf(address, 'addressCountry'),
    lat: textOf(geo, 'latitude'),
    lon: textOf(geo, 'longitude'),
  };
  if (found.city !== null || found.region !== null || found.country !== null) return { ...found, text: null };
  return found.text === null ? null : { text: found.text };
}

/** A number, a text, or objects one or two deep; currency and unit may stand at any of the levels. */
function payOf(node: unknown, name: 'baseSalary' | 'estimatedSalary'): PaySaid | null {
  const base = list(get(node, name))[0];
  if (base === undefined) return null;
  const outer = typeof base === 'object' ? base : { value: base };
  const value = get(outer, 'value');
  const inner = value !== null && typeof value === 'object' ? list(value)[0] : { value };
  const at = (name: string) => textOf(inner, name) ?? textOf(outer, name);
  const only = nonEmptyText(firstString(get(inner, 'value')));
  return {
    min: at('minValue') ?? only,
    max: at('maxValue') ?? only,
    currency: at('currency') ?? textOf(node, 'salaryCurrency'),
    interval: at('unitText') ?? textOf(node, 'salaryUnit'),
    raw: typeof base === 'string' ? base : null,
  };
}

function experienceOf(value: unknown): Advert['experienceYears'] {
  const months = Number(textOf(value, 'monthsOfExperience'));
  return months > 0 ? { min: Math.round((months / 12) * 10) / 10, max: null } : null;
}

/** Links to postings on a page: same site, and a URL that looks like one. */
export function postingLinks(doc: Document, pageUrl: string): string[] {
  const site = new URL(pageUrl).hostname;
  const found = all(doc, 'a[href]').flatMap((link) => {
    const href = attr(link, 'href') as string;
    if (!URL.canParse(href, pageUrl)) return [];
    const url = new URL(href, pageUrl);
    url.hash = '';
    const isOwn = url.protocol.startsWith('http') && url.hostname === site && url.href !== pageUrl;
    return isOwn && isPostingAddress(url) ? [url.href] : [];
  });
  return [...new Set(found)];
}

/** An address that looks like the page of one posting. */
export const isPostingAddress = (url: URL): boolean =>
  POSTING_PATH.test(url.pathname) || /[?&](?:gh_jid|job_?id|ashby_jid)=/i.test(url.search);

/** A word for work, and something after it that is more than the list itself. */
const POSTING_PATH =
  /\/(?:jobs?|careers?|positions?|openings?|vacanc(?:y|ies)|vacatures?|stellen(?:angebote?)?|karriere|offres?|emplois?|empleos?|ofertas?|o|p|lediga-jobb)\/(?!(?:page|category|department|locations?|search|login|about)(?:\/|$))[^/]*[\w%-]{2}/i;

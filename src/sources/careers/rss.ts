// Any feed of postings: RSS, Atom, RDF or JSON Feed. feedsmith reads what feeds have in common; the elements that job feeds add under names of
// their own (NEOGOV, Google Base, We Work Remotely) are read from the XML itself.
import { parseFeed } from 'feedsmith';
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { countYield, type Yields, yieldName } from '../../model/quality/yields.ts';
import { canonicalUrl } from '../../model/url.ts';
import { defineSource } from '../define.ts';
import type { Advert, AdvertOrigins } from '../postings/advert.ts';
import { getPinned, PLAIN_HTTP } from '../postings/fetch.ts';
import { jobPostingAdvert } from '../postings/job-posting.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { nonEmptyText, unescapeHtml } from '../postings/text.ts';
import { childText, elements, parseXml, type XmlElement } from '../postings/xml.ts';

export interface FeedEntry {
  id: string | null;
  title: string | null;
  link: string | null;
  html: string | null;
  published: string | null;
  updated: string | null;
  categories: string[];
  /** The entry's own XML, for what feeds add. */
  element: XmlElement | null;
  /** A JSON Feed may carry a whole JobPosting. */
  jobPosting: unknown;
  /** Address of the feed, for relative links. */
  feedUrl: string;
}

export interface FeedOptions {
  /** The title is "Company: Job title", as on We Work Remotely. */
  companyInTitle: boolean;
}

export function feedReader(options: FeedOptions): RowReader<FeedEntry> {
  return {
    row: z.custom<FeedEntry>((raw) => (raw as FeedEntry).title !== null, 'entry without a title'),
    idOf: (raw) => idOf(raw as FeedEntry),
    toAdvert: (entry) => entryAdvert(entry, options),
  };
}

/** The feed's own id, else the address without its tracking. */
function idOf({ id, link, feedUrl }: FeedEntry): string | null {
  if (id !== null) return id;
  return link !== null && URL.canParse(link, feedUrl) ? canonicalUrl(new URL(link, feedUrl).href) : null;
}

const ORIGINS = prefixed('feed', {
  id: 'id | link',
  title: 'title',
  url: 'link',
  html: 'content | description',
  posted: 'published',
  updated: 'updated',
  jobFunction: 'category',
  payText: 'salary | g:salary | job:salary',
  validThrough: 'expires_at | g:expiration_date | joblisting:advertiseToDateTimeUTC | expires',
  skills: 'skills',
  types: 'type | employmentType | job:type | g:job_type | jobtype',
  pay: 'joblisting:minimumSalary | joblisting:maximumSalary',
  department: 'joblisting:department | department | g:job_function',
  company: 'title | g:employer | company | job:company | dc:publisher',
  places: 'joblisting:location | g:location | location | job:location | city | state | country | region',
});

function entryAdvert(entry: FeedEntry, options: FeedOptions): Advert {
  const link = entry.link ?? (entry.id !== null && URL.canParse(entry.id) ? entry.id : null);
  const url = link !== null && URL.canParse(link, entry.feedUrl) ? new URL(link, entry.feedUrl).href : null;
  const stated =
    entry.jobPosting == null
      ? null
      : jobPostingAdvert(entry.jobPosting, { url: url ?? entry.feedUrl, nowMs: Date.now() });
  const split = options.companyInTitle ? /^([^:]{1,80}):\s(.+)$/.exec(entry.title ?? '') : null;
  const extra = (...names: string[]) => firstText(entry.element, names);
  const region = [extra('state'), extra('country') ?? extra('region')].filter((part) => part !== null).join(', ');
  const place = extra('joblisting:location', 'g:location', 'location', 'job:location', 'city') ?? nonEmptyText(region);
  const more = ['joblisting:examplesofduties', 'joblisting:qualifications', 'joblisting:supplementalinformation'];
  return {
    ...stated,
    id: idOf(entry) as string,
    title: split?.[2] ?? entry.title,
    url,
    company: split?.[1] ?? extra('g:employer', 'company', 'job:company', 'dc:publisher') ?? stated?.company,
    places: place === null ? (stated?.places ?? []) : [{ text: place }],
    types: [extra('type', 'employmentType', 'job:type', 'g:job_type', 'jobtype'), ...(stated?.types ?? [])],
    pay: neogovPay(entry.element) ?? stated?.pay ?? null,
    payText: extra('salary', 'g:salary', 'job:salary'),
    html: [entry.html, ...more.map((name) => extra(name))]
      .flatMap((part) => (part === null ? [] : unescapeHtml(part)))
      .join('\n'),
    posted: entry.published,
    updated: entry.updated,
    validThrough: extra('expires_at', 'g:expiration_date', 'joblisting:advertiseToDateTimeUTC', 'expires')?.replace(
      /:0$/,
      ' UTC',
    ),
    department: extra('joblisting:department', 'department', 'g:job_function') ?? stated?.department,
    jobFunction: entry.categories[0] ?? null,
    skills: (extra('skills') ?? '').split(','),
    raw: null,
    origins: stated === null ? ORIGINS : besides(stated.origins),
  };
}

/** A feed may hold a whole JobPosting: it says what the entry itself does not. */
function besides(stated: AdvertOrigins = {}): AdvertOrigins {
  const both = (name: 'company' | 'places' | 'types' | 'pay' | 'department') =>
    [ORIGINS[name], stated[name]].filter((origin) => origin !== undefined).join(' | ');
  const [company, places, types, pay, department] = [
    both('company'),
    both('places'),
    both('types'),
    both('pay'),
    both('department'),
  ];
  return { ...stated, ...ORIGINS, company, places, types, pay, department };
}

function firstText(element: XmlElement | null, names: readonly string[]): string | null {
  for (const name of element === null ? [] : names) {
    const text = nonEmptyText(childText(element ?? undefined, name));
    if (text !== null) return text;
  }
  return null;
}

function neogovPay(element: XmlElement | null): Advert['pay'] {
  const [min, max] = [
    firstText(element, ['joblisting:minimumSalary']),
    firstText(element, ['joblisting:maximumSalary']),
  ];
  if (min === null && max === null) return null;
  return {
    min,
    max,
    currency: firstText(element, ['joblisting:salaryCurrency']),
    interval: firstText(element, ['joblisting:salaryInterval']),
  };
}

/** The entries of a feed. Feeds are retired and answer 200 with a page: what does not look like a feed is an error. */
export function feedEntries(body: string, feedUrl: string): FeedEntry[] {
  const text = body.replace(/^\ufeff/, '').trimStart();
  if (text.startsWith('{')) return jsonEntries(text, feedUrl);
  if (!/^<(?:\?xml|rss|feed|rdf:RDF|!--)/i.test(text) || /^<\?xml[^>]*>\s*<!doctype html/i.test(text))
    throw new AppError(
      'layout_changed',
      `Not a feed: the server answered with ${text.startsWith('<') ? 'HTML' : 'plain text'}`,
    );
  const root = parseXml(text);
  const own = [...elements(root, 'item'), ...elements(root, 'entry')];
  const parsed = parsedFeed(text);
  // feedsmith leaves out items without known fields; then items are matched by their link, the first of each.
  const byLink =
    own.length === parsed.length ? null : new Map(own.toReversed().map((one) => [childText(one, 'link'), one]));
  return parsed.map((entry, i) => {
    const element = byLink === null ? own[i] : byLink.get(entry.link);
    return { ...entry, element: element ?? null, jobPosting: null, feedUrl };
  });
}

type CommonEntry = Omit<FeedEntry, 'element' | 'jobPosting' | 'feedUrl'>;

function parsedFeed(text: string): CommonEntry[] {
  let parsed: ReturnType<typeof parseFeed>;
  try {
    parsed = parseFeed(text);
  } catch (cause) {
    throw new AppError('layout_changed', 'The feed is not valid', { cause });
  }
  if (parsed.format === 'atom') {
    return (parsed.feed.entries ?? []).map((entry) => ({
      id: nonEmptyText(entry.id),
      title: nonEmptyText(textOf(entry.title)),
      link: nonEmptyText(
        (entry.links?.find((link) => (link.rel ?? 'alternate') === 'alternate') ?? entry.links?.[0])?.href,
      ),
      html: nonEmptyText(textOf(entry.content)) ?? nonEmptyText(textOf(entry.summary)),
      published: nonEmptyText(entry.published) ?? nonEmptyText(entry.updated),
      updated: nonEmptyText(entry.updated),
      categories: (entry.categories ?? []).flatMap(
        (category) => nonEmptyText(category.label) ?? nonEmptyText(category.term) ?? [],
      ),
    }));
  }
  if (parsed.format !== 'rss' && parsed.format !== 'rdf') throw new AppError('layout_changed', 'The feed is not valid');
  return (parsed.feed.items ?? []).map((item) => ({
    id: 'guid' in item ? nonEmptyText(item.guid?.value) : null,
    title: nonEmptyText(textOf(item.title)),
    link: nonEmptyText(item.link),
    html: nonEmptyText(item.content?.encoded) ?? nonEmptyText(textOf(item.description)),
    published: ('pubDate' in item ? nonEmptyText(item.pubDate) : null) ?? nonEmptyText(item.dc?.dates?.[0]),
    updated: null,
    categories:
      'categories' in item ? (item.categories ?? []).flatMap((category) => nonEmptyText(category.name) ?? []) : [],
  }));
}

/** Texts are strings or, where a feed gives them a type, objects. */
function textOf(value: unknown): unknown {
  return value !== null && typeof value === 'object' && 'value' in value ? value.value : value;
}

const JsonFeed = z.object({
  items: z.array(
    z.looseObject({
      id: z.union([z.string(), z.number()]).nullish(),
      url: z.string().nullish(),
      title: z.string().nullish(),
      content_html: z.string().nullish(),
      content_text: z.string().nullish(),
      date_published: z.string().nullish(),
      date_modified: z.string().nullish(),
      tags: z.array(z.string()).nullish(),
    }),
  ),
});

function jsonEntries(text: string, feedUrl: string): FeedEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError('layout_changed', 'Not a feed: neither XML nor JSON', { cause });
  }
  const feed = JsonFeed.safeParse(value);
  if (!feed.success)
    throw new AppError('layout_changed', 'Not a feed: JSON, but not a JSON Feed', { cause: feed.error });
  return feed.data.items.map((item) => ({
    id: nonEmptyText(item.id),
    title: nonEmptyText(item.title),
    link: nonEmptyText(item.url),
    html: nonEmptyText(item.content_html) ?? nonEmptyText(item.content_text),
    published: nonEmptyText(item.date_published),
    updated: nonEmptyText(item.date_modified),
    categories: item.tags ?? [],
    element: null,
    jobPosting: item._jobposting,
    feedUrl,
  }));
}

/** What each entry should have. */
function yieldsOf(entries: readonly FeedEntry[]): Yields {
  const yields: Yields = {};
  for (const entry of entries)
    for (const element of ['id', 'title', 'link', 'html', 'published'] as const)
      countYield(yields, yieldName('entry', element === 'html' ? 'description' : element), entry[element] !== null);
  return yields;
}

export const rss = defineSource({
  name: 'rss',
  title: 'Any RSS, Atom or JSON feed of postings',
  kind: 'posting',
  lane: 'http',
  hosts: [],
  pace: { concurrency: 1, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z.object({
    ...COMMON_PARAMS,
    url: z.url({ protocol: /^https?$/ }),
    company_in_title: z.boolean().optional(),
  }),
  async *scrape(params, web, notes) {
    const { hostname } = new URL(params.url);
    const companyInTitle = params.company_in_title ?? /(?:^|\.)weworkremotely\.com$/.test(hostname);
    const board = openListing({ source: 'rss', ref: canonicalUrl(params.url), params, web, notes });
    const page = await getPinned(web, params.url);
    const entries = feedEntries(page.text, page.url);
    notes?.matched?.(yieldsOf(entries));
    yield* board.take(entries, feedReader({ companyInTitle }));
    board.finish();
  },
});

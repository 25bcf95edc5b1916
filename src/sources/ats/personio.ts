// Personio: an XML feed of all positions in one language. A position that is missing in one language is still open in another, so the feed
// of one language is read and stays the same from scrape to scrape. Addresses of positions are not in the feed.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web } from '../../web/port.ts';
import { valueAfter } from '../careers/scripts/script-values.ts';
import { defineSource } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import { DOCUMENTED_API, getPinned } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { HOST_LABEL, idIn, idText, nonEmptyText, sections } from '../postings/text.ts';
import { child, childText, elements, parseXml, type XmlElement } from '../postings/xml.ts';

const Position = z.custom<XmlElement>(
  (value) => childText(value as XmlElement, 'name') !== null,
  'position without a name',
);

const ORIGINS = prefixed('api', {
  id: 'position/id',
  title: 'position/name',
  url: '=computed',
  company: 'position/subcompany',
  places: 'position/office | position/additionalOffices/office',
  types: 'position/employmentType | position/schedule',
  level: 'position/seniority',
  experienceYears: 'position/yearsOfExperience',
  pay: 'position/salaryInformation',
  html: 'position/jobDescriptions',
  posted: 'position/createdAt',
  department: 'position/department',
  jobFunction: 'position/recruitingCategory | position/occupationCategory',
  skills: 'position/keywords',
  language: '=request:language',
});

export const personioRows: RowReader<XmlElement> = {
  row: Position,
  idOf: (raw) => childText(raw as XmlElement, 'id'),
  toAdvert: (position) => positionAdvert(position),
};

function positionAdvert(position: XmlElement, host?: string): Advert {
  const text = (name: string) => nonEmptyText(childText(position, name));
  const id = text('id') as string;
  const more = elements(child(position, 'additionalOffices') ?? NOTHING, 'office').map((office) =>
    nonEmptyText(office.text),
  );
  const offices = [text('office'), ...more].filter((office) => office !== null);
  const pay = child(position, 'salaryInformation');
  return {
    id,
    title: text('name'),
    url: host === undefined ? null : `https://${host}/job/${id}`,
    company: text('subcompany'),
    places: offices.map((office) => ({ text: office })),
    types: contractTypes(text('employmentType'), text('schedule')),
    level: text('seniority'),
    experienceYears: EXPERIENCE[text('yearsOfExperience') ?? ''] ?? null,
    pay:
      pay === undefined
        ? null
        : {
            min: childText(pay, 'min'),
            max: childText(pay, 'max'),
            currency: childText(pay, 'currencyCode') ?? childText(pay, 'currencySymbol'),
            interval: childText(pay, 'type'),
          },
    html: sections(
      elements(position, 'jobDescription').map((part) => ({
        heading: childText(part, 'name'),
        html: childText(part, 'value'),
      })),
    ),
    posted: text('createdAt'),
    department: text('department'),
    jobFunction: text('recruitingCategory') ?? text('occupationCategory'),
    skills: (text('keywords') ?? '').split(','),
    raw: null,
    origins: ORIGINS,
  };
}

const NOTHING: XmlElement = { name: '', attributes: {}, children: [], text: '' };

/** What kind of contract it is says more than the hours: an internship in full time is an internship. */
function contractTypes(kind: string | null, schedule: string | null): (string | null)[] {
  const hours = schedule === 'full-or-part-time' ? ['full-time', 'part-time'] : [schedule];
  return [kind === 'permanent' ? null : kind, ...hours];
}

const years = (min: number | null, max: number | null) => ({ min, max });
const EXPERIENCE: Record<string, Advert['experienceYears']> = {
  'lt-1': years(0, 1),
  '1-2': years(1, 2),
  '2-5': years(2, 5),
  '5-7': years(5, 7),
  '7-10': years(7, 10),
  '10-15': years(10, 15),
  'gt-15': years(15, null),
};

/** The positions of a feed; an answer that is no such feed (the customer has not enabled it) is an error. */
export function personioPositions(xml: string): XmlElement[] {
  const root = isFeed(xml) ? child(parseXml(xml), 'workzag-jobs') : undefined;
  if (root === undefined)
    throw new AppError('layout_changed', 'Not a Personio feed: the company may not have enabled it');
  return root.children.filter((element) => element.name === 'position');
}

function isFeed(text: string): boolean {
  return /^\ufeff?\s*(?:<\?xml|<workzag-jobs)/.test(text);
}

function feedRows(host: string, language: string): RowReader<XmlElement> {
  return { ...personioRows, toAdvert: (position) => ({ ...positionAdvert(position, host), language }) };
}

// Customers who have not enabled the feed: the career page holds its list in a script, without texts.

const PageRow = z.object({
  id: z.union([z.number(), z.string()]),
  name: z.string().min(1),
  main_office: z.string().nullish(),
  department: z.string().nullish(),
  employment_type: z.string().nullish(),
  schedule: z.string().nullish(),
  seniority: z.string().nullish(),
  created_at: z.string().nullish(),
});
type PageRow = z.infer<typeof PageRow>;

async function careerPageRows(web: Web, host: string): Promise<unknown[]> {
  const { text } = await getPinned(web, `https://${host}/`);
  const marker = /"jobs":(?=\[)/;
  const rows = valueAfter(text, marker) ?? valueAfter(text.replace(/\\"/g, '"'), marker);
  if (!Array.isArray(rows))
    throw new AppError(
      'layout_changed',
      'No positions in the feed (the company may not have enabled it) or on the career page',
    );
  return rows;
}

const PAGE_ORIGINS = prefixed('api', {
  id: 'jobs[].id',
  title: 'jobs[].name',
  url: '=computed',
  places: 'jobs[].main_office',
  types: 'jobs[].employment_type | jobs[].schedule',
  level: 'jobs[].seniority',
  posted: 'jobs[].created_at',
  department: 'jobs[].department',
});

function pageRows(host: string): RowReader<PageRow> {
  return {
    row: PageRow,
    idOf: (raw) => idIn(raw, 'id'),
    toAdvert: (row, raw) => ({
      id: idText(row.id) as string,
      title: row.name,
      url: `https://${host}/job/${idText(row.id)}`,
      places: [{ text: nonEmptyText(row.main_office) }],
      types: contractTypes(nonEmptyText(row.employment_type), nonEmptyText(row.schedule)),
      level: nonEmptyText(row.seniority),
      posted: row.created_at,
      department: nonEmptyText(row.department),
      raw,
      origins: PAGE_ORIGINS,
    }),
  };
}

export const personio = defineSource({
  name: 'personio',
  title: 'Personio career pages',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.jobs.personio.de', '*.jobs.personio.com'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: DOCUMENTED_API,
  params: z.object({
    ...COMMON_PARAMS,
    company: z.string().regex(HOST_LABEL),
    language: z.enum(['en', 'de', 'fr', 'es', 'nl', 'it', 'pt']).default('en'),
    tld: z.enum(['de', 'com']).default('de'),
  }),
  async *scrape(params, web, notes) {
    const host = `${params.company}.jobs.personio.${params.tld}`;
    const board = openListing({ source: 'personio', ref: params.company, params, web, notes });
    const page = await getPinned(web, `https://${host}/xml?language=${params.language}`, { accept: [404] });
    if (isFeed(page.text)) yield* board.take(personioPositions(page.text), feedRows(host, params.language));
    else yield* board.take(await careerPageRows(web, host), pageRows(host));
    board.finish();
  },
});

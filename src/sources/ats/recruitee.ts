// Recruitee (Tellent): one call gives all offers. From 10 February 2027 the vendor wants a token in a header; it is a setting, and an answer of
// 401 says so. `position` is a sort number, not the title; `mailbox_email` is an alias for applications.
import { z } from 'zod';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import { defineSource } from '../define.ts';
import type { Advert, PlaceSaid } from '../postings/advert.ts';
import { DOCUMENTED_API, getPinned, readJson } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { HOST_LABEL, idIn, idText, nonEmptyText, sections } from '../postings/text.ts';

const Location = z.object({
  name: z.string().nullish(),
  city: z.string().nullish(),
  state: z.string().nullish(),
  country: z.string().nullish(),
  country_code: z.string().nullish(),
});
const Amount = z.union([z.string(), z.number()]).nullish();

const Offer = z.object({
  id: z.union([z.number(), z.string()]),
  slug: z.string().nullish(),
  title: z.string(),
  company_name: z.string().nullish(),
  status: z.string().nullish(),
  careers_url: z.string().nullish(),
  careers_apply_url: z.string().nullish(),
  description: z.string().nullish(),
  requirements: z.string().nullish(),
  highlight: z.string().nullish(),
  location: z.string().nullish(),
  city: z.string().nullish(),
  state_name: z.string().nullish(),
  country: z.string().nullish(),
  country_code: z.string().nullish(),
  locations: z.array(Location).nullish(),
  remote: z.boolean().nullish(),
  hybrid: z.boolean().nullish(),
  on_site: z.boolean().nullish(),
  employment_type_code: z.string().nullish(),
  experience_code: z.string().nullish(),
  salary: z
    .object({ min: Amount, max: Amount, period: z.string().nullish(), currency: z.string().nullish() })
    .nullish(),
  published_at: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  close_at: z.string().nullish(),
  department: z.string().nullish(),
  tags: z.array(z.string().nullable()).nullish(),
  translations: z.record(z.string(), z.unknown()).nullish(),
});
type Offer = z.infer<typeof Offer>;

const ORIGINS = prefixed('api', {
  id: 'offers[].id',
  title: 'offers[].title',
  url: 'offers[].careers_url',
  applyUrl: 'offers[].careers_apply_url',
  company: 'offers[].company_name',
  places: 'offers[].locations[] | offers[].location',
  remote: 'offers[].remote | offers[].hybrid | offers[].on_site',
  types: 'offers[].employment_type_code',
  level: 'offers[].experience_code',
  pay: 'offers[].salary',
  html: 'offers[].highlight | offers[].description | offers[].requirements',
  posted: 'offers[].published_at | offers[].created_at',
  updated: 'offers[].updated_at',
  validThrough: 'offers[].close_at',
  department: 'offers[].department',
  skills: 'offers[].tags[]',
  language: 'offers[].translations',
});

export const recruiteeRows: RowReader<Offer> = {
  row: Offer,
  idOf: (raw) => idIn(raw, 'id'),
  toAdvert(offer, raw) {
    if (offer.status != null && offer.status !== 'published') return null;
    const languages = Object.keys(offer.translations ?? {});
    return {
      id: idText(offer.id) as string,
      title: offer.title,
      url: offer.careers_url,
      applyUrl: offer.careers_apply_url,
      company: offer.company_name,
      places: placesOf(offer),
      // Remote and hybrid can both be true; hybrid is the answer only where remote is not.
      remote: offer.remote ? 'remote' : offer.hybrid ? 'hybrid' : offer.on_site ? 'onsite' : null,
      types: [offer.employment_type_code],
      level: offer.experience_code === 'not_applicable' ? null : offer.experience_code,
      pay:
        offer.salary == null
          ? null
          : {
              min: offer.salary.min,
              max: offer.salary.max,
              currency: offer.salary.currency,
              interval: offer.salary.period,
            },
      html: sections([{ html: offer.highlight }, { html: offer.description }, { html: offer.requirements }]),
      posted: nonEmptyText(offer.published_at) ?? nonEmptyText(offer.created_at),
      updated: offer.updated_at,
      validThrough: offer.close_at,
      department: nonEmptyText(offer.department),
      skills: offer.tags ?? [],
      language: languages.length === 1 ? languages[0] : null,
      raw,
      origins: ORIGINS,
    };
  },
};

function placesOf(offer: Offer): Advert['places'] {
  const listed: PlaceSaid[] = (offer.locations ?? []).map((place) => ({
    text: nonEmptyText(place.name),
    city: nonEmptyText(place.city),
    region: nonEmptyText(place.state),
    country: nonEmptyText(place.country_code) ?? nonEmptyText(place.country),
  }));
  if (listed.length > 0) return listed;
  return [
    {
      text: nonEmptyText(offer.location),
      city: nonEmptyText(offer.city),
      region: nonEmptyText(offer.state_name),
      country: nonEmptyText(offer.country_code) ?? nonEmptyText(offer.country),
    },
  ];
}

export const recruitee = defineSource({
  name: 'recruitee',
  title: 'Recruitee career sites',
  kind: 'posting',
  lane: 'http',
  hosts: ['*.recruitee.com'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: DOCUMENTED_API,
  params: z
    .object({
      ...COMMON_PARAMS,
      company: z.string().regex(HOST_LABEL).optional(),
      /** A site under the company's own name. */
      host: z.hostname().optional(),
      /** X-Careers-Sites-Token. */
      token: z.string().max(500).optional(),
    })
    .refine((params) => (params.company === undefined) !== (params.host === undefined), 'needs either company or host'),
  async *scrape(params, web, notes) {
    const host = params.host ?? `${params.company}.recruitee.com`;
    const board = openListing({ source: 'recruitee', ref: params.company ?? host, params, web, notes });
    const headers: Record<string, string> = { accept: 'application/json' };
    if (params.token !== undefined) headers['x-careers-sites-token'] = params.token;
    const page = await getPinned(web, `https://${host}/api/offers`, { headers, accept: [401] });
    if (page.status === 401)
      throw new AppError(
        'http_4xx',
        'The site needs a token: set `token`, or scrape its pages with scraper_type `static`',
      );
    yield* board.take(readJson(page.text, z.object({ offers: z.array(z.unknown()) })).offers, recruiteeRows);
    board.finish();
  },
});

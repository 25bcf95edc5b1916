// Comeet (Spark Hire Recruit): one call gives a whole company. Its only date is the last change, which is never taken for the day of posting,
// and its rewards are for referrals, not for the work.
import { z } from 'zod';
import { prefixed } from '../../model/provenance/origins.ts';
import { valueAfter } from '../careers/scripts/script-values.ts';
import { defineSource } from '../define.ts';
import { DOCUMENTED_API, getJson } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { idIn, nonEmptyText, sections, statedRemote } from '../postings/text.ts';

const Section = z.object({ name: z.string().nullish(), value: z.string().nullish(), order: z.number().nullish() });

const Position = z.object({
  uid: z.string().min(1),
  name: z.string(),
  department: z.string().nullish(),
  location: z
    .object({
      name: z.string().nullish(),
      country: z.string().nullish(),
      city: z.string().nullish(),
      state: z.string().nullish(),
      is_remote: z.boolean().nullish(),
    })
    .nullish(),
  employment_type: z.string().nullish(),
  experience_level: z.string().nullish(),
  workplace_type: z.string().nullish(),
  time_updated: z.string().nullish(),
  company_name: z.string().nullish(),
  is_internal: z.boolean().nullish(),
  url_active_page: z.string().nullish(),
  url_comeet_hosted_page: z.string().nullish(),
  url_recruit_hosted_page: z.string().nullish(),
  url_detected_page: z.string().nullish(),
  details: z.array(Section).nullish(),
  custom_fields: z.object({ details: z.array(Section).nullish() }).nullish(),
});
type Position = z.infer<typeof Position>;

const ORIGINS = prefixed('api', {
  id: 'positions[].uid',
  title: 'positions[].name',
  url: 'positions[].url_active_page | positions[].url_comeet_hosted_page | positions[].url_recruit_hosted_page | positions[].url_detected_page',
  applyUrl: 'positions[].url_comeet_hosted_page | positions[].url_recruit_hosted_page',
  company: 'positions[].company_name',
  places: 'positions[].location',
  remote: 'positions[].workplace_type | positions[].location.is_remote',
  types: 'positions[].employment_type',
  level: 'positions[].experience_level',
  html: 'positions[].details[] | positions[].custom_fields.details[]',
  updated: 'positions[].time_updated',
  department: 'positions[].department',
});

export const comeetRows: RowReader<Position> = {
  row: Position,
  idOf: (raw) => idIn(raw, 'uid'),
  toAdvert(position, raw) {
    if (position.is_internal === true) return null;
    const { location } = position;
    const parts = [...(position.details ?? position.custom_fields?.details ?? [])].sort(
      (a, b) => (a.order ?? 0) - (b.order ?? 0),
    );
    return {
      id: position.uid,
      title: position.name,
      url:
        nonEmptyText(position.url_active_page) ??
        nonEmptyText(position.url_comeet_hosted_page) ??
        nonEmptyText(position.url_recruit_hosted_page) ??
        nonEmptyText(position.url_detected_page),
      applyUrl: nonEmptyText(position.url_comeet_hosted_page) ?? nonEmptyText(position.url_recruit_hosted_page),
      company: position.company_name,
      places:
        location == null
          ? []
          : [
              {
                text: nonEmptyText(location.name),
                city: nonEmptyText(location.city),
                region: nonEmptyText(location.state),
                country: nonEmptyText(location.country),
              },
            ],
      remote: statedRemote(position.workplace_type) ?? (location?.is_remote === true ? 'remote' : null),
      types: [position.employment_type],
      level: nonEmptyText(position.experience_level),
      html: sections(parts.map((part) => ({ heading: part.name, html: part.value }))),
      updated: position.time_updated,
      department: nonEmptyText(position.department),
      raw,
      origins: ORIGINS,
    };
  },
};

/** A list at the top, or under `positions`. */
const Answer = z.union([
  z.array(z.unknown()),
  z.object({ positions: z.array(z.unknown()) }).transform((page) => page.positions),
]);

export const comeet = defineSource({
  name: 'comeet',
  title: 'Comeet career pages',
  kind: 'posting',
  lane: 'http',
  hosts: ['www.comeet.co'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: DOCUMENTED_API,
  params: z.object({
    ...COMMON_PARAMS,
    uid: z.string().regex(/^[0-9A-F]{1,4}\.[0-9A-F]{1,4}$/i),
    token: z.string().regex(/^\w{1,100}$/),
  }),
  async *scrape(params, web, notes) {
    const board = openListing({ source: 'comeet', ref: params.uid, params, web, notes });
    const url = `https://www.comeet.co/careers-api/2.0/company/${params.uid}/positions?token=${params.token}&details=true`;
    yield* board.take(await getJson(web, url, Answer), comeetRows);
    board.finish();
  },
});

export interface ComeetPage {
  uid: string;
  token: string;
  positions: unknown[];
}

const CompanyData = z.object({ company_uid: z.string(), token: z.string() });

/** What a hosted page embeds: who the company is and, in full, its positions. */
export function comeetPage(html: string): ComeetPage | null {
  const company = CompanyData.safeParse(valueAfter(html, /\bCOMPANY_DATA\s*=\s*/));
  if (!company.success) return null;
  const positions = valueAfter(html, /\bCOMPANY_POSITIONS_DATA\s*=\s*/);
  return {
    uid: company.data.company_uid,
    token: company.data.token,
    positions: Array.isArray(positions) ? positions : [],
  };
}

// JazzHR: a feed that its customers syndicate holds a board, texts included. An id begins with the day of its publication.
// What a reader would get wrong: who does not syndicate has an empty feed and postings all the same. Then the career page is asked, and each posting's page.
import { z } from 'zod';
import { all, attr, parse } from '../../extract/html/html.ts';
import { AppError } from '../../model/errors.ts';
import { prefixed } from '../../model/provenance/origins.ts';
import type { Web, WebResponse } from '../../web/port.ts';
import { defineSource } from '../define.ts';
import type { Advert } from '../postings/advert.ts';
import { getPinned, PLAIN_HTTP } from '../postings/fetch.ts';
import { openListing, type RowReader } from '../postings/listing.ts';
import { COMMON_PARAMS } from '../postings/params.ts';
import { HOST_LABEL, nonEmptyText } from '../postings/text.ts';
import { statedAdvert } from '../postings/with-stated.ts';
import { childText, elements, parseXml, type XmlElement } from '../postings/xml.ts';

const DETAILS_AT_ONCE = 2;

const ORIGINS = prefixed('feed', {
  id: 'job.id',
  title: 'job.title',
  url: 'job.url',
  places: 'job.city | job.state | job.country',
  types: 'job.type',
  level: 'job.experience',
  html: 'job.description',
  posted: 'job.original_open_date | job.id',
  isClosed: 'job.status',
  department: 'job.department',
});

export const jazzhrRows: RowReader<XmlElement> = {
  row: z.custom<XmlElement>((job) => childText(job as XmlElement, 'title') !== null, 'job without a title'),
  idOf: (job) => childText(job as XmlElement, 'id'),
  toAdvert(job) {
    const at = (name: string) => nonEmptyText(childText(job, name));
    const id = childText(job, 'id')!;
    const [, year, month, day] = /^job_(\d{4})(\d\d)(\d\d)\d{6}_/.exec(id) ?? [];
    return {
      id,
      title: at('title'),
      url: at('url')?.replace(/^http:/, 'https:'),
      places: [{ city: at('city'), region: at('state'), country: at('country') }],
      types: [at('type')],
      level: at('experience'),
      html: at('description'),
      posted: at('original_open_date') ?? (year === undefined ? null : `${year}-${month}-${day}`),
      isClosed: /^(?!open)./i.test(at('status') ?? 'Open'),
      department: at('department'),
      raw: null,
      origins: ORIGINS,
    };
  },
};

export function jazzhrJobs(feed: string): XmlElement[] {
  if (!/^\s*<(?:\?xml|jobs)/i.test(feed)) throw new AppError('layout_changed', 'The feed is not XML');
  return elements(parseXml(feed), 'job');
}

const pageRows = (nowMs: number): RowReader<string, WebResponse> => ({
  row: z.string(),
  idOf: (url) => /\/apply\/(?:jobs\/details\/)?([\w-]{4,})/.exec(String(url))?.[1] ?? null,
  toAdvert(url, _, page): Advert | null {
    const advert = page === null ? null : statedAdvert(page, nowMs);
    return advert && { ...advert, id: pageRows(nowMs).idOf(url)!, url };
  },
});

/** Addresses of postings on the career page. */
async function linksOf(web: Web, base: string): Promise<string[]> {
  const page = await getPinned(web, `${base}/apply`);
  if (/<title>[^<]{0,100}inactive career page/i.test(page.text))
    throw new AppError('not_found', 'the career page is inactive');
  const links = all(parse(page.text), 'a[href]').flatMap((link) => URL.parse(attr(link, 'href') ?? '', page.url) ?? []);
  return [
    ...new Set(
      links
        .filter(({ origin, pathname }) => origin === base && /^\/apply\/(?:jobs\/details\/)?[\w-]{6,}/.test(pathname))
        .map(({ origin, pathname }) => origin + pathname),
    ),
  ];
}

export const jazzhr = defineSource({
  name: 'jazzhr',
  title: 'JazzHR career pages',
  kind: 'posting',
  lane: 'http',
  hosts: ['app.jazz.co', '*.applytojob.com'],
  pace: { concurrency: 2, delayMs: 500 },
  policy: PLAIN_HTTP,
  params: z.object({ ...COMMON_PARAMS, company: z.string().regex(HOST_LABEL) }),
  async *scrape(params, web, notes) {
    const board = openListing({ source: 'jazzhr', ref: params.company, params, web, notes });
    const feed = await getPinned(web, `https://app.jazz.co/feeds/export/jobs/${params.company}`);
    const jobs = jazzhrJobs(feed.text);
    if (jobs.length > 0) yield* board.take(jobs, jazzhrRows);
    else {
      const links = await linksOf(web, `https://${params.company}.applytojob.com`);
      const ask = (_: string, url: string) => getPinned(web, url);
      yield* board.takeDetailed(links, pageRows(board.nowMs), { ask, atOnce: DETAILS_AT_ONCE });
    }
    board.finish();
  },
});

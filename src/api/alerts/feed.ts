// The matches of an alert as a feed. Titles and names come from web pages, so they are always text: Atom can say so, RSS readers expect HTML and get it
// escaped. Characters that XML does not allow are dropped, and only http and https URLs become links.
import { generateAtomFeed, generateRssFeed } from 'feedsmith';
import type { Notice } from '../../model/posting/notice.ts';
import type { Match } from '../../store/alerts/alerts.ts';

export const FEED_TYPES = { atom: 'application/atom+xml', rss: 'application/rss+xml' } as const;
export type FeedFormat = keyof typeof FEED_TYPES;

export interface FeedOptions {
  format: FeedFormat;
  id: string;
  name: string;
  /** URL of the feed. */
  url: string;
  updatedAt: Date;
  /** Newest first. */
  matches: Match[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufdd0-\ufdef\ufffe\uffff]/g;

const clean = (text: string): string => text.toWellFormed().replace(NOT_XML, '').replace(/\s+/g, ' ').trim();
const asHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const titleOf = ({ title, company }: Notice): string =>
  clean(company === null ? title : `${title} – ${company}`) || 'Without a title';

function summaryOf(notice: Notice): string {
  const { salary_min: min, salary_max: max, currency, salary_interval } = notice;
  const amounts = [...new Set([min, max])]
    .filter((amount) => amount !== null)
    .map((amount) => amount.toLocaleString('en'));
  const pay = [currency, amounts.join('–'), salary_interval && `a ${salary_interval}`].filter(Boolean).join(' ');
  return clean(
    [
      notice.location,
      notice.remote_type === 'unknown' ? null : notice.remote_type,
      amounts.length > 0 ? pay : null,
      notice.source,
    ]
      .filter(Boolean)
      .join(' · '),
  );
}

const linkOf = ({ job_url }: Notice): string | null =>
  job_url !== null && URL.canParse(job_url) && /^https?:$/.test(new URL(job_url).protocol)
    ? new URL(job_url).href
    : null;

const entryId = ({ job_hash }: Notice): string => `urn:windrow:posting:${job_hash}`;

export function alertFeed(options: FeedOptions): string {
  return options.format === 'rss' ? rssFeed(options) : atomFeed(options);
}

function atomFeed({ id, name, url, updatedAt, matches }: FeedOptions): string {
  return generateAtomFeed({
    id: `urn:windrow:alert:${id}`,
    title: { value: clean(name), type: 'text' },
    updated: updatedAt,
    authors: [{ name: 'Windrow' }],
    links: [{ href: url, rel: 'self', type: FEED_TYPES.atom }],
    entries: matches.map(({ announcedAt, notice }) => {
      const link = linkOf(notice);
      return {
        id: entryId(notice),
        title: { value: titleOf(notice), type: 'text' },
        summary: { value: summaryOf(notice), type: 'text' },
        updated: announcedAt,
        published: announcedAt,
        ...(link === null ? {} : { links: [{ href: link, rel: 'alternate' }] }),
      };
    }),
  });
}

function rssFeed({ name, url, updatedAt, matches }: FeedOptions): string {
  return generateRssFeed({
    title: asHtml(clean(name)),
    link: url,
    description: asHtml(clean(`New postings: ${name}`)),
    lastBuildDate: updatedAt,
    items: matches.map(({ announcedAt, notice }) => {
      const link = linkOf(notice);
      return {
        title: asHtml(titleOf(notice)),
        description: asHtml(summaryOf(notice)),
        guid: { value: entryId(notice), isPermaLink: false },
        pubDate: announcedAt,
        ...(link === null ? {} : { link }),
      };
    }),
  });
}

// The page of one LinkedIn posting, as the guest fragment and as the full page show it.
import { type AnyNode, all, attr, one, parse, text } from '../../../extract/html/html.ts';
import { markup } from '../../../extract/posting/markup.ts';

export interface JobDetail {
  title: string | null;
  company: string | null;
  location: string | null;
  posted: string | null;
  html: string | null;
  applyUrl: string | null;
  salary: string | null;
  isClosed: boolean;
  seniority: string | null;
  employmentType: string | null;
  jobFunction: string | null;
  industries: string | null;
}

/** Null without a heading and a text: a login page, not a posting. */
export function readDetail(html: string): JobDetail | null {
  const doc = parse(html);
  const title = text(one(doc, '.top-card-layout__title, .topcard__title')) || null;
  const description = one(doc, '.show-more-less-html__markup, .description__text');
  if (title === null && description === null) return null;
  const criteria = criteriaOf(doc);
  return {
    title,
    company: text(one(doc, 'a.topcard__org-name-link')) || text(one(doc, '.topcard__flavor')) || null,
    location: text(one(doc, '.topcard__flavor--bullet')) || null,
    posted: text(one(doc, '.posted-time-ago__text')) || null,
    html: description && markup(description),
    applyUrl: applyUrlOf(doc),
    salary: text(one(doc, '.compensation__salary, .salary')) || null,
    isClosed: one(doc, '.closed-job__flavor--closed') !== null,
    // By place where labels are in another language: the order is always the same.
    seniority: criteria.get('seniority level') ?? criteria.get('#0') ?? null,
    employmentType: criteria.get('employment type') ?? criteria.get('#1') ?? null,
    jobFunction: criteria.get('job function') ?? criteria.get('#2') ?? null,
    industries: criteria.get('industries') ?? criteria.get('#3') ?? null,
  };
}

function criteriaOf(doc: AnyNode): Map<string, string> {
  const items = all(doc, '.description__job-criteria-item');
  const found = items.map(
    (item) =>
      [
        text(one(item, '.description__job-criteria-subheader')).toLowerCase(),
        text(one(item, '.description__job-criteria-text')),
      ] as const,
  );
  const named = new Map(found);
  const isEnglish = ['seniority level', 'employment type', 'job function', 'industries'].some((name) =>
    named.has(name),
  );
  return isEnglish || found.length < 4 ? named : new Map(found.map(([, value], i) => [`#${i}`, value]));
}

/** An address inside a comment inside a code element; missing in newer pages. */
function applyUrlOf(doc: AnyNode): string | null {
  const code = one(doc, 'code#applyUrl');
  const said = code?.children.map((child) => ('data' in child ? child.data : '')).join('') ?? '';
  const found = /[?&]url=([^"&\s]+)/.exec(said)?.[1];
  if (found !== undefined) return decodeURIComponent(found);
  const link = attr(one(doc, 'a.apply-button[href], a.topcard__link--apply[href]'), 'href');
  return link !== null && !/linkedin\.com/.test(link) ? link : null;
}

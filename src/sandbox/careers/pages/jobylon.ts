// Jobylon's feed, and the page that companies embed: its script writes the list as JavaScript does.
import type { Replica } from '../../replica.ts';
import { guidOf, tokenOf } from '../guid.ts';
import { day, json, placeText, positionsFor, refusal, textHtml, withBadRows } from '../replies.ts';
import { page, postingPage } from '../site-pages.ts';
import { companyName, type TruePosition } from '../truth.ts';

/** Companies are numbers here; the sandbox spells them as tokens. */
export const jobylonNumber = (token: string): string =>
  String([...token].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_000_007, 7));
const named = new Map<string, string>();
const pages = new Map<string, { position: TruePosition; company: string }>();

/** Makes the board known by its number. */
export function jobylonCompany(token: string): string {
  named.set(jobylonNumber(token), token);
  return jobylonNumber(token);
}
export const jobylon: Replica = {
  name: 'jobylon',
  title: 'Jobylon feeds and embedded lists of made-up companies',
  hosts: ['feed.jobylon.com', 'cdn.jobylon.com', 'emp.jobylon.com'],
  examples: [{ url: `https://feed.jobylon.com/feeds/${guidOf('aldermoor')}/?format=json`, note: 'one board' }],
  handle(request) {
    const posting = pages.get(/^\/jobs\/(\d+)/.exec(request.path)?.[1] ?? '');
    if (request.host === 'emp.jobylon.com')
      return posting && postingPage(posting.position, posting.company, request.origin + request.path);
    const key = /^\/feeds\/([\da-f-]+)\/$/.exec(request.path)?.[1];
    const id = /^\/jobs\/companies\/(\d+)\/embed\/v2\/$/.exec(request.path)?.[1];
    const company = key === undefined ? named.get(id ?? '') : tokenOf(key);
    if (company === undefined) return undefined;
    const refused = refusal(company, 'jobylon');
    if (refused) return refused;
    const positions = positionsFor(request, 'jobylon', company);
    if (key !== undefined)
      return json(
        withBadRows(
          company,
          positions.map((one) => row(one, company)),
          { untitled: { id: 1, title: null }, nameless: { title: 'No id' } },
        ),
      );
    for (const position of positions) pages.set(String(position.number), { position, company });
    return page(
      company,
      `<script>if (typeof JBL === "undefined") { JBL = {} } JBL.embed_v2 = {}; JBL.embed_v2['jobs'] = [ ${positions.map((one) => literal(one, company)).join('\n')} ];</script>`,
    );
  },
};

const row = (position: TruePosition, company: string) => ({
  id: position.number,
  title: position.title,
  descr: textHtml(position),
  skills: '',
  company: { id: 1, name: companyName(company), website: 'https://acme.example' },
  departments: [{ department: { name: position.department } }],
  employment_type: TYPES[position.type],
  experience: '',
  function: position.department,
  from_date: day(position.bornMs),
  to_date: null,
  locations: [
    {
      location: {
        text: placeText(position.place),
        city: position.place.city,
        country_short: position.place.countryCode,
      },
    },
  ],
  urls: { ad: `https://emp.jobylon.com/jobs/${position.number}-a-job/`, apply: null },
  workplaceTypes: position.remote === 'onsite' ? 'on-site' : position.remote,
});

const TYPES = { full_time: 'Full-time', part_time: 'Part-time', contract: 'Contract', internship: 'Internship' };

/** Texts in single quotes, as its pages write them. */
const quoted = (value: string): string =>
  `'${value.replace(/['\\&<]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)}'`;

const literal = (position: TruePosition, company: string): string => `{
  id: '${position.number}',
  url: '/jobs/${position.number}-a-job/',
  title: ${quoted(position.title)},
  company: ${quoted(companyName(company))},
  language: 'English',
  klass: { 'job-lang-en': true, 'internal': false, },
  locations: [ ${quoted(placeText(position.place))}, ],
  departments: [ ${quoted(position.department)}, ],
  workspace: ${quoted({ remote: 'Remote', hybrid: 'Hybrid', onsite: 'On-site' }[position.remote])},
  employment_type: ${quoted(TYPES[position.type])},
  summary: 'None',
  is_internal: false
},`;

// Postings: the same job on several boards is one row.
import type { Schemas } from '../../../client/routes.generated.ts';
import { useAnswer } from '../../live/answers.ts';
import { Facts } from '../../parts/facts.tsx';
import { ChoiceFilter, TextFilter } from '../../parts/form/filters.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { Marked } from '../../parts/text/marked.tsx';
import { Time } from '../../parts/text/time.tsx';
import { plural, shorten } from '../../parts/text/words.ts';
import { payShort, payText } from '../run/results-search.tsx';
import { BucketChart, Ranking } from './charts.tsx';
import type { DataKind } from './kind.ts';
import { Origins } from './origins.tsx';

type Row = Schemas['ListedPosting'];

const payOf = (row: Row): string | null => payText(row as unknown as Parameters<typeof payText>[0]);
const known = (text: string): string | null => (text === 'unknown' ? null : text.replaceAll('_', ' '));

function yearsText(years: Row['experience_years']): string | null {
  if (!years) return null;
  const { min, max } = years;
  if (min === 0 && max === null) return 'none needed';
  if (min === null) return `up to ${plural(max ?? 0, 'year')}`;
  return max === null || max === min
    ? `${plural(min, 'year')}${max === null ? ' or more' : ''}`
    : `${min}–${max} years`;
}

const degreeText = (degree: Row['degree']): string | null =>
  degree === 'none' ? 'none needed' : degree ? degree.replaceAll('_', ' ') : null;

function Detail({ row }: { row: Row }) {
  const boards = row.group.sources;
  return (
    <>
      <Facts
        facts={[
          ['Company', row.company && <WebLink href={row.company_url}>{row.company}</WebLink>],
          ['Place', row.location],
          ['Remote', known(row.remote_type)],
          ['Pay', payOf(row) && `${payOf(row)}${row.salary_source === 'employer' ? '' : ` (${row.salary_source})`}`],
          ['Kind', row.job_types.map((one) => one.replaceAll('_', ' ')).join(', ')],
          ['Level', known(row.seniority)],
          ['Contract', (row.contract_kinds ?? []).map((one) => one.replaceAll('_', ' ')).join(', ')],
          ['Experience', yearsText(row.experience_years)],
          ['Degree', degreeText(row.degree)],
          ['Visa sponsorship', row.visa_sponsorship == null ? null : row.visa_sponsorship ? 'yes' : 'no'],
          ['Department', [row.department, row.team].filter(Boolean).join(' · ')],
          ['Posted', row.posted_at && <Time at={row.posted_at} />],
          ['First seen', <Time key="first" at={row.first_seen_at} />],
          ['Last seen', <Time key="last" at={row.last_seen_at} />],
          ['Valid until', row.valid_through && <Time at={row.valid_through} />],
          ['Apply', row.apply_url && <WebLink href={row.apply_url}>{shorten(row.apply_url, 60)}</WebLink>],
        ]}
      />
      <section>
        <h3>{boards.length > 1 ? `The same job on ${plural(boards.length, 'board')}` : 'Where it was seen'}</h3>
        <ul class="plain-list">
          {boards.map(({ source, job_url, first_seen_at }) => (
            <li key={`${source} ${job_url}`} class="line">
              <WebLink href={job_url}>{source}</WebLink>
              <span class="quiet">
                since <Time at={first_seen_at} />
              </span>
            </li>
          ))}
        </ul>
      </section>
      {row.skills.length > 0 && (
        <section>
          <h3>Skills</h3>
          <p class="chips">
            {row.skills.map((skill) => (
              <span key={skill} class="chip">
                {skill}
              </span>
            ))}
          </p>
        </section>
      )}
      <Origins provenance={row.provenance as never} />
      {row.description && (
        <section>
          <h3>Description</h3>
          <p class="long-text">{row.description}</p>
        </section>
      )}
    </>
  );
}

function Charts({ query }: { query: Record<string, string> }) {
  const asked = analytic(query);
  const pay = useAnswer('GET /analytics/salaries', { query: { ...asked, limit: 12 } }, { every: 0 });
  const companies = useAnswer('GET /analytics/companies', { query: { ...asked, limit: 12 } }, { every: 0 });
  const skills = useAnswer(
    'GET /analytics/postings',
    { query: { ...asked, group_by: 'skill', bucket: 'week', limit: 12 } },
    { every: 0 },
  );
  return (
    <div class="charts">
      <BucketChart
        title="New postings a day"
        route="GET /analytics/postings"
        query={{ ...asked, bucket: 'day' }}
        lines={[{ field: 'postings', label: 'New postings', tone: 'active' }]}
        isBars
      />
      <Ranking title="Pay a year, median" answer={pay} groupOf={(row) => String(row.currency)} valueField="p50" />
      <Ranking
        title="Skills most asked for"
        answer={skills}
        groupOf={(row) => String(row.skill ?? '–')}
        valueField="postings"
      />
      <Ranking
        title="Companies that hire most"
        answer={companies}
        groupOf={(row) => String(row.company ?? '–')}
        valueField="postings"
      />
    </div>
  );
}

/** Filters that the analytics have too. */
const ANALYTIC = ['source', 'company', 'location', 'country', 'remote_type', 'currency', 'q'];
const analytic = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => ANALYTIC.includes(name)));

function Filters() {
  return (
    <>
      <TextFilter param="location" label="Place" type="text" placeholder="Berlin" />
      <TextFilter param="min_salary" label="Pay a year from" type="number" />
      <ChoiceFilter
        param="posted_after"
        label="Posted"
        none="Any time"
        options={[1, 7, 30].map((days) => [daysAgo(days), days === 1 ? 'Last day' : `Last ${days} days`] as const)}
      />
    </>
  );
}

/** A day, so that the same choice is the same address all day. */
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export const POSTINGS: DataKind<Row> = {
  id: 'postings',
  title: 'Postings',
  icon: 'posting',
  list: 'GET /postings',
  facets: 'GET /postings/facets',
  rowsOf: (reply) => (reply as { postings: Row[] }).postings,
  keyOf: ({ job_hash }) => job_hash,
  facetNames: [
    'source',
    'country',
    'remote_type',
    'seniority',
    'job_type',
    'degree',
    'visa_sponsorship',
    'contract_kind',
    'skill',
    'company',
  ],
  filterNames: ['location', 'min_salary', 'posted_after'],
  Filters,
  sorts: [
    ['-first_seen_at', 'Newest first'],
    ['-posted_at', 'Posted last'],
    ['-salary', 'Best paid'],
  ],
  placeholder: 'kafka -junior "data engineer"',
  titleOf: ({ title }) => title,
  columns: [
    {
      key: 'title',
      title: 'Title',
      isWide: true,
      cell: ({ title, highlights }) => (
        <span class="cut">{highlights?.title ? <Marked text={highlights.title} /> : shorten(title, 160)}</span>
      ),
    },
    {
      key: 'company',
      title: 'Company',
      cell: ({ company }) => (company ? <span class="cut">{shorten(company, 28)}</span> : null),
    },
    { key: 'place', title: 'Place', cell: ({ location }) => (location ? shorten(location, 24) : null) },
    {
      key: 'pay',
      title: 'Pay',
      isNumber: true,
      cell(row) {
        const pay = payShort(row as unknown as Parameters<typeof payShort>[0]);
        return pay === null ? null : <span title={payOf(row) ?? ''}>{pay}</span>;
      },
    },
    { key: 'remote', title: 'Remote', isExtra: true, cell: ({ remote_type }) => known(remote_type) ?? null },
    { key: 'level', title: 'Level', isExtra: true, cell: ({ seniority }) => known(seniority) ?? null },
    { key: 'experience', title: 'Experience', isExtra: true, cell: (row) => yearsText(row.experience_years) ?? null },
    { key: 'degree', title: 'Degree', isExtra: true, cell: ({ degree }) => degreeText(degree) ?? null },
    {
      key: 'boards',
      title: 'On',
      cell: ({ source, group }) =>
        group.sources.length > 1 ? (
          <span title={group.sources.map((one) => one.source).join(', ')}>{plural(group.sources.length, 'board')}</span>
        ) : (
          source
        ),
    },
    { key: 'posted', title: 'Posted', isNumber: true, cell: ({ posted_at }) => <Time at={posted_at} /> },
    { key: 'seen', title: 'First seen', isNumber: true, isExtra: true, cell: (row) => <Time at={row.first_seen_at} /> },
  ],
  Detail,
  Charts,
  empty: {
    text: 'A search of job boards or of a company brings them. Start one with New run, or from a terminal:',
    commands: [
      `curl ${location.origin}/jobs/scrape -H 'content-type: application/json' \\\n  -d '{"site_name":"indeed","search_term":"python developer"}'`,
    ],
  },
};

// Postings of a search, as they come, and how each site did.
import type { Schemas } from '../../../client/routes.generated.ts';
import { usePages } from '../../live/pages.ts';
import { Status } from '../../parts/status.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, shorten } from '../../parts/text/words.ts';
import { ResultList } from './result-list.tsx';
import type { RunDetail } from './screen.tsx';

type Posting = Schemas['Posting'];

export function SearchResults({ run }: { run: RunDetail }) {
  const results = usePages(
    'GET /jobs/scrape/{run_id}',
    { path: { run_id: run.run_id }, query: { limit: 50 } },
    {
      every: run.status === 'running' ? 3 : 0,
      listOf: (reply) => reply.data.jobs,
      cursorOf: (reply) => reply.data.next_cursor,
      keyOf: ({ job_hash, job_url }: Posting) => job_hash ?? job_url,
    },
  );
  const head = results.data?.data;
  return (
    <>
      {head && (
        <ul class="site-line">
          {head.sites.map(({ site_name, status, jobs_found, error }) => (
            <li key={site_name}>
              <b>{site_name}</b> <Status status={status} /> {count(jobs_found)} found
              {error && <span class="text-bad"> {shorten(error, 120)}</span>}
            </li>
          ))}
        </ul>
      )}
      <ResultList results={results} isRunning={run.status === 'running'}>
        {results.rows.map((posting) => (
          <PostingCard key={posting.job_hash ?? posting.job_url} posting={posting} />
        ))}
      </ResultList>
    </>
  );
}

const money = (amount: number): string => new Intl.NumberFormat('en', { maximumFractionDigits: 0 }).format(amount);

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `120,000–150,000 USD a year`. */
export function payText({ salary_min: min, salary_max: max, currency, salary_interval }: Posting): string | null {
  const amounts = [...new Set([min, max].flatMap((amount) => amount ?? []))].map(money);
  if (amounts.length === 0) return null;
  return [amounts.join('–'), currency, salary_interval && `a ${salary_interval}`].filter(Boolean).join(' ');
}

/** `81.5K–95K USD`, where there is little room: a year unless it says otherwise. */
export function payShort({ salary_min: min, salary_max: max, currency, salary_interval }: Posting): string | null {
  const amounts = [...new Set([min, max].flatMap((amount) => amount ?? []))].map((amount) => compact.format(amount));
  if (amounts.length === 0) return null;
  const per = salary_interval && salary_interval !== 'year' ? `/${salary_interval}` : '';
  return [amounts.join('–'), currency].filter(Boolean).join(' ') + per;
}

/** Null where nothing is known, or the place says it already. */
function remoteText({ location, remote_type }: Posting): string | null {
  if (!remote_type || remote_type === 'unknown') return null;
  return location?.toLowerCase().includes(remote_type) ? null : remote_type;
}

function PostingCard({ posting }: { posting: Posting }) {
  const { title, company, location, posted_date, job_url, source } = posting;
  const pay = payText(posting);
  return (
    <li class="card">
      <h2>
        <WebLink href={job_url}>{shorten(title, 200)}</WebLink>
      </h2>
      <p>{[company, location, remoteText(posting)].filter(Boolean).join(' · ') || '–'}</p>
      <p class="small quiet">
        {source}
        {pay && ` · ${pay}`}
        {posted_date && (
          <>
            {' · posted '}
            <Time at={posted_date} />
          </>
        )}
      </p>
    </li>
  );
}

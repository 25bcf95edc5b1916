// One company: its positions, how they changed, and its sessions.

import type { Schemas } from '../../../client/routes.generated.ts';
import { setQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { useAnswer } from '../../live/answers.ts';
import { useList } from '../../live/use-list.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Drawer, OPEN_PARAM } from '../../parts/drawer.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Status } from '../../parts/status.tsx';
import { openTab, Tabs } from '../../parts/tabs.tsx';
import { WebLink } from '../../parts/text/link.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, duration, plural, shorten } from '../../parts/text/words.ts';
import { attempt, toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import type { Company } from './screen.tsx';

type Session = Schemas['ListSessionsReply']['sessions'][number];
type Position = Schemas['Position'];

const TABS = [
  { id: 'positions', label: 'Positions' },
  { id: 'sessions', label: 'Sessions' },
  { id: 'settings', label: 'Settings' },
];

export function CompanyDrawer({ id, onChange }: { id: string; onChange(): void }) {
  const path = { company: id };
  const answer = useAnswer('GET /companies/{company}', { path }, { every: 5 });
  const company = answer.data as Company | null;
  const reload = () => {
    answer.reload();
    onChange();
  };
  if (!company)
    return (
      <Drawer title={id}>
        {answer.problem ? <ProblemNote problem={answer.problem} onRetry={answer.reload} /> : <Skeleton />}
      </Drawer>
    );
  const scrape = () =>
    attempt(async () => {
      const { data } = await call('POST /companies/{company}/scrape', { path, body: {} });
      toast('Scraping it now.', { href: `/ui/runs/${encodeURIComponent(data.run_id)}`, label: 'Open the run' });
      reload();
    });
  const switchOn = async () => {
    if (await attempt(() => call('PATCH /companies/{company}', { path, body: { active: !company.active } }))) reload();
  };
  const tab = openTab(TABS, 'part');
  return (
    <Drawer
      title={company.name}
      params={[OPEN_PARAM, 'part']}
      actions={
        may('submit') && (
          <>
            <button type="button" class="button" onClick={() => void scrape()}>
              <Icon name="play" /> Scrape now
            </button>
            {may('admin') && (
              <>
                <button type="button" class="button" onClick={() => void switchOn()}>
                  <Icon name={company.active ? 'pause' : 'play'} /> {company.active ? 'Switch off' : 'Switch on'}
                </button>
                <Confirm
                  label="Delete"
                  icon="cross"
                  title={`Delete ${company.name}?`}
                  done="Deleted."
                  onConfirm={async () => {
                    await call('DELETE /companies/{company}', { path });
                    setQuery({ [OPEN_PARAM]: null, part: null });
                    onChange();
                  }}
                >
                  <p>Its positions and sessions go with it. Postings that were found stay.</p>
                </Confirm>
              </>
            )}
          </>
        )
      }
    >
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      <Facts
        facts={[
          ['Website', company.website && <WebLink href={company.website}>{shorten(company.website, 60)}</WebLink>],
          ['System', company.scraping_config.scraper_type],
          ['Open positions', count(company.positions)],
          ['Health', <Status key="health" status={company.health} />],
          [
            'Last error',
            company.last_session?.error && <span class="text-bad">{shorten(company.last_session.error, 300)}</span>,
          ],
        ]}
      />
      <Tabs tabs={TABS} label="Of this company" param="part" />
      {tab === 'positions' && <Positions company={company} />}
      {tab === 'sessions' && <Sessions company={company} />}
      {tab === 'settings' && <pre class="long-text">{JSON.stringify(company.scraping_config, null, 2)}</pre>}
    </Drawer>
  );
}

function Positions({ company }: { company: Company }) {
  const positions = useList(
    'GET /positions',
    { query: { company: company.id, limit: 50 } },
    {
      every: 30,
      listOf: (reply) => reply.positions,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ id }: Position) => id,
    },
  );
  if (positions.isFirst) return <Skeleton />;
  if (positions.rows.length === 0) return <p class="quiet">No position was found yet.</p>;
  return (
    <>
      <ul class="plain-list">
        {positions.rows.map(({ id, title, job_url, active, first_seen_at, closed_at, close_reason }) => (
          <li key={id}>
            <WebLink href={job_url}>{shorten(title, 120)}</WebLink>
            <p class="small quiet">
              since <Time at={first_seen_at} />
              {!active && (
                <>
                  {' · closed '}
                  <Time at={closed_at} />
                  {close_reason && ` (${close_reason.replaceAll('_', ' ')})`}
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {positions.hasMore && (
        <button type="button" class="button" onClick={positions.readMore} disabled={positions.isReadingMore}>
          Show more
        </button>
      )}
    </>
  );
}

function Sessions({ company }: { company: Company }) {
  const { data } = useAnswer('GET /sessions', { query: { company: company.id, limit: 50 } }, { every: 10 });
  if (!data) return <Skeleton />;
  if (data.sessions.length === 0) return <p class="quiet">It was not scraped yet.</p>;
  const over = data.sessions
    .filter(({ finished_at, incremental }) => finished_at !== null && !incremental)
    .toReversed();
  return (
    <>
      {over.length > 1 && (
        <Chart
          title="Positions found by each scrape"
          times={over.map(({ finished_at }) => Date.parse(finished_at!) / 1_000)}
          series={[{ label: 'Found', tone: 'accent', values: over.map(({ jobs_found }) => jobs_found) }]}
          format={count}
          height={120}
        />
      )}
      <ul class="plain-list">
        {data.sessions.map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </ul>
    </>
  );
}

function SessionLine({ session }: { session: Session }) {
  const { status, jobs_found, new: added, updated, deactivated, errors, duration_seconds } = session;
  return (
    <li>
      <p class="line">
        <Status status={status} />
        <a href={`/ui/runs/${encodeURIComponent(session.run_id)}`}>
          <Time at={session.started_at} />
        </a>
        {plural(jobs_found, 'position')}, {count(added)} new, {count(updated)} changed, {count(deactivated)} closed
        {duration_seconds !== null && <span class="quiet">{duration(duration_seconds)}</span>}
      </p>
      {[session.closing_refused, session.waiting_reason, session.cause, ...errors].map(
        (text) =>
          text && (
            <p key={text} class="small text-warn">
              {shorten(text, 300)}
            </p>
          ),
      )}
      {session.next_try_at && (
        <p class="small quiet">
          Tries again <Time at={session.next_try_at} />
        </p>
      )}
    </li>
  );
}

// One run, whatever its kind: how far it is and why it waits, what it asked for, what came of it.
import { useEffect, useRef } from 'preact/hooks';
import type { Schemas } from '../../../client/routes.generated.ts';
import type { ScreenProps } from '../../address/screens.ts';
import { type Answer, useAnswer } from '../../live/answers.ts';
import { onUpdates, type RunUpdate } from '../../live/updates.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { KINDS, Status } from '../../parts/status.tsx';
import { openTab, type Tab, Tabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, duration, shorten } from '../../parts/text/words.ts';
import { RunProgress } from '../runs/columns.tsx';
import { isOver, updated } from '../runs/run-updates.ts';
import { Actions } from './actions.tsx';
import { RequestTab } from './request.tsx';
import { ArticleResults } from './results-articles.tsx';
import { CartResults } from './results-cart.tsx';
import { CompanyResults } from './results-companies.tsx';
import { CrawlResults, MapResults } from './results-crawl.tsx';
import { SearchResults } from './results-search.tsx';
import { Stages } from './stages.tsx';
import { TasksTab } from './tasks.tsx';
import '../runs/runs.css';
import './run.css';

export type RunDetail = Schemas['RunDetail'];

/** While it runs the socket says how far it is; this is for what it does not say. */
const RUNNING_SECONDS = 3;
const ENDED_SECONDS = 60;

export function Screen({ params }: ScreenProps) {
  const id = params.id!;
  const isRunning = useRef(true);
  const run = useAnswer(
    'GET /runs/{run_id}',
    { path: { run_id: id } },
    { every: isRunning.current ? RUNNING_SECONDS : ENDED_SECONDS },
  );
  if (run.data) isRunning.current = run.data.status === 'running';
  useRunUpdates(id, run);
  useEffect(() => {
    if (run.data) document.title = `${shorten(run.data.about ?? id, 60)} · Windrow`;
  }, [run.data?.about, id]);
  if (!run.data)
    return (
      <>
        <h1 class="for-readers">Run {id}</h1>
        {run.problem?.status === 404 ? (
          <Unknown id={id} />
        ) : run.problem ? (
          <ProblemNote problem={run.problem} onRetry={run.reload} />
        ) : (
          <Skeleton rows={10} />
        )}
      </>
    );
  return (
    <>
      {run.problem && <ProblemNote problem={run.problem} onRetry={run.reload} />}
      <Head run={run.data} onDone={run.reload} />
      <Body run={run.data} />
    </>
  );
}

function Unknown({ id }: { id: string }) {
  return (
    <Empty icon="runs" title={`There is no run ${shorten(id, 80)}`}>
      Its address may be wrong, or it is so old that it was removed. <a href="/ui/runs">See all runs</a>.
    </Empty>
  );
}

function useRunUpdates(id: string, run: Answer<RunDetail>): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(
    () =>
      onUpdates((updates: RunUpdate[]) => {
        const own = updates.find(({ job_id }) => job_id === id);
        if (!own) return;
        latest.current.patch((shown) => updated(shown, own));
        if (isOver(own)) latest.current.reload();
      }),
    [id],
  );
}

/** A search and a crawl have one name, whatever they are made of. */
const MANY: ReadonlySet<string> = new Set(['article', 'company', 'cart']);

function Head({ run, onDone }: { run: RunDetail; onDone(): void }) {
  const { kind, about, run_id, status } = run;
  return (
    <div class="page-head run-head">
      <div class="run-name">
        <p class="quiet line">
          <a href="/ui/runs">Runs</a>
          <Icon name="right" />
          <code>{run_id}</code>
        </p>
        <h1>
          <Icon name={KINDS[kind].icon} /> {shorten(about ?? run_id, 160)}
          {run.total > 1 && MANY.has(kind) && <span class="quiet"> and {count(run.total - 1)} more</span>}{' '}
          <span class="run-status">
            <Status status={status} />
          </span>
        </h1>
      </div>
      <Actions run={run} onDone={onDone} />
    </div>
  );
}

function Body({ run }: { run: RunDetail }) {
  const tabs: Tab[] = [
    { id: 'results', label: 'Results' },
    { id: 'tasks', label: 'Tasks', count: count(run.total) },
    { id: 'request', label: 'Request' },
  ];
  const tab = openTab(tabs);
  return (
    <div class="stack">
      {run.waiting && <Waiting waiting={run.waiting} />}
      <section class="panel" aria-label="Progress">
        <Facts run={run} />
        <Stages run={run} />
      </section>
      {run.quality && run.quality.findings.length > 0 && <Quality quality={run.quality} />}
      <div>
        <Tabs tabs={tabs} label="Of this run" />
        {tab === 'results' && <Results run={run} />}
        {tab === 'tasks' && <TasksTab run={run} />}
        {tab === 'request' && <RequestTab run={run} />}
      </div>
    </div>
  );
}

function Results({ run }: { run: RunDetail }) {
  if (run.kind === 'article') return <ArticleResults run={run} />;
  if (run.kind === 'posting') return <SearchResults run={run} />;
  if (run.kind === 'cart') return <CartResults run={run} />;
  if (run.kind === 'crawl') return <CrawlResults run={run} />;
  if (run.kind === 'map') return <MapResults run={run} />;
  return <CompanyResults run={run} />;
}

function Waiting({ waiting }: { waiting: Schemas['Waiting'] }) {
  return (
    <div class="note" role="status">
      <Icon name="clock" />
      <p>
        <b>It waits.</b> {waiting.message}
        {waiting.until && (
          <>
            {' '}
            It goes on <Time at={waiting.until} />.
          </>
        )}
      </p>
    </div>
  );
}

function Quality({ quality }: { quality: NonNullable<RunDetail['quality']> }) {
  return (
    <div class="note" role="status">
      <Icon name="warning" />
      <div>
        <p>
          <b>The results differ from the runs before.</b>
        </p>
        <ul>
          {quality.findings.map(({ rule, source, message }) => (
            <li key={`${source} ${rule}`}>
              {source}: {message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Facts({ run }: { run: RunDetail }) {
  const endMs = run.finished_at === null ? null : Date.parse(run.finished_at);
  return (
    <dl class="fact-line">
      <div>
        <dt>Progress</dt>
        <dd>
          <RunProgress run={run} />
        </dd>
      </div>
      <div>
        <dt>Failed</dt>
        <dd class={run.failed > 0 ? 'text-bad' : ''}>{count(run.failed)}</dd>
      </div>
      <div>
        <dt>Reused</dt>
        <dd>{count(run.cached)}</dd>
      </div>
      <div>
        <dt>Asked</dt>
        <dd>
          <Time at={run.created_at} />
        </dd>
      </div>
      <div>
        <dt>{endMs === null ? 'Left' : 'Took'}</dt>
        <dd>
          {endMs !== null
            ? duration((endMs - Date.parse(run.created_at)) / 1_000)
            : run.estimated_time === null
              ? 'not known yet'
              : `about ${duration(run.estimated_time)}`}
        </dd>
      </div>
      <div>
        <dt>Started by</dt>
        <dd>{run.trigger}</dd>
      </div>
      {run.owner !== null && (
        <div>
          <dt>Owner</dt>
          <dd>{run.owner}</dd>
        </div>
      )}
    </dl>
  );
}

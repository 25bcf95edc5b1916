// Runs of all kinds: one query bar, everything in the URL, live.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { queryParam, setQuery, withQuery } from '../../address/router.ts';
import { usePages } from '../../live/pages.ts';
import { onUpdates } from '../../live/updates.ts';
import { useSteady } from '../../live/use-steady.ts';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { may } from '../../shell/session.ts';
import { BulkActions } from './bulk.tsx';
import { RUN_COLUMNS, type Run } from './columns.tsx';
import { QueryBar } from './query-bar.tsx';
import { parseRunQuery } from './run-query.ts';
import { isOver, updated } from './run-updates.ts';
import { Views } from './views.tsx';
import './runs.css';

const keyOf = ({ run_id }: Run): string => run_id;
/** Between two readings that updates of the socket ask for. */
const SETTLE_MS = 1_000;

export function Screen() {
  const text = queryParam('q') ?? '';
  const { query, problems } = useMemo(() => parseRunQuery(text, Date.now()), [text]);
  const runs = usePages(
    'GET /runs',
    { query: { ...query, limit: 50 } },
    {
      every: 10,
      listOf: (reply) => reply.runs,
      cursorOf: (reply) => reply.next_cursor,
      keyOf,
    },
  );
  const { rows, newCount, showNew } = useSteady(runs.rows, keyOf, runs.question);
  const selected = useSignal<ReadonlySet<string>>(new Set());
  useRunUpdates(runs);

  return (
    <>
      <div class="page-head">
        <h1>Runs</h1>
        <span class="grow" />
        {may('submit') && (
          <a class="button primary" href="/ui/new">
            <Icon name="plus" /> New run
          </a>
        )}
      </div>
      <QueryBar text={text} problems={problems} onChange={(q) => setQuery({ q })} />
      <Views text={text} />
      {runs.problem && <ProblemNote problem={runs.problem} onRetry={runs.reload} />}
      {runs.isFirst ? (
        <Skeleton rows={12} label="Loading runs" />
      ) : rows.length === 0 && !runs.problem ? (
        <Nothing isFiltered={text !== ''} more={runs.hasMore ? runs : null} />
      ) : (
        <Table
          label="Runs"
          columns={RUN_COLUMNS}
          rows={rows}
          keyOf={keyOf}
          hrefOf={({ run_id }) => `/ui/runs/${encodeURIComponent(run_id)}`}
          newCount={newCount}
          onShowNew={showNew}
          more={{ hasMore: runs.hasMore, isReading: runs.isReadingMore, onMore: runs.readMore }}
          {...(may('submit')
            ? {
                selection: {
                  keys: selected.value,
                  onChange: (keys) => {
                    selected.value = keys;
                  },
                  labelOf: (run: Run) => run.about ?? run.run_id,
                },
              }
            : {})}
          toolbar={<BulkActions selected={selected} rows={rows} onDone={runs.reload} />}
        />
      )}
      {runs.moreProblem && <ProblemNote problem={runs.moreProblem} onRetry={runs.readMore} />}
    </>
  );
}

type Runs = ReturnType<typeof usePages<'GET /runs', Run>>;

/** Rows change with the socket; a run that is not known, and one that ended, are read again soon. */
function useRunUpdates(runs: Runs): void {
  const latest = useMemo(() => ({ runs }), []);
  latest.runs = runs;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onUpdates((updates) => {
      const { rows, patchRows, reload } = latest.runs;
      const byId = new Map(updates.map((update) => [update.job_id, update]));
      patchRows(
        (run) => updated(run, byId.get(run.run_id)),
        (reply, changed) => ({ ...reply, runs: changed }),
      );
      const known = new Map(rows.map((run) => [run.run_id, run]));
      const isNews = updates.some(
        (update) => !known.has(update.job_id) || (isOver(update) && known.get(update.job_id)?.status === 'running'),
      );
      if (!isNews || timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        reload();
      }, SETTLE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [latest]);
}

function Nothing({ isFiltered, more }: { isFiltered: boolean; more: Runs | null }) {
  if (more)
    return (
      <Empty icon="filter" title="None of the newest runs matches">
        <button type="button" class="button" disabled={more.isReadingMore} onClick={more.readMore}>
          {more.isReadingMore ? 'Looking…' : 'Look further back'}
        </button>
      </Empty>
    );
  if (isFiltered)
    return (
      <Empty icon="filter" title="No run matches">
        <a href={withQuery({ q: null })}>Show all runs</a>
      </Empty>
    );
  return (
    <Empty
      icon="runs"
      title="No runs yet"
      commands={[
        `curl ${location.origin}/jobs/submit -H 'content-type: application/json' \\\n  -d '{"articles":[{"url":"https://example.com/a"}]}'`,
        'npx windrow submit https://example.com/a https://example.com/b',
      ]}
    >
      A run is one request: a search of job sites, some articles, a company, a cart. Start one here, or from a terminal:
    </Empty>
  );
}

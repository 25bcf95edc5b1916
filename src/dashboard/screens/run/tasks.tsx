// What the run asked for, entry by entry: where the task of each is, its attempts, and why it failed.
import type { Reply } from '../../api/call.ts';
import { usePages } from '../../live/pages.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { SavedPages } from '../../parts/saved-pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, shorten } from '../../parts/text/words.ts';
import type { RunDetail } from './screen.tsx';

export type RunTask = Reply<'GET /runs/{run_id}/tasks'>['tasks'][number];

/** What people call an entry. */
export const entryLabel = (entry: Record<string, unknown>): string => {
  const { url, site, company, item } = entry;
  return String(url ?? site ?? company ?? item ?? JSON.stringify(entry));
};

const COLUMNS: readonly Column<RunTask>[] = [
  {
    key: 'entry',
    title: 'Entry',
    isWide: true,
    cell: ({ entry }) => <span class="cut">{shorten(entryLabel(entry), 300)}</span>,
  },
  { key: 'state', title: 'State', cell: ({ state }) => <Status status={state} /> },
  { key: 'source', title: 'Source', cell: ({ source }) => source ?? null },
  { key: 'attempts', title: 'Attempts', isNumber: true, cell: ({ attempts }) => count(attempts) },
  {
    key: 'error',
    title: 'Error',
    cell: ({ error, state, retry_at }) => (
      <>
        {error && <span class={state === 'failed' ? 'text-bad' : 'text-warn'}>{shorten(error.message, 80)}</span>}
        {retry_at && state === 'delayed' && (
          <span class="quiet">
            {' '}
            again <Time at={retry_at} />
          </span>
        )}
        {!error && <span class="quiet nothing">–</span>}
      </>
    ),
  },
  { key: 'finished', title: 'Ended', isNumber: true, cell: ({ finished_at }) => <Time at={finished_at} /> },
  { key: 'worker', title: 'Worker', isExtra: true, cell: ({ worker }) => worker ?? null },
  { key: 'lane', title: 'Lane', isExtra: true, cell: ({ lane }) => lane ?? null },
  { key: 'sent', title: 'Sent', isNumber: true, isExtra: true, cell: ({ sent_at }) => <Time at={sent_at} /> },
  { key: 'task', title: 'Task', isExtra: true, cell: ({ task_id }) => <code>{task_id ?? null}</code> },
];

export function TasksTab({ run }: { run: RunDetail }) {
  const tasks = usePages(
    'GET /runs/{run_id}/tasks',
    { path: { run_id: run.run_id }, query: { limit: 100 } },
    {
      every: run.status === 'running' ? 3 : 60,
      listOf: (reply) => reply.tasks,
      cursorOf: (reply) => reply.next_cursor,
      keyOf: ({ position }) => String(position),
    },
  );
  if (tasks.isFirst) return <Skeleton />;
  return (
    <div class="stack">
      {tasks.problem && <ProblemNote problem={tasks.problem} onRetry={tasks.reload} />}
      <Table
        label="Tasks of the run"
        columns={COLUMNS}
        rows={tasks.rows}
        keyOf={({ position }) => String(position)}
        more={{ hasMore: tasks.hasMore, isReading: tasks.isReadingMore, onMore: tasks.readMore }}
        toolbar={
          <span class="quiet">
            {count(tasks.rows.length)} of {count(run.total)} shown
          </span>
        }
      />
      {tasks.moreProblem && <ProblemNote problem={tasks.moreProblem} onRetry={tasks.readMore} />}
      {run.failed > 0 && <SavedPages of={{ run_id: run.run_id }} />}
    </div>
  );
}

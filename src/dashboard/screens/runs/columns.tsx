// The columns of the runs.
import type { Schemas } from '../../../client/routes.generated.ts';
import { Bar } from '../../parts/chart/bar.tsx';
import { Kind, Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count, duration, shorten } from '../../parts/text/words.ts';

export type Run = Schemas['Run'];

export function RunProgress({ run }: { run: Pick<Run, 'total' | 'completed' | 'failed' | 'cached'> }) {
  const { total, completed, failed } = run;
  const label = `${count(completed)} of ${count(total)} done${failed > 0 ? `, ${count(failed)} failed` : ''}`;
  return (
    <span class="progress" title={label}>
      <Bar
        label={label}
        total={total}
        parts={[
          { value: completed, tone: 'good' },
          { value: failed, tone: 'bad' },
        ]}
      />
      <span class="progress-count">
        {count(completed + failed)}/{count(total)}
      </span>
    </span>
  );
}

const tookSeconds = ({ created_at, finished_at }: Run): number | null =>
  finished_at === null ? null : (Date.parse(finished_at) - Date.parse(created_at)) / 1_000;

export const RUN_COLUMNS: readonly Column<Run>[] = [
  {
    key: 'about',
    title: 'Run',
    isWide: true,
    cell: (run) => (
      <span class="cut">
        {shorten(run.about ?? run.run_id, 200)}
        {run.total > 1 && run.kind !== 'posting' && <span class="quiet"> and {count(run.total - 1)} more</span>}
      </span>
    ),
  },
  { key: 'kind', title: 'Kind', cell: ({ kind }) => <Kind kind={kind} /> },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { key: 'progress', title: 'Progress', cell: (run) => <RunProgress run={run} /> },
  {
    key: 'failed',
    title: 'Failed',
    isNumber: true,
    isExtra: true,
    cell: ({ failed }) => <span class={failed > 0 ? 'text-bad' : 'quiet'}>{count(failed)}</span>,
  },
  { key: 'cached', title: 'Reused', isNumber: true, isExtra: true, cell: ({ cached }) => count(cached) },
  { key: 'owner', title: 'Owner', isExtra: true, cell: ({ owner }) => owner ?? <span class="quiet">–</span> },
  { key: 'trigger', title: 'Started by', isExtra: true, cell: ({ trigger }) => trigger },
  {
    key: 'took',
    title: 'Took',
    isNumber: true,
    cell: (run) => {
      const seconds = tookSeconds(run);
      return seconds === null ? <span class="quiet nothing">–</span> : duration(seconds);
    },
  },
  { key: 'created', title: 'Asked', isNumber: true, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'finished',
    title: 'Ended',
    isNumber: true,
    isExtra: true,
    cell: ({ finished_at }) => <Time at={finished_at} />,
  },
  { key: 'id', title: 'Id', isExtra: true, cell: ({ run_id }) => <code>{run_id}</code> },
];

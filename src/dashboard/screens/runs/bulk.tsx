// What can be done with the selected runs at once, after a look at what it concerns.
import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { plural } from '../../parts/text/words.ts';
import { toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import type { Run } from './columns.tsx';

interface BulkActionsProps {
  selected: Signal<ReadonlySet<string>>;
  rows: readonly Run[];
  onDone(): void;
}

export function BulkActions({ selected, rows, onDone }: BulkActionsProps) {
  const asking = useSignal<'cancel' | 'retry' | null>(null);
  const chosen = rows.filter(({ run_id }) => selected.value.has(run_id));
  if (chosen.length === 0) return <span class="quiet">{plural(rows.length, 'run')} shown</span>;
  const running = chosen.filter(({ status }) => status === 'running');
  const failed = chosen.filter((run) => run.failed > 0);
  const dialog = {
    onClose() {
      asking.value = null;
    },
    onDone() {
      selected.value = new Set();
      onDone();
    },
  };
  return (
    <>
      <span>{chosen.length} selected</span>
      {may('submit') && (
        <>
          <button
            type="button"
            class="button small danger"
            disabled={running.length === 0}
            onClick={() => {
              asking.value = 'cancel';
            }}
          >
            <Icon name="stop" /> Cancel {plural(running.length, 'running run', 'running runs')}
          </button>
          <button
            type="button"
            class="button small"
            disabled={failed.length === 0}
            onClick={() => {
              asking.value = 'retry';
            }}
          >
            <Icon name="retry" /> Retry what failed in {plural(failed.length, 'run')}
          </button>
        </>
      )}
      <button
        type="button"
        class="button small plain"
        onClick={() => {
          selected.value = new Set();
        }}
      >
        Clear
      </button>
      {asking.value === 'cancel' && <CancelDialog runs={running} {...dialog} />}
      {asking.value === 'retry' && <RetryDialog runs={failed} {...dialog} />}
    </>
  );
}

interface BulkDialogProps {
  runs: readonly Run[];
  onClose(): void;
  onDone(): void;
}

/** One after the other; what went wrong can be tried again, and goes on where it stopped. */
function useEach(runs: readonly Run[], work: (runId: string) => Promise<unknown>, onAll: () => void) {
  const done = useSignal(0);
  const isBusy = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  return {
    done,
    isBusy,
    problem,
    async start(): Promise<void> {
      isBusy.value = true;
      problem.value = null;
      try {
        for (const { run_id } of runs.slice(done.value)) {
          await work(run_id);
          done.value++;
        }
        onAll();
      } catch (error) {
        problem.value = asProblem(error);
      }
      isBusy.value = false;
    },
  };
}

function CancelDialog({ runs, onClose, onDone }: BulkDialogProps) {
  const open = runs.reduce((sum, { total, completed, failed }) => sum + total - completed - failed, 0);
  const each = useEach(runs, cancelOne, () => {
    toast(`Cancelled ${plural(runs.length, 'run')}. What was found is kept.`);
    onDone();
    onClose();
  });
  return (
    <Dialog
      title={`Cancel ${plural(runs.length, 'run')}?`}
      onClose={onClose}
      actions={
        <button type="button" class="button danger" disabled={each.isBusy.value} onClick={() => void each.start()}>
          {each.isBusy.value
            ? `${each.done.value} of ${runs.length} cancelled…`
            : `Cancel ${plural(runs.length, 'run')}`}
        </button>
      }
    >
      <p>
        {plural(open, 'entry', 'entries')} that {open === 1 ? 'has' : 'have'} not ended will not be scraped. Results
        found so far are kept.
      </p>
      {each.problem.value && <ProblemNote problem={each.problem.value} />}
    </Dialog>
  );
}

function RetryDialog({ runs, onClose, onDone }: BulkDialogProps) {
  const count = useSignal(0);
  const counting = useEach(
    runs,
    async (run_id) => {
      const found = await call('POST /dead-letters/retry', { query: {}, body: { run_id, dry_run: true } });
      if ('matching' in found) count.value += found.matching;
    },
    () => {},
  );
  const retrying = useEach(
    runs,
    (run_id) => call('POST /dead-letters/retry', { query: {}, body: { run_id } }),
    () => {
      toast(`Retrying ${plural(count.value, 'task')}.`);
      onDone();
      onClose();
    },
  );
  useEffect(() => void counting.start(), []);
  const isCounted = counting.done.value === runs.length;
  const problem = counting.problem.value ?? retrying.problem.value;
  return (
    <Dialog
      title={`Retry what failed in ${plural(runs.length, 'run')}?`}
      onClose={onClose}
      actions={
        <button
          type="button"
          class="button primary"
          disabled={!isCounted || count.value === 0 || retrying.isBusy.value}
          onClick={() => void retrying.start()}
        >
          {retrying.isBusy.value
            ? `${retrying.done.value} of ${runs.length} retried…`
            : `Retry ${plural(count.value, 'task')}`}
        </button>
      }
    >
      <p aria-live="polite">
        {!isCounted
          ? `Counting: ${counting.done.value} of ${runs.length} runs…`
          : count.value === 0
            ? 'None of their failed tasks can be tried again: they were removed or retried already.'
            : `${plural(count.value, 'failed task')} will be tried again. What failed in a run becomes a run of its own.`}
      </p>
      {problem && <ProblemNote problem={problem} />}
    </Dialog>
  );
}

/** A run that ended meanwhile needs no cancelling. */
async function cancelOne(run_id: string): Promise<void> {
  try {
    await call('DELETE /runs/{run_id}', { path: { run_id } });
  } catch (error) {
    if (asProblem(error).code !== 'not_cancellable') throw error;
  }
}

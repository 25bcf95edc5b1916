// What can be done with the selected runs at once, after a look at what it concerns.
import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { plural } from '../../parts/text/words.ts';
import { toast } from '../../parts/toasts.tsx';
import type { Run } from './columns.tsx';

interface BulkActionsProps {
  selected: Signal<ReadonlySet<string>>;
  rows: readonly Run[];
  onDone(): void;
}

export function BulkActions({ selected, rows, onDone }: BulkActionsProps) {
  const isAsking = useSignal(false);
  const chosen = rows.filter(({ run_id }) => selected.value.has(run_id));
  if (chosen.length === 0) return <span class="quiet">{plural(rows.length, 'run')} shown</span>;
  const running = chosen.filter(({ status }) => status === 'running');
  return (
    <>
      <span>{chosen.length} selected</span>
      <button
        type="button"
        class="button small danger"
        disabled={running.length === 0}
        onClick={() => {
          isAsking.value = true;
        }}
      >
        <Icon name="stop" /> Cancel {plural(running.length, 'running run', 'running runs')}
      </button>
      <button
        type="button"
        class="button small plain"
        onClick={() => {
          selected.value = new Set();
        }}
      >
        Clear
      </button>
      {isAsking.value && (
        <CancelDialog
          runs={running}
          onClose={() => {
            isAsking.value = false;
          }}
          onDone={() => {
            selected.value = new Set();
            onDone();
          }}
        />
      )}
    </>
  );
}

function CancelDialog({ runs, onClose, onDone }: { runs: readonly Run[]; onClose(): void; onDone(): void }) {
  const done = useSignal(0);
  const isBusy = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const open = runs.reduce((sum, { total, completed, failed }) => sum + total - completed - failed, 0);
  async function cancel(): Promise<void> {
    isBusy.value = true;
    problem.value = null;
    try {
      for (const { run_id } of runs.slice(done.value)) {
        await cancelOne(run_id);
        done.value++;
      }
      toast(`Cancelled ${plural(runs.length, 'run')}. What was found is kept.`);
      onDone();
      onClose();
    } catch (error) {
      problem.value = asProblem(error);
      isBusy.value = false;
    }
  }
  return (
    <Dialog
      title={`Cancel ${plural(runs.length, 'run')}?`}
      onClose={onClose}
      actions={
        <button type="button" class="button danger" disabled={isBusy.value} onClick={() => void cancel()}>
          {isBusy.value ? `${done.value} of ${runs.length} cancelled…` : `Cancel ${plural(runs.length, 'run')}`}
        </button>
      }
    >
      <p>
        {plural(open, 'entry', 'entries')} that {open === 1 ? 'has' : 'have'} not ended will not be scraped. Results
        found so far are kept.
      </p>
      {problem.value && <ProblemNote problem={problem.value} />}
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

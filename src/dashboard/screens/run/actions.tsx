// What can be done with a run. A retry is looked at before it is made: what it would concern.
import { useSignal } from '@preact/signals';
import { go } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { plural } from '../../parts/text/words.ts';
import { attempt, toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import type { RunDetail } from './screen.tsx';

const EXPORTS = [
  ['text/csv', 'csv', 'CSV'],
  ['application/x-ndjson', 'ndjson', 'NDJSON'],
  ['application/json', 'json', 'JSON'],
] as const;

export function Actions({ run, onDone }: { run: RunDetail; onDone(): void }) {
  const asking = useSignal<'cancel' | { retry: number } | null>(null);
  const close = () => {
    asking.value = null;
  };
  const path = { run_id: run.run_id };
  const askRetry = () =>
    attempt(async () => {
      const found = await call('POST /dead-letters/retry', {
        query: {},
        body: { run_id: run.run_id, dry_run: true },
      });
      asking.value = { retry: 'matching' in found ? found.matching : 0 };
    });
  const retry = () =>
    attempt(async () => {
      const made = await call('POST /dead-letters/retry', { query: {}, body: { run_id: run.run_id } });
      close();
      onDone();
      if (!('job_id' in made)) return;
      toast(`Retrying ${plural(made.retried, 'task')}.`);
      go(`/ui/runs/${encodeURIComponent(made.job_id)}`);
    });
  const cancel = () =>
    attempt(async () => {
      await call('DELETE /runs/{run_id}', { path });
      close();
      onDone();
    }, 'Cancelled. What was found is kept.');
  return (
    <div class="line">
      {run.path && <ExportMenu run={run} />}
      {may('submit') && (
        <>
          <a class="button" href={`/ui/new?from=${encodeURIComponent(run.run_id)}`}>
            <Icon name="copy" /> Edit and run again
          </a>
          {run.failed > 0 && (
            <button type="button" class="button" onClick={() => void askRetry()}>
              <Icon name="retry" /> Retry failed
            </button>
          )}
          {run.status === 'running' && (
            <button
              type="button"
              class="button danger"
              onClick={() => {
                asking.value = 'cancel';
              }}
            >
              <Icon name="stop" /> Cancel
            </button>
          )}
        </>
      )}
      {asking.value === 'cancel' && (
        <Dialog
          title="Cancel this run?"
          onClose={close}
          actions={
            <button type="button" class="button danger" onClick={() => void cancel()}>
              Cancel the run
            </button>
          }
        >
          <p>
            {plural(run.total - run.completed - run.failed, 'entry', 'entries')} will not be scraped. Results found so
            far are kept.
          </p>
        </Dialog>
      )}
      {asking.value !== null && asking.value !== 'cancel' && (
        <Dialog
          title="Retry what failed?"
          onClose={close}
          actions={
            <button
              type="button"
              class="button primary"
              disabled={asking.value.retry === 0}
              onClick={() => void retry()}
            >
              Retry {plural(asking.value.retry, 'task')}
            </button>
          }
        >
          <p>
            {asking.value.retry === 0
              ? 'None of its failed tasks can be tried again: they were removed or retried already.'
              : `${plural(asking.value.retry, 'failed task')} of this run will be tried again, as a run of its own.`}
          </p>
        </Dialog>
      )}
    </div>
  );
}

/** Fetched by the page, because only a request can say in which form it wants the results. */
function ExportMenu({ run }: { run: RunDetail }) {
  const download = (accept: string, ending: string) =>
    attempt(async () => {
      const reply = await fetch(run.path!, { headers: { accept }, credentials: 'same-origin' });
      if (!reply.ok) throw new Error(`The server answered with ${reply.status}.`);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await reply.blob());
      link.download = `${run.run_id}.${ending}`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  const forms = run.kind === 'article' || run.kind === 'posting' ? EXPORTS : EXPORTS.slice(2);
  return (
    <Menu label="Export" icon="download">
      {forms.map(([accept, ending, label]) => (
        <button key={ending} type="button" class="menu-line" onClick={() => void download(accept, ending)}>
          {label}
        </button>
      ))}
    </Menu>
  );
}

// One dead letter: every attempt with its error, the page that it saw, and a retry with the same input or another.
import { useSignal } from '@preact/signals';
import type { Schemas } from '../../../client/routes.generated.ts';
import { setQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useAnswer } from '../../live/answers.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Drawer, OPEN_PARAM } from '../../parts/drawer.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { SavedPages } from '../../parts/saved-pages.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Time } from '../../parts/text/time.tsx';
import { plural, shorten } from '../../parts/text/words.ts';
import { toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import { aboutLetter } from './screen.tsx';

type Letter = Schemas['GetDeadLetterReply'];

export function DeadLetterDrawer({ id, onChange }: { id: string; onChange(): void }) {
  const path = { task_id: id };
  const answer = useAnswer('GET /dead-letters/{task_id}', { path }, { every: 0 });
  const isEditing = useSignal(false);
  const letter = answer.data;
  if (!letter)
    return (
      <Drawer title="Dead letter">{answer.problem ? <ProblemNote problem={answer.problem} /> : <Skeleton />}</Drawer>
    );
  const done = (runId: string) => {
    toast('Trying it again.', { href: `/ui/runs/${encodeURIComponent(runId)}`, label: 'Open the run' });
    setQuery({ [OPEN_PARAM]: null });
    onChange();
  };
  return (
    <Drawer
      title={shorten(aboutLetter(letter), 160)}
      actions={
        may('submit') && (
          <>
            <Confirm
              label="Retry"
              icon="retry"
              title="Retry this task?"
              isDanger={false}
              onConfirm={async () => {
                const reply = await call('POST /dead-letters/{task_id}/retry', { path, query: {}, body: {} });
                if ('job_id' in reply) done(reply.job_id);
              }}
            >
              <p>It is tried again with the same input, as a run of its own.</p>
            </Confirm>
            <button
              type="button"
              class="button"
              onClick={() => {
                isEditing.value = true;
              }}
            >
              <Icon name="settings" /> Edit and retry
            </button>
            <Confirm
              label="Delete"
              icon="cross"
              title="Delete this dead letter?"
              done="Deleted."
              onConfirm={async () => {
                await call('DELETE /dead-letters/{task_id}', { path });
                setQuery({ [OPEN_PARAM]: null });
                onChange();
              }}
            >
              <p>It cannot be tried again then. The run that failed with it stays as it is.</p>
            </Confirm>
          </>
        )
      }
    >
      <Facts
        facts={[
          [
            'Source',
            <a key="source" href={`/ui/sources?open=${encodeURIComponent(letter.source)}`}>
              {letter.source}
            </a>,
          ],
          ['Cause', letter.error && <span class="text-bad">{letter.error.message}</span>],
          ['Code', letter.error?.code],
          ['Given up', <Time key="died" at={letter.died_at} />],
          [
            'Run',
            <a key="run" href={`/ui/runs/${encodeURIComponent(letter.run_id)}`}>
              {letter.run_id}
            </a>,
          ],
          ['Task', <code key="task">{letter.task_id}</code>],
        ]}
      />
      <section>
        <h3>{plural(letter.tried.length, 'attempt')}</h3>
        <ol class="plain-list">
          {letter.tried.map(({ attempt, worker, ended_at, requests, error }) => (
            <li key={attempt}>
              <b>Attempt {attempt}</b>{' '}
              <span class="quiet">
                <Time at={ended_at} /> · {plural(requests, 'request')}
                {worker && ` · ${worker}`}
              </span>
              <p class="text-bad">{shorten(error.message, 400)}</p>
            </li>
          ))}
        </ol>
      </section>
      <SavedPages of={{ task_id: letter.task_id }} />
      <section>
        <h3>Its input</h3>
        <pre class="long-text">{JSON.stringify(letter.params, null, 2)}</pre>
        {letter.edited_from && (
          <details>
            <summary>Before it was edited</summary>
            <pre class="long-text">{JSON.stringify(letter.edited_from, null, 2)}</pre>
          </details>
        )}
      </section>
      {isEditing.value && (
        <EditDialog
          letter={letter}
          onDone={done}
          onClose={() => {
            isEditing.value = false;
          }}
        />
      )}
    </Drawer>
  );
}

interface EditDialogProps {
  letter: Letter;
  onDone(runId: string): void;
  onClose(): void;
}

function EditDialog({ letter, onDone, onClose }: EditDialogProps) {
  const text = useSignal(JSON.stringify(letter.params, null, 2));
  const problem = useSignal<Problem | null>(null);
  async function retry(): Promise<void> {
    problem.value = null;
    try {
      const edited = JSON.parse(text.value) as Record<string, unknown>;
      // A field that was taken out is said to be: null removes it.
      const gone = Object.keys(letter.params).filter((name) => !(name in edited));
      const params = { ...edited, ...Object.fromEntries(gone.map((name) => [name, null])) };
      const reply = await call('POST /dead-letters/{task_id}/retry', {
        path: { task_id: letter.task_id },
        query: {},
        body: { params },
      });
      if ('job_id' in reply) onDone(reply.job_id);
    } catch (error) {
      problem.value = asProblem(error);
    }
  }
  return (
    <Dialog
      title="Edit the input and retry"
      className="wide"
      onClose={onClose}
      actions={
        <button type="button" class="button primary" onClick={() => void retry()}>
          Retry
        </button>
      }
    >
      <div class="stack">
        {problem.value && <ProblemNote problem={problem.value} />}
        <Field label="Input, as JSON" id="letter-params" hint="Hidden values stay as they are for the same host.">
          <textarea
            id="letter-params"
            class="code"
            rows={12}
            spellcheck={false}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </Field>
      </div>
    </Dialog>
  );
}

// One schedule: when it fires, what came of the last times and why one was skipped.
import { useSignal } from '@preact/signals';
import { setQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { useAnswer } from '../../live/answers.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Drawer, OPEN_PARAM } from '../../parts/drawer.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/text/time.tsx';
import { attempt, toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import { ScheduleDialog } from './dialog.tsx';
import { aboutSchedule } from './screen.tsx';
import { timingWords } from './when.ts';

export function ScheduleDrawer({ id, onChange }: { id: string; onChange(): void }) {
  const answer = useAnswer('GET /schedules/{schedule_id}', { path: { schedule_id: id } }, { every: 5 });
  const isEditing = useSignal(false);
  const schedule = answer.data;
  const reload = () => {
    answer.reload();
    onChange();
  };
  if (!schedule)
    return (
      <Drawer title={id}>
        {answer.problem ? <ProblemNote problem={answer.problem} onRetry={answer.reload} /> : <Skeleton />}
      </Drawer>
    );
  const path = { schedule_id: id };
  const switchOn = async () => {
    const body = { enabled: !schedule.enabled };
    if (await attempt(() => call('PATCH /schedules/{schedule_id}', { path, body }))) reload();
  };
  const runNow = () =>
    attempt(async () => {
      const { data } = await call('POST /schedules/{schedule_id}/run', { path });
      if (data.run_id)
        toast('Started.', { href: `/ui/runs/${encodeURIComponent(data.run_id)}`, label: 'Open the run' });
      else toast(data.message ?? 'Done.');
      reload();
    });
  return (
    <Drawer
      title={aboutSchedule(schedule)}
      actions={
        may('submit') && (
          <>
            <button type="button" class="button" onClick={() => void runNow()}>
              <Icon name="play" /> Run now
            </button>
            <button type="button" class="button" onClick={() => void switchOn()}>
              <Icon name={schedule.enabled ? 'pause' : 'play'} /> {schedule.enabled ? 'Switch off' : 'Switch on'}
            </button>
            <button
              type="button"
              class="button"
              onClick={() => {
                isEditing.value = true;
              }}
            >
              <Icon name="settings" /> Edit
            </button>
            <Confirm
              label="Delete"
              icon="cross"
              title="Delete this schedule?"
              done="Deleted. Its runs stay."
              onConfirm={async () => {
                await call('DELETE /schedules/{schedule_id}', { path });
                setQuery({ [OPEN_PARAM]: null });
                onChange();
              }}
            >
              <p>It does not fire any more. Runs that it started stay, and go on.</p>
            </Confirm>
          </>
        )
      }
    >
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      <Facts
        facts={[
          ['When', timingWords(schedule)],
          ['Next', schedule.enabled ? <Time at={schedule.next_run_at} /> : 'switched off'],
          ['Last', schedule.last_run_at && <Time at={schedule.last_run_at} />],
          [
            'Waits for',
            schedule.waiting_for && <a href={`/ui/runs/${schedule.waiting_for}`}>{schedule.waiting_for}</a>,
          ],
          [
            'If the last run goes on',
            schedule.overlap === 'skip' ? 'the time is skipped' : 'it starts when that has ended',
          ],
          ['If times were missed', schedule.catch_up === 'once' ? 'it fires once' : 'they are left out'],
          ['Id', <code key="id">{schedule.id}</code>],
        ]}
      />
      <section>
        <h3>The last times</h3>
        {schedule.fires.length === 0 && <p class="quiet">It has not fired yet.</p>}
        <ul class="plain-list">
          {schedule.fires.map(({ instant, state, reason, run_id }) => (
            <li key={instant} class="line">
              <Time at={instant} />
              <Status status={state === 'skipped' ? 'cancelled' : state} label={state} />
              {run_id && <a href={`/ui/runs/${encodeURIComponent(run_id)}`}>its run</a>}
              {reason && <span class="quiet">{reason}</span>}
            </li>
          ))}
        </ul>
      </section>
      {Object.keys(schedule.payload).length > 0 && (
        <section>
          <h3>What it asks for</h3>
          <pre class="long-text">{JSON.stringify(schedule.payload, null, 2)}</pre>
        </section>
      )}
      {isEditing.value && (
        <ScheduleDialog
          schedule={schedule}
          onSaved={reload}
          onClose={() => {
            isEditing.value = false;
          }}
        />
      )}
    </Drawer>
  );
}

// One worker: what it has in hand, and draining it.

import type { Schemas } from '../../../client/routes.generated.ts';
import { call } from '../../api/call.ts';
import { useAnswer } from '../../live/answers.ts';
import { AskReason } from '../../parts/ask-reason.tsx';
import { Drawer } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/text/time.tsx';
import { bytes, count, plural, shorten } from '../../parts/text/words.ts';
import { attempt, toast } from '../../parts/toasts.tsx';
import { may } from '../../shell/session.ts';
import { aboutLetter } from '../dead-letters/screen.tsx';

export type Worker = Schemas['Worker'];

export function WorkerStatus({ worker: { draining, drain, busy } }: { worker: Worker }) {
  if (drain) return <Status status="paused" label={busy > 0 ? 'draining' : 'drained'} />;
  if (draining) return <Status status="paused" label="stopping" />;
  return <Status status={busy > 0 ? 'running' : 'idle'} label={busy > 0 ? 'at work' : 'idle'} />;
}

/** `worker`: null while it is not known, or is gone. */
export function WorkerDrawer({ name, worker, onChange }: { name: string; worker: Worker | null; onChange(): void }) {
  const answer = useAnswer('GET /workers/{worker}/tasks', { path: { worker: name } }, { every: 3 });
  const tasks = answer.data?.tasks ?? [];
  return (
    <Drawer
      title={
        <>
          {name} {worker && <WorkerStatus worker={worker} />}
        </>
      }
      actions={worker && may('admin') && <Actions worker={worker} onDone={onChange} />}
    >
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      {answer.isFirst && <Skeleton />}
      {worker && <About worker={worker} />}
      {answer.data && tasks.length === 0 && (
        <Empty icon="worker" title="It has nothing in hand">
          {worker?.drain
            ? 'It is drained: its process can be stopped now, and nothing is lost.'
            : 'To stop it without giving tasks back, drain it first and wait until it has nothing in hand.'}
        </Empty>
      )}
      {tasks.length > 0 && <h3>{plural(tasks.length, 'task')} in hand</h3>}
      <ul class="plain-list">
        {tasks.map((task) => (
          <li key={task.task_id}>
            <a href={`/ui/runs/${encodeURIComponent(task.run_id)}`}>{shorten(aboutLetter(task), 120)}</a>
            <p class="small quiet">
              {task.source} · attempt {task.attempt} · sent <Time at={task.sent_at} />
            </p>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}

function About({ worker }: { worker: Worker }) {
  const { drain, lanes, busy, slots, rss_bytes, host, pid, version, started_at } = worker;
  return (
    <Facts
      facts={[
        [
          'Drained',
          drain && (
            <>
              <Time at={drain.since} />
              {drain.by && ` by ${drain.by}`}
              {drain.reason && `: ${drain.reason}`}
            </>
          ),
        ],
        ['Slots', `${count(busy)} of ${count(slots)} in use`],
        ['Lanes', lanes.join(', ')],
        ['Memory', bytes(rss_bytes)],
        ['Host', `${host}, pid ${pid}`],
        ['Version', version],
        ['Started', <Time key="started" at={started_at} />],
      ]}
    />
  );
}

function Actions({ worker: { worker, drain, busy }, onDone }: { worker: Worker; onDone(): void }) {
  const path = { worker };
  const resume = async () => {
    if (await attempt(() => call('POST /workers/{worker}/resume', { path }), 'It takes tasks again.')) onDone();
  };
  const begin = async (body: { reason?: string }) => {
    const done = await attempt(() => call('POST /workers/{worker}/drain', { path, body }));
    if (done) {
      const rest = busy > 0 ? `It ends ${plural(busy, 'task')} and takes no more.` : 'It takes no more tasks.';
      toast(rest, { label: 'Undo', onClick: () => void resume() });
      onDone();
    }
    return done;
  };
  if (drain)
    return (
      <button type="button" class="button primary" onClick={() => void resume()}>
        <Icon name="play" /> Resume
      </button>
    );
  return (
    <AskReason
      label="Drain"
      icon="pause"
      title={`Drain ${worker}?`}
      hint="Shown beside the worker, in the API and in windrow workers."
      onReason={begin}
    >
      It ends what it has in hand and takes no more tasks, until somebody resumes it. Other workers take what waits;
      nothing is lost.
    </AskReason>
  );
}

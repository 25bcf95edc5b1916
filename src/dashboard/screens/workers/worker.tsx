// What one worker has in hand.
import { useAnswer } from '../../live/answers.ts';
import { Drawer } from '../../parts/drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Time } from '../../parts/text/time.tsx';
import { plural, shorten } from '../../parts/text/words.ts';
import { aboutLetter } from '../dead-letters/screen.tsx';

export function WorkerDrawer({ worker }: { worker: string }) {
  const answer = useAnswer('GET /workers/{worker}/tasks', { path: { worker } }, { every: 3 });
  const tasks = answer.data?.tasks ?? [];
  return (
    <Drawer title={worker}>
      {answer.problem && <ProblemNote problem={answer.problem} onRetry={answer.reload} />}
      {answer.isFirst && <Skeleton />}
      {answer.data && tasks.length === 0 && (
        <Empty icon="worker" title="It has nothing in hand">
          To stop a worker, send it SIGTERM: it finishes what is short, gives back the rest, and takes nothing new.
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

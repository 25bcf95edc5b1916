// Runs that go on now, and those that failed last.
import type { Reply } from '../../api/call.ts';
import { type Answer, useAnswer } from '../../live/answers.ts';
import { Kind, Status } from '../../parts/status.tsx';
import { Time } from '../../parts/text/time.tsx';
import { shorten } from '../../parts/text/words.ts';
import { RunProgress } from '../runs/columns.tsx';
import '../runs/runs.css';

const SHOWN = 6;

export function Latest() {
  const running = useAnswer('GET /runs', { query: { status: 'running', limit: SHOWN } }, { every: 5 });
  const failed = useAnswer('GET /runs', { query: { status: 'failed', limit: SHOWN } }, { every: 30 });
  return (
    <div class="columns-2">
      <List title="Running" status="running" answer={running} none="Nothing is running." />
      <List title="Failed last" status="failed" answer={failed} none="No run failed." />
    </div>
  );
}

interface ListProps {
  title: string;
  status: string;
  answer: Answer<Reply<'GET /runs'>>;
  none: string;
}

function List({ title, status, answer, none }: ListProps) {
  const runs = answer.data?.runs ?? [];
  return (
    <section class="panel latest">
      <h2>
        <a href={`/ui/runs?q=status%3A${status}`}>{title}</a>
      </h2>
      {answer.data && runs.length === 0 && <p class="quiet">{none}</p>}
      <ul>
        {runs.map((run) => (
          <li key={run.run_id}>
            <a class="cut" href={`/ui/runs/${encodeURIComponent(run.run_id)}`}>
              {shorten(run.about ?? run.run_id, 120)}
            </a>
            <Kind kind={run.kind} />
            {run.status === 'running' ? <RunProgress run={run} /> : <Status status={run.status} />}
            <Time at={run.created_at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

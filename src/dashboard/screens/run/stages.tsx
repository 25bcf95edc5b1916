// The way of the tasks: queued, dispatched, fetching, recorded, with how many are where. Of a large run the first thousand tasks are looked at.
import { useAnswer } from '../../live/answers.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Time } from '../../parts/text/time.tsx';
import { count } from '../../parts/text/words.ts';
import type { RunDetail } from './screen.tsx';
import type { RunTask } from './tasks.tsx';

const LOOKED_AT = 1_000;

interface Stage {
  label: string;
  icon: IconName;
  states: readonly RunTask['state'][];
  meaning: string;
}

const STAGES: readonly Stage[] = [
  { label: 'Queued', icon: 'clock', states: ['ready', 'delayed', 'held'], meaning: 'stored, and waiting for a turn' },
  { label: 'Dispatched', icon: 'right', states: ['sent'], meaning: 'on the way to a worker' },
  { label: 'Fetching', icon: 'live', states: ['started'], meaning: 'a worker is at it' },
  {
    label: 'Recorded',
    icon: 'check',
    states: ['stored', 'done', 'failed', 'cancelled'],
    meaning: 'the result is stored',
  },
];

export function Stages({ run }: { run: RunDetail }) {
  const isRunning = run.status === 'running';
  const tasks = useAnswer(
    'GET /runs/{run_id}/tasks',
    { path: { run_id: run.run_id }, query: { limit: LOOKED_AT } },
    { every: isRunning ? 3 : 0, isOn: isRunning },
  );
  const known = tasks.data?.tasks ?? [];
  const numberIn = ({ states, label }: Stage): number => {
    const found = known.filter(({ state }) => states.includes(state)).length;
    return label === 'Recorded' ? run.completed + run.failed : isRunning ? found : 0;
  };
  const firstSent = earliest(known.map(({ sent_at }) => sent_at));
  const times: Record<string, string | null> = {
    Queued: run.created_at,
    Dispatched: firstSent,
    Recorded: run.finished_at ?? latest(known.map(({ finished_at }) => finished_at)),
  };
  return (
    <ol class="stages">
      {STAGES.map((stage) => {
        const number = numberIn(stage);
        return (
          <li key={stage.label} class={number > 0 ? 'here' : ''}>
            <span class="line">
              <Icon name={stage.icon} />
              <b>{stage.label}</b>
              <span class="count">{count(number)}</span>
            </span>
            <span class="quiet small">{times[stage.label] ? <Time at={times[stage.label]} /> : stage.meaning}</span>
          </li>
        );
      })}
    </ol>
  );
}

const given = (times: readonly (string | null)[]): string[] => times.filter((time) => time !== null).sort();
const earliest = (times: readonly (string | null)[]): string | null => given(times)[0] ?? null;
const latest = (times: readonly (string | null)[]): string | null => given(times).at(-1) ?? null;

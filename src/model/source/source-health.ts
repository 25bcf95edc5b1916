// When a source counts as degraded, from how its tasks ended lately. Between the two shares it stays what it was, so that one on the edge is not
// reported every minute; and a handful of tasks says nothing.

export type SourceState = 'ok' | 'degraded';

const TASKS_MIN = 10;
const DEGRADED_ABOVE = 0.3;
const OK_UP_TO = 0.1;

export function sourceState(before: SourceState, { done, failed }: { done: number; failed: number }): SourceState {
  const total = done + failed;
  if (total < TASKS_MIN) return before;
  const share = failed / total;
  if (share > DEGRADED_ABOVE) return 'degraded';
  return share <= OK_UP_TO ? 'ok' : before;
}

// Progress as text: how much is done, how fast, and how long the rest takes at that pace.
const WIDTH = 24;
/** Before that a pace would be a guess. */
const KNOWN_AFTER_SECONDS = 2;

/** `[██████      ]`, full only at the end. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((Math.min(done, total) / total) * WIDTH);
  return `[${'█'.repeat(filled)}${' '.repeat(WIDTH - filled)}]`;
}

/** `[██████      ] 12/48 done · 1 failed` */
export function progressBar(state: { completed: number; failed: number; total: number }): string {
  const ended = state.completed + state.failed;
  const failed = state.failed > 0 ? ` · ${state.failed} failed` : '';
  return `${bar(ended, state.total)} ${ended}/${state.total} done${failed}`;
}

/** `4.2/s, about 3 min left`, or nothing while it is not known. `done`: within `seconds`. */
export function paceText({ done, left, seconds }: { done: number; left: number; seconds: number }): string {
  if (seconds < KNOWN_AFTER_SECONDS || done <= 0) return '';
  const perSecond = done / seconds;
  const rate = perSecond >= 1 ? `${figures(perSecond)}/s` : `${figures(perSecond * 60)}/min`;
  return left > 0 ? `${rate}, about ${durationText(left / perSecond)} left` : rate;
}

const figures = (value: number): string => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

/** `8 s`, `3 min`, `2 h 5 min` */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// A moment: relative, with the exact time on hover and for screen readers' users who ask. Follows the clock of the page.
import { now } from '../../live/clock.ts';
import { exactTime, relative } from './words.ts';

export function Time({ at, none = '–' }: { at: string | number | null | undefined; none?: string }) {
  if (at === null || at === undefined) return <span class={none === '–' ? 'quiet nothing' : 'quiet'}>{none}</span>;
  const ms = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)}>
      {relative(ms, now.value)}
    </time>
  );
}

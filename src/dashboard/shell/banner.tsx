// While the connection is lost: since when, how old what is shown is, and when the next try is made. Not for the first second: a restart of the server is
// shorter than that.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { oldestAt } from '../live/answers.ts';
import { now } from '../live/clock.ts';
import { isPaused, liveState, nextTryAt, retryNow } from '../live/updates.ts';
import { Icon } from '../parts/icon.tsx';
import { relative } from '../parts/text/words.ts';

const SOON_MS = 1_000;

export function Banner() {
  const isShown = useSignal(false);
  const isLost = liveState.value === 'lost' && !isPaused.value;
  useEffect(() => {
    if (!isLost) {
      isShown.value = false;
      return;
    }
    const timer = setTimeout(() => {
      isShown.value = true;
    }, SOON_MS);
    return () => clearTimeout(timer);
  }, [isLost, isShown]);
  if (!isShown.value) return null;
  const seconds = Math.max(0, Math.ceil((nextTryAt.value - now.value) / 1_000));
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <p>
        The connection to the server is lost.{' '}
        {oldestAt.value === null
          ? 'Nothing was read yet.'
          : `What you see was read ${relative(oldestAt.value, now.value)}.`}
      </p>
      <span class="quiet">{seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again…'}</span>
      <button type="button" class="button" onClick={retryNow}>
        Try now
      </button>
    </div>
  );
}

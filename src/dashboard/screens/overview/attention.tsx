// What needs a person, the worst first, each with the place to do something about it.
import { findScreen } from '../../address/screens.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Overview } from './screen.tsx';

type Attention = Overview['attention'][number];

function placeOf({ kind, source }: Attention): string {
  if (kind === 'dead_letters') return '/ui/dead-letters';
  if (source !== null) return `/ui/sources?open=${encodeURIComponent(source)}`;
  return kind === 'backlog' ? '/ui/runs?q=status%3Arunning' : '/ui/workers';
}

export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  if (attention.length === 0)
    return (
      <p class="all-well" role="status">
        <Icon name="check" /> Nothing needs attention.
      </p>
    );
  return (
    <section class="attention" aria-label="Needs attention">
      <h2>
        Needs attention <span class="count">{attention.length}</span>
      </h2>
      <ul>
        {attention.map((one) => (
          <li key={`${one.kind} ${one.source}`} class={one.severity}>
            <Icon name={one.severity === 'bad' ? 'cross' : 'warning'} />
            <span class="for-readers">{one.severity === 'bad' ? 'Broken: ' : 'Look at: '}</span>
            <p>{one.message}</p>
            {findScreen(placeOf(one).split('?')[0]!) && (
              <a class="button small" href={placeOf(one)}>
                Show<span class="for-readers"> {one.source ?? one.kind.replaceAll('_', ' ')}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

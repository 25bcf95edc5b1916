// Views that are asked for often, as links: a view is nothing but its address, so any other one is kept as a bookmark.
import { withQuery } from '../../address/router.ts';
import { filterValue, withFilter } from './run-query.ts';

const VIEWS: readonly [label: string, status: string | null][] = [
  ['All', null],
  ['Running', 'running'],
  ['Failed', 'failed'],
  ['Partial', 'partial'],
  ['Completed', 'completed'],
  ['Cancelled', 'cancelled'],
];

export function Views({ text }: { text: string }) {
  const status = filterValue(text, 'status');
  return (
    <nav class="tabs" aria-label="Status">
      {VIEWS.map(([label, value]) => (
        <a
          key={label}
          href={withQuery({ q: withFilter(text, 'status', value) })}
          aria-current={value === status ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

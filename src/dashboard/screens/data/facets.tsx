// How many items there are of each value, as links that filter by it. Counted once for a search, not while it is watched.
import { withQuery } from '../../address/router.ts';
import { useAnswer } from '../../live/answers.ts';
import { OPEN_PARAM } from '../../parts/drawer.tsx';
import { Icon } from '../../parts/icon.tsx';
import { shortCount } from '../../parts/text/words.ts';
import type { DataKind, FacetReply } from './kind.ts';

const SHOWN = 8;
const OPEN_FIRST = 4;
const labelOf = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export function Facets({ kind, query }: { kind: DataKind<unknown>; query: Record<string, string> }) {
  const asked = { query: { ...query, facets: kind.facetNames.join(','), limit: SHOWN } } as never;
  const { data } = useAnswer(kind.facets, asked, { every: 60 });
  const reply = data as FacetReply | null;
  // On a phone the list comes first: facets are opened by whoever wants them.
  const hasRoom = matchMedia('(min-width: 761px)').matches;
  return (
    <aside class="facets" aria-label="Filters by value">
      <p class="facet-total" role="status">
        {reply ? `${reply.exact ? '' : 'about '}${shortCount(reply.total)} found` : ' '}
      </p>
      {kind.facetNames.map((name) => {
        const values = reply?.facets[name] ?? [];
        const chosen = query[name];
        if (values.length === 0 && !chosen) return null;
        return (
          <details key={name} open={chosen !== undefined || (hasRoom && kind.facetNames.indexOf(name) < OPEN_FIRST)}>
            <summary>{labelOf(name)}</summary>
            <ul>
              {chosen && (
                <li>
                  <a href={withQuery({ [name]: null, [OPEN_PARAM]: null })} class="chosen">
                    <span class="cut">{chosen}</span>
                    <Icon name="cross" />
                    <span class="for-readers"> remove this filter</span>
                  </a>
                </li>
              )}
              {values
                .filter(({ value }) => value !== chosen)
                .map(({ value, count }) => (
                  <li key={value}>
                    <a href={withQuery({ [name]: value, [OPEN_PARAM]: null })}>
                      <span class="cut" title={value}>
                        {value.replaceAll('_', ' ')}
                      </span>
                      <span class="quiet">{shortCount(count)}</span>
                    </a>
                  </li>
                ))}
            </ul>
          </details>
        );
      })}
    </aside>
  );
}

// Tabs that are links: which one is open is in the URL.
import { queryParam, withQuery } from '../address/router.ts';

export interface Tab {
  id: string;
  label: string;
  count?: string | number | null;
}

/** The open tab; the first where the URL says nothing. */
export function openTab(tabs: readonly Tab[], param = 'tab'): string {
  const asked = queryParam(param);
  return tabs.find(({ id }) => id === asked)?.id ?? tabs[0]!.id;
}

export function Tabs({ tabs, label, param = 'tab' }: { tabs: readonly Tab[]; label: string; param?: string }) {
  const open = openTab(tabs, param);
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, label, count }, at) => (
        <a key={id} href={withQuery({ [param]: at === 0 ? null : id })} aria-current={id === open ? 'page' : undefined}>
          {label}
          {count !== undefined && count !== null && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}

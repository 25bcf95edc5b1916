// What is open of a list, beside it: which one is in the URL (`open`), so that it has an address. Escape closes it and gives the focus back.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { setQuery, withQuery } from '../address/router.ts';
import { Icon } from './icon.tsx';

const OPEN = 'open';

/** Where a row of a list leads. */
export const openHref = (key: string): string => withQuery({ [OPEN]: key });
export { OPEN as OPEN_PARAM };

interface DrawerProps {
  title: ComponentChildren;
  /** The URL parameters that it has; they go when it closes. */
  params?: readonly string[];
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Drawer({ title, params = [OPEN], actions, children }: DrawerProps) {
  const head = useRef<HTMLHeadingElement>(null);
  const nothing = Object.fromEntries(params.map((name) => [name, null]));
  useEffect(() => {
    const before = document.activeElement;
    head.current?.focus();
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      setQuery(nothing);
    };
    addEventListener('keydown', close);
    return () => {
      removeEventListener('keydown', close);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside class="drawer" aria-label="Details">
      <header>
        <h2 ref={head} tabIndex={-1}>
          {title}
        </h2>
        <a class="button plain icon-only" href={withQuery(nothing)} aria-label="Close details" title="Close (Esc)">
          <Icon name="cross" />
        </a>
      </header>
      {actions && <div class="drawer-actions line">{actions}</div>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <div class="drawer-body stack" tabIndex={0}>
        {children}
      </div>
    </aside>
  );
}

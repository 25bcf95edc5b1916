// Where we are is the URL and nothing else: the screen, its filters, what is open. Links are links; a click on one of ours changes the address without a
// load. What a reader would get wrong: `setQuery` replaces the entry in the history (typing must not fill it), `go` adds one.
import { computed, signal } from '@preact/signals';

const here = (): URL => new URL(location.href);

export const address = signal(here());
export const path = computed(() => address.value.pathname);

addEventListener('popstate', () => {
  address.value = here();
});

export function go(to: string, { isReplacing = false } = {}): void {
  const next = new URL(to, location.href);
  if (next.href === location.href) return;
  const isOtherPath = next.pathname !== location.pathname;
  history[isReplacing ? 'replaceState' : 'pushState'](null, '', next);
  address.value = next;
  if (isOtherPath) scrollTo(0, 0);
}

/** Null or empty removes the parameter. */
export function setQuery(changes: Record<string, string | null>, { isReplacing = true } = {}): void {
  go(withQuery(changes), { isReplacing });
}

/** The address here, with these parameters changed. */
export function withQuery(changes: Record<string, string | null>): string {
  const next = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return `${next.pathname}${next.search}`;
}

export const queryParam = (name: string): string | null => address.value.searchParams.get(name);

/** Clicks on links to our own screens. A click with a modifier, or on a link that opens elsewhere or downloads, is the browser's. */
export function followLinks(isOurs: (pathname: string) => boolean): void {
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!isOurs(link.pathname) || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    go(link.href);
  });
}

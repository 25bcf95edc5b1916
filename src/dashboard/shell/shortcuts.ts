// The keyboard: one listener for the page. Nothing happens while somebody types, or while a dialog is open.
import { go } from '../address/router.ts';
import { shownScreens } from './nav.tsx';
import { isHelpOpen, isPaletteOpen, openHelp, openPalette } from './palette.ts';

const SECOND_KEY_MS = 1_200;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** The links of the rows that are shown. */
const rowLinks = (): HTMLAnchorElement[] => [...document.querySelectorAll<HTMLAnchorElement>('main .row-link')];

function moveRow(step: number): void {
  const links = rowLinks();
  const row = document.activeElement?.closest('tr');
  const at = links.findIndex((link) => link.closest('tr') === row);
  const next =
    links[at === -1 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function toggleRow(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('.select input')?.click();
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main [data-search]');
  search?.focus();
  search?.select();
  return search !== null;
}

export function startShortcuts(): void {
  let goesUntil = 0;
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      if (!isPaletteOpen.value) openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (isPaletteOpen.value || isHelpOpen.value || document.querySelector('dialog[open]')) return;
    if (goesUntil > Date.now()) {
      goesUntil = 0;
      const screen = shownScreens().find(({ nav }) => nav?.key === event.key);
      if (screen) {
        event.preventDefault();
        go(screen.path);
      }
      return;
    }
    const actions: Record<string, () => unknown> = {
      g: () => {
        goesUntil = Date.now() + SECOND_KEY_MS;
      },
      '/': () => focusSearch() || openPalette(),
      '?': openHelp,
      j: () => moveRow(1),
      k: () => moveRow(-1),
      x: toggleRow,
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

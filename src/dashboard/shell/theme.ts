// Light or dark: as the system says, unless somebody chose here. The choice is kept in the browser.
import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const KEY = 'windrow.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const kept = (): Theme | null => {
  const value = localStorage.getItem(KEY);
  return value === 'light' || value === 'dark' ? value : null;
};
const fromSystem = (): Theme => (system.matches ? 'dark' : 'light');

export const theme = signal<Theme>(kept() ?? fromSystem());

system.addEventListener('change', () => {
  if (kept() === null) theme.value = fromSystem();
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

/** Choosing what the system says is following it again. */
export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  if (theme.value === fromSystem()) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme.value);
}

// One clock for all relative times on the page: a second apart, and none while the page is hidden.
import { signal } from '@preact/signals';

export const now = signal(Date.now());

export const isHidden = signal(document.hidden);

document.addEventListener('visibilitychange', () => {
  isHidden.value = document.hidden;
  now.value = Date.now();
});
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);

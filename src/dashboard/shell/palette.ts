// Whether the palette or the help of shortcuts is open.
import { signal } from '@preact/signals';

export const isPaletteOpen = signal(false);
export const isHelpOpen = signal(false);

export const openPalette = (): void => {
  isPaletteOpen.value = true;
};
export const openHelp = (): void => {
  isHelpOpen.value = true;
};

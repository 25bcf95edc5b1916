// `?`: the keys.
import { Dialog } from '../parts/dialog.tsx';
import { shownScreens } from './nav.tsx';
import { isHelpOpen } from './palette.ts';

const KEYS: readonly [keys: string[], meaning: string][] = [
  [['Ctrl', 'K'], 'Find a screen or a run'],
  [['/'], 'Search in this list'],
  [['j'], 'Next row'],
  [['k'], 'Row before'],
  [['Enter'], 'Open the row'],
  [['x'], 'Select the row'],
  [['Esc'], 'Close'],
  [['?'], 'This help'],
];

export function Help() {
  if (!isHelpOpen.value) return null;
  const screens = shownScreens().flatMap(({ nav, title }): [string[], string][] =>
    nav?.key ? [[['g', nav.key], title]] : [],
  );
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <dl class="keys">
        {[...KEYS, ...screens].map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

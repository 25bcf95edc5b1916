// Ctrl-K: to a screen, to a run by its id or by words in it, or to what the page can do.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../address/router.ts';
import type { Reply } from '../api/call.ts';
import { type Answer, useAnswer } from '../live/answers.ts';
import { isPaused } from '../live/updates.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { KINDS, Status } from '../parts/status.tsx';
import { shorten } from '../parts/text/words.ts';
import { shownScreens } from './nav.tsx';
import { isPaletteOpen } from './palette.ts';
import { switchTheme } from './theme.ts';

interface Command {
  id: string;
  label: string;
  icon: IconName;
  status?: string;
  run(): void;
}

const RUNS_SHOWN = 6;
const SETTLE_MS = 200;

function commandsFor(text: string, runs: Answer<Reply<'GET /runs'>>): Command[] {
  const wanted = text.trim().toLowerCase();
  const screens = shownScreens().map(
    ({ path, title, nav }): Command => ({ id: path, label: title, icon: nav!.icon, run: () => go(path) }),
  );
  const actions: Command[] = [
    { id: 'theme', label: 'Switch between light and dark', icon: 'moon', run: switchTheme },
    {
      id: 'pause',
      label: isPaused.value ? 'Resume updates' : 'Pause updates',
      icon: isPaused.value ? 'play' : 'pause',
      run: () => {
        isPaused.value = !isPaused.value;
      },
    },
  ];
  const found = (wanted === '' ? [] : (runs.data?.runs ?? [])).map(
    ({ run_id, kind, about, status }): Command => ({
      id: run_id,
      label: shorten(about ?? run_id, 70),
      icon: KINDS[kind].icon,
      status,
      run: () => go(`/ui/runs/${run_id}`),
    }),
  );
  return [...[...screens, ...actions].filter(({ label }) => label.toLowerCase().includes(wanted)), ...found];
}

export function Palette() {
  if (!isPaletteOpen.value) return null;
  return <OpenPalette />;
}

function OpenPalette() {
  const text = useSignal('');
  const settled = useSignal('');
  const active = useSignal(0);
  const input = useRef<HTMLInputElement>(null);
  const runs = useAnswer(
    'GET /runs',
    { query: { q: settled.value || undefined, limit: RUNS_SHOWN } } as { query: { q?: string; limit: number } },
    { every: 0, isOn: settled.value.length > 1 },
  );
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text.value.trim().slice(0, 200);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text.value, settled, text]);
  const commands = commandsFor(text.value, runs);
  const at = Math.min(active.value, Math.max(0, commands.length - 1));
  const close = () => {
    isPaletteOpen.value = false;
  };
  const choose = (command: Command | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  return (
    <Dialog title="Find" onClose={close} className="palette">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={commands[at] ? `palette-${at}` : undefined}
        aria-label="Screen, run id, or words in a run"
        placeholder="Screen, run id, or words in a run"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') active.value = Math.min(at + 1, commands.length - 1);
          else if (event.key === 'ArrowUp') active.value = Math.max(at - 1, 0);
          else if (event.key === 'Enter') choose(commands[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div role="listbox" id="palette-list" aria-label="Found">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, as the pattern of a combobox has it
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
          <div
            key={command.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            class="menu-line"
            onClick={() => choose(command)}
          >
            <Icon name={command.icon} />
            <span class="cut">{command.label}</span>
            {command.status && <Status status={command.status} />}
          </div>
        ))}
      </div>
      {commands.length === 0 && <p class="quiet">Nothing is called that.</p>}
    </Dialog>
  );
}

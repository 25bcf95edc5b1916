// The navigation at the side; on a phone a drawer behind a button of the header.
import { useEffect } from 'preact/hooks';
import { path } from '../address/router.ts';
import { covers, SCREENS, type Screen } from '../address/screens.ts';
import { Icon } from '../parts/icon.tsx';
import { Logo } from './logo.tsx';
import { session } from './session.ts';

const GROUPS = ['Work', 'Results', 'Operations', 'Server'] as const;

function isHere({ path: own, nav }: Screen): boolean {
  return path.value === own || (nav?.covers !== undefined && path.value.startsWith(nav.covers));
}

/** Those that the key may use. */
export const shownScreens = (): Screen[] =>
  SCREENS.filter(({ nav, scope }) => nav && session.value !== null && covers(session.value.scope, scope));

export function Nav({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const screens = shownScreens();
  useEffect(onClose, [path.value]);
  return (
    <>
      {isOpen && <div class="backdrop" onClick={onClose} aria-hidden="true" />}
      <nav class={isOpen ? 'nav open' : 'nav'} aria-label="Screens" id="screens">
        <a class="home" href="/" aria-label="Windrow: overview">
          <Logo />
        </a>
        {GROUPS.map((group) => {
          const own = screens.filter((screen) => screen.nav!.group === group);
          if (own.length === 0) return null;
          return (
            <div key={group} class="nav-group">
              <h2>{group}</h2>
              <ul>
                {own.map((screen) => (
                  <li key={screen.path}>
                    <a href={screen.path} aria-current={isHere(screen) ? 'page' : undefined}>
                      <Icon name={screen.nav!.icon} />
                      {screen.title}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
        <p class="version">{session.value?.version}</p>
      </nav>
    </>
  );
}

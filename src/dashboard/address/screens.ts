// Every screen of the page, in the order of the navigation. A new one is a folder in screens/ and a line here.
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.tsx';
import { matchPath } from './match.ts';

export interface ScreenProps {
  params: Record<string, string>;
}

/** Scopes include the ones before. */
export type Scope = 'read' | 'submit' | 'admin';

export interface Screen {
  path: string;
  title: string;
  /** Absent: not in the navigation. */
  nav?: {
    icon: IconName;
    group: 'Work' | 'Results' | 'Operations' | 'Server';
    /** The second key after `g`. */
    key?: string;
    /** Also for these paths, which are below it. */
    covers?: string;
  };
  /** Least scope of the key; nothing is said of screens beyond it. Default: read. */
  scope?: Scope;
  /** Without the frame of the dashboard, and for everyone who may submit. */
  isBare?: boolean;
  load(): Promise<{ Screen: ComponentType<ScreenProps> }>;
}

export const SCREENS: readonly Screen[] = [
  {
    path: '/',
    title: 'Overview',
    nav: { icon: 'overview', group: 'Work', key: 'o' },
    load: () => import('../screens/overview/screen.tsx'),
  },
  {
    path: '/ui/new',
    title: 'New run',
    scope: 'submit',
    nav: { icon: 'plus', group: 'Work', key: 'n' },
    load: () => import('../screens/new-run/screen.tsx'),
  },
  {
    path: '/ui/runs',
    title: 'Runs',
    nav: { icon: 'runs', group: 'Work', key: 'r', covers: '/ui/runs/' },
    load: () => import('../screens/runs/screen.tsx'),
  },
  {
    path: '/docs',
    title: 'API reference',
    nav: { icon: 'book', group: 'Server', key: 'a' },
    load: () => import('../screens/reference/screen.tsx'),
  },
  { path: '/ui/runs/:id', title: 'Run', load: () => import('../screens/run/screen.tsx') },
];

export interface Found {
  screen: Screen;
  params: Record<string, string>;
}

export function findScreen(path: string): Found | null {
  for (const screen of SCREENS) {
    const params = matchPath(screen.path, path);
    if (params) return { screen, params };
  }
  return null;
}

const ORDER: readonly Scope[] = ['read', 'submit', 'admin'];
export const covers = (has: Scope, needed: Scope = 'read'): boolean => ORDER.indexOf(has) >= ORDER.indexOf(needed);

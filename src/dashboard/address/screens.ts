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
    path: '/ui/data/postings',
    title: 'Postings',
    nav: { icon: 'posting', group: 'Results', key: 'p' },
    load: () => import('../screens/data/screen.tsx'),
  },
  {
    path: '/ui/data/products',
    title: 'Products',
    nav: { icon: 'cart', group: 'Results', key: 'd' },
    load: () => import('../screens/data/screen.tsx'),
  },
  {
    path: '/ui/data/articles',
    title: 'Articles',
    nav: { icon: 'article', group: 'Results', key: 't' },
    load: () => import('../screens/data/screen.tsx'),
  },
  {
    path: '/ui/sources',
    title: 'Sources',
    nav: { icon: 'sources', group: 'Operations', key: 's' },
    load: () => import('../screens/sources/screen.tsx'),
  },
  {
    path: '/ui/schedules',
    title: 'Schedules',
    nav: { icon: 'schedule', group: 'Work', key: 'e' },
    load: () => import('../screens/schedules/screen.tsx'),
  },
  {
    path: '/ui/companies',
    title: 'Companies',
    nav: { icon: 'company', group: 'Work', key: 'c' },
    load: () => import('../screens/companies/screen.tsx'),
  },
  {
    path: '/ui/workers',
    title: 'Workers',
    nav: { icon: 'worker', group: 'Operations', key: 'w' },
    load: () => import('../screens/workers/screen.tsx'),
  },
  {
    path: '/ui/dead-letters',
    title: 'Dead letters',
    nav: { icon: 'dead', group: 'Operations', key: 'l' },
    load: () => import('../screens/dead-letters/screen.tsx'),
  },
  {
    path: '/ui/alerts',
    title: 'Alerts',
    nav: { icon: 'bell', group: 'Work', key: 'm' },
    load: () => import('../screens/alerts/screen.tsx'),
  },
  {
    path: '/ui/webhooks',
    title: 'Webhooks',
    nav: { icon: 'external', group: 'Server', key: 'h' },
    load: () => import('../screens/webhooks/screen.tsx'),
  },
  {
    path: '/ui/keys',
    title: 'API keys',
    nav: { icon: 'key', group: 'Server', key: 'k' },
    scope: 'admin',
    load: () => import('../screens/keys/screen.tsx'),
  },
  {
    path: '/ui/settings',
    title: 'Settings',
    nav: { icon: 'settings', group: 'Server' },
    scope: 'admin',
    load: () => import('../screens/settings/screen.tsx'),
  },
  {
    path: '/docs',
    title: 'API reference',
    nav: { icon: 'book', group: 'Server', key: 'a' },
    load: () => import('../screens/reference/screen.tsx'),
  },
  {
    path: '/cart',
    title: 'Cart',
    nav: { icon: 'cart', group: 'Work', key: 'b' },
    isBare: true,
    load: () => import('../screens/cart/screen.tsx'),
  },
  { path: '/cart/:id', title: 'Cart', isBare: true, load: () => import('../screens/cart/screen.tsx') },
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

// The maze: a site whose links are known, for crawls. `n300.maze.example` has 300 pages. Every page is reached in exactly one way that counts (a tree, or the
// sitemap), and there are many links more: loops, other spellings of the same address, redirects, and ways that must not be taken. Pure, so that a test knows
// which pages there are without asking the server.
import { hash32 } from '../random.ts';

const BRANCHES = 4;
/** Of a hundred pages, so many are in the sitemap only. */
const ORPHANS = 0.05;
/** One child in so many is linked by an address that redirects to it. */
const MOVED = 10;

export interface Maze {
  host: string;
  pages: number;
}

export function mazeOf(host: string): Maze | null {
  const pages = Number(/^n(\d{1,6})\.maze\.example$/.exec(host)?.[1]);
  return pages > 0 ? { host, pages } : null;
}

/** Pages that links lead to; those after them are in the sitemap only. */
export const linkedPages = ({ pages }: Maze): number => pages - Math.floor(pages * ORPHANS);

export const pathOf = (page: number): string => (page === 0 ? '/' : `/p/${page}`);

/** Every page that a crawl of the whole site has to bring, once. */
export const mazePaths = (maze: Maze): string[] => Array.from({ length: maze.pages }, (_, page) => pathOf(page));

/** Links from the first page on. */
export function depthOf(maze: Maze, page: number): number {
  if (page >= linkedPages(maze)) return 1;
  let depth = 0;
  for (let at = page; at > 0; at = Math.floor((at - 1) / BRANCHES)) depth += 1;
  return depth;
}

export function childrenOf(maze: Maze, page: number): number[] {
  const linked = linkedPages(maze);
  if (page >= linked) return [];
  return Array.from({ length: BRANCHES }, (_, n) => page * BRANCHES + n + 1).filter((child) => child < linked);
}

export const isMoved = (page: number): boolean => page % MOVED === 7;

/** What a page links to, as written: its children, and everything that is meant to mislead. */
export function linksOf(maze: Maze, page: number): { href: string; rel?: string }[] {
  const { host } = maze;
  const other = hash32(`${host} ${page}`) % linkedPages(maze);
  return [
    ...childrenOf(maze, page).map((child) => ({ href: isMoved(child) ? `/old/${child}` : pathOf(child) })),
    { href: '/' },
    { href: `${pathOf(other)}#part-${page}` },
    { href: `https://${host}${pathOf(other)}?utm_source=page-${page}&fbclid=${page}` },
    { href: `${pathOf(other)}?PHPSESSID=${hash32(`session ${page}`)}` },
    { href: 'https://elsewhere.example/story' },
    { href: 'mailto:maze@maze.example' },
    ...(page % 25 === 0 ? [{ href: `/unloved/${page}`, rel: 'nofollow' }] : []),
    ...(page % 40 === 0 ? [{ href: `/admin/${page}` }, { href: '/quiet' }] : []),
    ...(page % 50 === 0
      ? [{ href: `/gone/${page}` }, { href: `/files/${page}.pdf` }, { href: `/download/${page}` }]
      : []),
    ...(page === 0
      ? [{ href: '/calendar?month=1' }, { href: '/deeper/a/' }, { href: '/round/1' }, { href: '/away' }]
      : []),
  ];
}

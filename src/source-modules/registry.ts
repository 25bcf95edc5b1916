// Every source there is in this process: those that are built in, and those of one's own.
import type { ModuleProblem } from '../model/source/site.ts';
import { BOARD_SOURCES } from '../sources/boards/index.ts';
import { SOURCES } from '../sources/built-in.ts';
import { CAREER_SOURCES } from '../sources/careers/index.ts';
import type { Source } from '../sources/define.ts';
import type { SourceModules } from './load.ts';

export interface SourceRegistry {
  /** Built in first. */
  readonly all: readonly Source[];
  /** Those that search for postings by words. */
  readonly boards: readonly Source[];
  /** Those that a company's `scraper_type` may name. */
  readonly careers: readonly Source[];
  readonly problems: readonly ModuleProblem[];
  get(name: string): Source | undefined;
  /** The module that brought it; null for a built-in one. */
  moduleOf(name: string): string | null;
  /** The source that reads the articles of a host better than the one for any page, or null; null itself where no source claims a host. */
  readonly articleSourceOf: ((host: string) => string | null) | null;
}

export function createRegistry({ sources, problems }: SourceModules): SourceRegistry {
  const own = sources.map(({ source }) => source);
  const all = [...SOURCES.values(), ...own];
  const byName = new Map(all.map((source) => [source.name, source]));
  const modules = new Map(sources.map(({ source, module }) => [source.name, module]));
  const ownPostings = own.filter(({ kind }) => kind === 'posting');
  const articleHosts = hostNames(all.filter(({ kind }) => kind === 'article'));
  return {
    all,
    problems,
    boards: [...BOARD_SOURCES, ...ownPostings.filter(isBoard)],
    careers: [...CAREER_SOURCES, ...ownPostings],
    get: (name) => byName.get(name),
    moduleOf: (name) => modules.get(name) ?? null,
    articleSourceOf: articleHosts.size === 0 ? null : (host) => findHost(articleHosts, host),
  };
}

/** A board is asked by words: it is known by the parameter that takes them. */
function isBoard({ params }: Source): boolean {
  return 'shape' in params && 'search_term' in (params.shape as object);
}

const hostNames = (sources: readonly Source[]): Map<string, string> =>
  new Map(sources.flatMap(({ hosts, name }) => hosts.map((host) => [host.toLowerCase(), name])));

/** The exact name first, then `*.suffix`, the longest first. */
function findHost(hosts: ReadonlyMap<string, string>, host: string): string | null {
  const exact = hosts.get(host);
  if (exact !== undefined) return exact;
  for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1)) {
    const found = hosts.get(`*${host.slice(at)}`);
    if (found !== undefined) return found;
  }
  return null;
}

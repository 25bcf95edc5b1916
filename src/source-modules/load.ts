// Which modules bring sources of one's own: windrow.config.ts of the working folder, and those that WINDROW_SOURCES names. The code that loads them is only
// read where there are any.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ModuleProblem } from '../model/source/site.ts';
import type { Source } from '../sources/define.ts';
import { isPath } from './module-path.ts';

/** A source that came from a module. */
export interface OwnSource {
  source: Source;
  /** The module, as it was named. */
  module: string;
}

export interface SourceModules {
  sources: readonly OwnSource[];
  problems: readonly ModuleProblem[];
  /** The sources were handed over as objects: no other process can load them. */
  isHandedOver?: boolean;
}

export interface LoadOptions {
  /** Where relative paths begin, packages are looked for, and windrow.config.ts lies. */
  folder: string;
  /** The configuration; `off` for none, absent for the one of the folder, if there is one. */
  config?: string | undefined;
  /** Paths and packages. */
  modules?: readonly string[] | undefined;
  timeoutMs?: number;
}

export const NO_MODULES: SourceModules = { sources: [], problems: [] };

export const CONFIG_NAMES = ['windrow.config.ts', 'windrow.config.mjs', 'windrow.config.js'] as const;

export async function loadSourceModules(options: LoadOptions): Promise<SourceModules> {
  const names = [...new Set([...configOf(options), ...(options.modules ?? [])])];
  if (names.length === 0) return NO_MODULES;
  const { importSources } = await import('./import-sources.ts');
  return importSources(names, options);
}

/** Sources that a program hands over itself; `module` is what they are said to come from. */
export async function takeSources(module: string, given: readonly Source[]): Promise<SourceModules> {
  if (given.length === 0) return NO_MODULES;
  const { createMerge } = await import('./merge.ts');
  const merge = createMerge();
  merge.add(module, { default: given });
  return { ...merge.result(), isHandedOver: true };
}

function configOf({ folder, config }: LoadOptions): string[] {
  if (config === 'off') return [];
  if (config !== undefined) return [isPath(config) ? config : `./${config}`];
  const found = CONFIG_NAMES.find((name) => existsSync(join(folder, name)));
  return found === undefined ? [] : [`./${found}`];
}

// The sources of one's own that the configuration names. What cannot be loaded is said, and the rest starts.
import type { Config } from '../config.ts';
import type { Log } from '../observe/log.ts';
import { type LoadOptions, loadSourceModules, type SourceModules } from '../source-modules/load.ts';

export const modulesOf = ({ configModule, sourceModules }: Config): LoadOptions => ({
  folder: process.cwd(),
  config: configModule,
  modules: sourceModules,
});

export const configuredModules = (config: Config): Promise<SourceModules> => loadSourceModules(modulesOf(config));

export async function loadConfiguredModules(config: Config, log: Log): Promise<SourceModules> {
  const modules = await configuredModules(config);
  for (const { module, reason } of modules.problems) log.error('sources.not_loaded', { module, reason });
  if (modules.sources.length > 0)
    log.info('sources.loaded', { sources: modules.sources.map(({ source, module }) => `${source.name} (${module})`) });
  return modules;
}

// Sources of one's own: whether their modules load, and what they bring.
import { configuredModules } from '../../../../compose/modules.ts';
import type { Config } from '../../../../config.ts';
import { type Finding, fail, ok } from './check.ts';

export async function checkSources(config: Config): Promise<Finding[]> {
  const { sources, problems } = await configuredModules(config);
  const loaded = sources.map(({ source, module }) => `${source.name} of ${module}`);
  return [
    ...problems.map(({ module, reason }) => fail('sources', `${module} cannot be used: ${reason}`)),
    ...(loaded.length > 0 ? [ok('sources', `your own: ${loaded.join(', ')}`)] : []),
    ...(loaded.length + problems.length === 0 ? [ok('sources', 'built in; none of your own here')] : []),
  ];
}

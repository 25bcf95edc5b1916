// Sources of one's own for a command that has a subcommand for each source: they are loaded before the command line is read, so the options that name modules
// are looked for in it by hand. What else is wrong with the configuration is said when the command runs.
import { configuredModules } from '../../compose/modules.ts';
import type { SourceModules } from '../../source-modules/load.ts';
import { inspectConfig } from './load.ts';

export async function loadEarlyModules(argv: readonly string[], say: (line: string) => void): Promise<SourceModules> {
  const flags = {
    configModule: optionIn(argv, '--config-module'),
    sourceModules: optionIn(argv, '--sources'),
  };
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const { config } = inspectConfig({ flags: given, file: optionIn(argv, '--config') });
  const modules = await configuredModules(config);
  for (const { module, reason } of modules.problems) say(`warning: ${module} cannot be used: ${reason}`);
  return modules;
}

/** `--flag value` or `--flag=value`. */
function optionIn(argv: readonly string[], flag: string): string | undefined {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  return argv[at]?.startsWith(`${flag}=`) ? argv[at].slice(flag.length + 1) : at < 0 ? undefined : argv[at + 1];
}

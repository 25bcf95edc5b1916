// What the long-running commands have in common: configuration, log, life, exit.

import { loadConfiguredModules } from '../../compose/modules.ts';
import { exitOnUncaughtError, live } from '../../compose/process/lifetime.ts';
import { processMetrics } from '../../compose/process/metrics.ts';
import type { Role } from '../../compose/process/role.ts';
import { openTracing } from '../../compose/process/tracing.ts';
import type { Config, SettingName } from '../../config.ts';
import { createLog } from '../../observe/log.ts';
import { flagsFrom } from '../settings/flags.ts';
import { loadConfig } from '../settings/load.ts';
import { createTerminal, type Terminal } from '../terminal/terminal.ts';
import { forPeople } from './pretty-log.ts';

export interface CommandRole extends Role {
  terminal: Terminal;
}

export interface ServeOptions {
  options: Record<string, unknown>;
  needs?: readonly SettingName[];
  isListening?: boolean;
  name: string;
}

const STOPPING = 'Stopping: waiting for running tasks. Press Ctrl-C again to stop at once. Accepted work is not lost.';

/** Who asks for debug lines wants those above them too. */
const isVerbose = (options: Record<string, unknown>, { logLevel }: Config): boolean =>
  Boolean(options.verbose) || logLevel === 'debug' || logLevel === 'trace';

/** Runs a role until a signal or a failure, and ends the process. */
export async function serve(given: ServeOptions, start: (role: CommandRole) => Promise<void>): Promise<never> {
  const terminal = createTerminal({ json: Boolean(given.options.json) });
  const warnings: string[] = [];
  const config = loadConfig({
    flags: flagsFrom(given.options),
    file: given.options.config as string | undefined,
    needs: given.needs ?? [],
    isListening: given.isListening ?? false,
    warn: (line) => warnings.push(line),
  });
  const isForPeople = terminal.isWatched && Boolean(process.stdout.isTTY);
  const log = createLog({
    level: config.logLevel,
    to: isForPeople ? forPeople(process.stdout, { isVerbose: isVerbose(given.options, config) }) : 'stdout',
    isSync: false,
  });
  for (const warning of warnings) log.warn('config.warning', { warning });
  exitOnUncaughtError(log);
  const code = await live(log, async (life) => {
    if (terminal.isWatched) life.signal.addEventListener('abort', () => terminal.say(STOPPING), { once: true });
    const modules = await loadConfiguredModules(config, log);
    const { name } = given;
    return start({
      config,
      log,
      life,
      modules,
      terminal,
      name,
      metrics: processMetrics(),
      trace: await openTracing({ config, log, life, name }),
      isPatient: true,
    });
  });
  // A handle that a library left open must not keep the process alive.
  process.exit(code);
}

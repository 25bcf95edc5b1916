// `windrow doctor`: checks what Windrow needs, one line per check. Also usable as a probe: exit code 1 when a check fails.

import type { Resolved } from '../../../compose/settings/resolve-config.ts';
import { readHome } from '../../../store/embedded/home.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { describe, inspectConfig } from '../../settings/load.ts';
import { wholeNumber } from '../../terminal/options.ts';
import { createTerminal } from '../../terminal/terminal.ts';
import { type Finding, fail, finding, ok, warn } from './checks/check.ts';
import { checkDeep, type DeepOptions } from './checks/deep.ts';
import { checkBrowser, checkDisk, checkFileDescriptors, checkNode, checkPort } from './checks/machine.ts';
import { checkStore, checkWire } from './checks/servers.ts';
import { checkSources } from './checks/sources.ts';

const MARKS = { ok: ['green', 'ok  '], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const;

export const make = () =>
  takesSettings(
    command({
      name: 'doctor',
      about: 'Checks what Windrow needs: configuration, PostgreSQL, Redis, disk, port, browser.',
      examples: [
        ['windrow doctor', 'one line per check'],
        ['windrow doctor --json', 'as JSON. Exit code 1 when a check fails, 2 when the configuration is wrong'],
        ['windrow doctor --deep', 'also looks through the database for rows that should not be; reads only'],
      ],
    })
      .option('--deep', 'look through the database, while it is in use: lost tasks, wrong counts, what is stuck')
      .option('--seconds <number>', 'how long --deep may look; the newest rows come first', wholeNumber(1, 86_400), 60),
    ['home', 'port'],
  ).action(async (options: Record<string, unknown>) => {
    const terminal = createTerminal({ json: Boolean(options.json) });
    const resolved = inspectConfig({
      flags: flagsFrom(options),
      file: options.config as string | undefined,
      isListening: true,
    });
    const findings = await examine(resolved, options.deep ? { seconds: Number(options.seconds) } : null);
    if (options.json)
      terminal.document({ healthy: findings.every(({ status }) => status !== 'fail'), checks: findings });
    for (const { check, status, detail } of options.json ? [] : findings) {
      const [colour, label] = MARKS[status];
      terminal.out(`${terminal.style(colour, label)}  ${check.padEnd(16)}  ${detail}`);
    }
    if (findings.some(({ status }) => status === 'fail')) process.exitCode = resolved.problems.length > 0 ? 2 : 1;
  });

async function examine({ config, problems, warnings }: Resolved, deep: DeepOptions | null): Promise<Finding[]> {
  const findings = [
    checkNode(),
    ...problems.map((problem) => fail('configuration', describe(problem))),
    ...warnings.map((line) => warn('configuration', line)),
  ];
  // The other checks would fail because of the same values.
  if (problems.length > 0) return findings;
  if (warnings.length === 0) findings.push(ok('configuration', 'all settings are valid'));
  const running = await readHome(config.home);
  const rest = await Promise.all([
    finding('store', () => checkStore(config, running)),
    finding('wire', () => checkWire(config)),
    finding('disk', () => checkDisk(config)),
    finding('file descriptors', () => checkFileDescriptors(config)),
    finding('browser', () => checkBrowser(config)),
    finding('port', () => checkPort(config, running)),
    finding('sources', () => checkSources(config)),
  ]);
  const looked = deep ? await finding('deep', () => checkDeep(config, running, deep)) : [];
  return [...findings, ...rest.flat(), ...looked];
}

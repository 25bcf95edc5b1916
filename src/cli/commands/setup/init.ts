// `windrow init`: a settings file in the current folder, with the settings that people change first. It never overwrites one.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SETTINGS, type SettingName } from '../../../config.ts';
import { AppError } from '../../../model/errors.ts';
import type { Setting } from '../../../setting.ts';
import { command } from '../../command.ts';
import { createTerminal } from '../../terminal/terminal.ts';

export const SETTINGS_FILE = 'windrow.env';

const FIRST: readonly SettingName[] = [
  'port',
  'home',
  'databaseUrl',
  'redisUrl',
  'apiKeys',
  'workerConcurrency',
  'webRobots',
  'webProxies',
  'sourceSettings',
  'logLevel',
];

export const make = () =>
  command({
    name: 'init',
    about: `Writes ${SETTINGS_FILE} into the current folder: the settings that people change first, each explained. It never overwrites one.`,
    examples: [['windrow init && windrow up', 'commands that start in this folder read it']],
    notes:
      'Sources of your own are in windrow.config.ts: `windrow source new <name>` writes it. All settings: `windrow config`.',
  }).action(async (options: { json?: boolean }) => {
    const terminal = createTerminal({ json: Boolean(options.json) });
    const path = join(process.cwd(), SETTINGS_FILE);
    // The file may get passwords.
    await writeFile(path, settingsText(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EEXIST'
          ? `${SETTINGS_FILE} is there already. It was not changed.`
          : `Cannot write ${path} (${error.code}).`;
      throw new AppError('invalid_usage', why, { cause: error });
    });
    if (options.json) terminal.document({ written: path });
    else terminal.say(`Wrote ${SETTINGS_FILE}. Next: windrow up`);
  });

/** Everything in it is a comment until somebody decides otherwise. */
const settingsText = (): string =>
  `# Settings of Windrow. Remove the # before a line to use it. \`windrow config\` shows all settings and the values in use.\n${FIRST.map(
    (name) => {
      const row: Setting = SETTINGS[name];
      return `\n# ${row.about}\n# ${row.env}=${row.default ?? ''}\n`;
    },
  ).join('')}`;

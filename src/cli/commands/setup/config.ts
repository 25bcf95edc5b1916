// `windrow config`: every setting, its value, and where the value comes from. Secrets are masked, always.

import type { Resolved } from '../../../compose/settings/resolve-config.ts';
import { shownSetting } from '../../../compose/settings/shown-settings.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, TOPICS } from '../../../config.ts';
import type { Setting } from '../../../setting.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { describe, inspectConfig } from '../../settings/load.ts';
import { settingsMarkdown } from '../../settings/markdown.ts';
import { columns } from '../../terminal/table.ts';
import { createTerminal } from '../../terminal/terminal.ts';

export const make = () =>
  takesSettings(
    command({
      name: 'config',
      about: 'Shows every setting, its value, and where the value comes from. Secrets are masked.',
      examples: [
        ['windrow config', 'values in use'],
        ['PORT=9000 windrow config --json | jq .settings.port', 'one value from JSON'],
        ['windrow config --markdown > docs/configuration.md', 'the documentation of all settings'],
      ],
      notes: 'Order: flag, environment, file, default. Exit code 2 when a value is not valid.',
    }).option('--markdown', 'print the documentation of all settings'),
    [],
  ).action((options: Record<string, unknown>) => {
    if (options.markdown) {
      process.stdout.write(settingsMarkdown());
      return;
    }
    const resolved = inspectConfig({ flags: flagsFrom(options), file: options.config as string | undefined });
    if (options.json) showJson(resolved);
    else showTable(resolved);
    if (resolved.problems.length > 0) process.exitCode = 2;
  });

function showJson(resolved: Resolved): void {
  const settings = Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const row: Setting = SETTINGS[name];
      return [
        name,
        {
          env: row.env,
          value: shownSetting(name, resolved.config),
          origin: resolved.origins[name],
          default: row.default,
        },
      ];
    }),
  );
  createTerminal({ json: true }).document({ settings, warnings: resolved.warnings, problems: resolved.problems });
}

function showTable(resolved: Resolved): void {
  const terminal = createTerminal();
  const bad = new Set(resolved.problems.map((problem) => problem.name));
  const rows = Object.entries(TOPICS).map(([topic, settings]) => ({
    topic,
    rows: Object.entries(settings).map(([name, row]) => [
      row.env,
      bad.has(row.env) ? 'INVALID' : (shownSetting(name as SettingName, resolved.config) ?? '–'),
      resolved.origins[name as SettingName],
    ]),
  }));
  const lines = columns(rows.flatMap((group) => group.rows));
  for (const group of rows) {
    terminal.out(group.topic);
    for (const line of lines.splice(0, group.rows.length)) terminal.out(`  ${line}`);
  }
  for (const warning of resolved.warnings) terminal.say(`warning: ${warning}`);
  for (const problem of resolved.problems) terminal.say(`${terminal.style('red', 'invalid:')} ${describe(problem)}`);
}

// The table of settings as docs/configuration.md.
import { flagOf, type SettingName, TOPICS } from '../../config.ts';
import type { Setting } from '../../setting.ts';

const INTRO = `# Configuration

Written by \`windrow config --markdown\` from \`src/config.ts\`; change it there.

A value comes from the first of these that has one, setting by setting:

1. a flag of the command (\`--port 9000\`); secrets have none, since other users of a machine can read flags
2. the environment (\`PORT=9000\`)
3. a file of \`NAME=value\` lines: \`windrow.env\` in the working folder, or the one that \`--config\` or \`WINDROW_CONFIG\` names
4. the default

A secret can also be given as the path of a file that holds it, by the name in the second line of its row. An empty value counts as absent.
Where \`off\` is allowed, \`0\` means the same. All values are checked at the start; every problem is reported at once, and the exit code is 2.
\`windrow config\` shows what is in force, with the origin of each value. Settings marked *not yet* are read and checked, but nothing acts on
them in this version; setting one says so.
`;

export function settingsMarkdown(): string {
  const sections = Object.entries(TOPICS).map(([topic, settings]) => {
    const rows = Object.entries(settings).map(([name, row]) => rowOf(name as SettingName, row));
    return `## ${topic}\n\n| name | flag | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [INTRO, ...sections].join('\n');
}

function rowOf(name: SettingName, row: Setting): string {
  const names = [row.env, row.alsoEnv, row.fileEnv].filter((one) => one !== undefined).map((one) => `\`${one}\``);
  const flag = flagOf(name);
  const fallback = row.default === null ? '–' : `\`${row.default}\``;
  return `| ${names.join('<br>')} | ${flag ? `\`${flag}\`` : 'secret'} | ${fallback} | ${row.about} Allowed: ${row.allowed}. |`;
}

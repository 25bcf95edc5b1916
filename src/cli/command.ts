// How every command is made: the same --json, the same place for examples, and settings as flags. Secrets have no flag, since other users of the
// machine can read flags.
import { Command, Option } from 'commander';
import { flagOf, SETTING_NAMES, SETTINGS, type SettingName } from '../config.ts';
import type { Setting } from '../setting.ts';

export interface CommandText {
  name: string;
  about: string;
  /** Command lines with what they do, shown under the help. */
  examples: readonly (readonly [line: string, what: string])[];
  /** Shown between the options and the examples. */
  notes?: string;
}

export function command(text: CommandText): Command {
  const made = new Command(text.name)
    .description(text.about)
    .option('--json', 'print the result, or the error, as JSON')
    .helpOption('-h, --help', 'show this help')
    .allowExcessArguments(false);
  const examples = text.examples.map(([line, what]) => `  ${line}\n      ${what}`).join('\n');
  return made.addHelpText('after', `${text.notes ? `\n${text.notes}\n` : ''}\nExamples:\n${examples}`);
}

/**
 * `windrow <noun> <verb>`. It has no options of its own, since it would take those of its verbs.
 * `usual`: the verb that is meant where none is given.
 */
export function noun(text: { name: string; about: string; verbs: readonly Command[]; usual?: string }): Command {
  const made = new Command(text.name).description(text.about).helpOption('-h, --help', 'show this help');
  for (const verb of text.verbs) made.addCommand(verb, { isDefault: verb.name() === text.usual });
  return made;
}

/** A command that runs until it is stopped. */
export const serverCommand = (text: CommandText): Command =>
  command(text).option('--verbose', 'on a terminal: a line for every task, not only one for every run');

/** Makes every setting a flag of the command; only the ones named appear in its help. */
export function takesSettings(made: Command, shown: readonly SettingName[]): Command {
  for (const name of shown) made.addOption(optionOf(name)!);
  for (const name of SETTING_NAMES) {
    const option = shown.includes(name) ? undefined : optionOf(name)?.hideHelp();
    if (option) made.addOption(option);
  }
  return made
    .option(
      '--config <file>',
      'settings file with NAME=value lines (WINDROW_CONFIG; default windrow.env, if it exists)',
    )
    .addHelpText(
      'after',
      '\nEvery setting listed by `windrow config` can be given as a flag, such as --scrape-timeout 10.',
    );
}

function optionOf(name: SettingName): Option | undefined {
  const flag = flagOf(name);
  if (flag === null) return undefined;
  const row: Setting = SETTINGS[name];
  const fallback = row.default ? `; default ${row.default}` : '';
  return new Option(`${flag} <value>`, `${row.about.replace(/\.$/, '')} (${row.env}${fallback})`);
}

// Settings among the options of a command, as commander names them: `--scrape-timeout` is `scrapeTimeout`.
import { flagOf, SETTING_NAMES, type SettingName } from '../../config.ts';

export function flagsFrom(options: Readonly<Record<string, unknown>>): Partial<Record<SettingName, string>> {
  const flags: Partial<Record<SettingName, string>> = {};
  for (const name of SETTING_NAMES) {
    const attribute = flagOf(name)
      ?.slice(2)
      .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = attribute === undefined ? undefined : options[attribute];
    if (typeof value === 'string') flags[name] = value;
  }
  return flags;
}

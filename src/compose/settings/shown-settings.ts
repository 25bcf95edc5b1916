// Settings as people may see them: secrets masked, in the words in which they are set.
import { type Config, SETTINGS, type SettingName, TOPICS } from '../../config.ts';
import type { Setting } from '../../setting.ts';

/** Null: not set. */
export function shownSetting(name: SettingName, config: Config): string | null {
  const value = config[name];
  const setting: Setting = SETTINGS[name];
  if (value === undefined) return null;
  if (setting.isSecret) return '***';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (value === 0 && setting.allowed.endsWith('or off')) return 'off';
  return Array.isArray(value) ? value.join(',') : String(value);
}

export const settingTopics = (config: Config) =>
  Object.entries(TOPICS).map(([topic, rows]) => ({
    topic,
    settings: Object.entries(rows).map(([name, { env, default: fallback, about }]) => {
      const value = shownSetting(name as SettingName, config);
      return { name: env, value, is_default: value === fallback, about };
    }),
  }));

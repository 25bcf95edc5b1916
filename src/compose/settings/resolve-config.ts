// From flags, environment, file and defaults to one frozen configuration, field by field, in that order. Nothing is thrown for the first bad value:
// every problem is collected, so that a person fixes them in one go.
import { isIP } from 'node:net';
import { type Config, flagOf, SETTING_NAMES, SETTINGS, type SettingName } from '../../config.ts';
import { nearest } from '../../model/nearest.ts';
import type { Setting } from '../../setting.ts';

/** Values by environment name. */
export interface ConfigFile {
  path: string;
  values: Readonly<Record<string, string | undefined>>;
}

export interface ConfigInputs {
  flags?: Partial<Record<SettingName, string>>;
  env: Readonly<Record<string, string | undefined>>;
  file?: ConfigFile | undefined;
  /** Reads the file that holds a secret. */
  readSecret(path: string): string;
  /** Settings that this command cannot do without. */
  needs?: readonly SettingName[];
  /** This command opens the API, so the rules for listening apply. */
  isListening?: boolean;
}

export interface ConfigProblem {
  name: string;
  /** As given, `***` for a secret, null when absent. */
  value: string | null;
  origin: string | null;
  allowed: string;
}

export interface Resolved {
  config: Config;
  origins: Readonly<Record<SettingName, string>>;
  problems: ConfigProblem[];
  warnings: string[];
}

interface Given {
  value: string;
  origin: string;
}

export function resolveConfig(inputs: ConfigInputs): Resolved {
  const problems: ConfigProblem[] = [];
  const values: Record<string, unknown> = {};
  const origins = {} as Record<SettingName, string>;
  const warnings = unknownNames(inputs);
  for (const name of SETTING_NAMES) {
    const row: Setting = SETTINGS[name];
    const given = find(name, row, inputs, problems);
    origins[name] = given?.origin ?? (row.default === null ? 'not set' : 'default');
    const text = given?.value ?? row.default;
    if (text === null) continue;
    const parsed = row.schema.safeParse(text);
    if (parsed.success) values[name] = freeze(parsed.data);
    else {
      const shown = row.isSecret ? '***' : text;
      problems.push({ name: row.env, value: shown, origin: origins[name], allowed: row.allowed });
    }
  }
  const config = Object.freeze(values) as Config;
  problems.push(...rulesBroken(config, origins, inputs));
  return { config, origins, problems, warnings };
}

/** An empty value counts as absent: that is what an unset variable looks like in a compose file. */
function find(name: SettingName, row: Setting, inputs: ConfigInputs, problems: ConfigProblem[]): Given | null {
  const flag = inputs.flags?.[name];
  if (flag !== undefined) return { value: flag.trim(), origin: `flag ${flagOf(name)}` };
  const places = [
    { values: inputs.env, label: 'env' },
    ...(inputs.file ? [{ values: inputs.file.values, label: inputs.file.path }] : []),
  ];
  for (const { values, label } of places) {
    const names = [row.env, ...(row.alsoEnv ? [row.alsoEnv] : [])];
    const found = names.find((env) => values[env]?.trim());
    const path = row.fileEnv ? values[row.fileEnv]?.trim() : undefined;
    if (found && path) {
      problems.push({
        name: row.env,
        value: '***',
        origin: label,
        allowed: `set once: ${found} and ${row.fileEnv} are both given`,
      });
    }
    if (found) return { value: values[found]!.trim(), origin: `${label} ${found}` };
    if (path && row.fileEnv) return fromSecretFile(row.fileEnv, path, `${label} ${row.fileEnv}`, inputs, problems);
  }
  return null;
}

function fromSecretFile(
  name: string,
  path: string,
  origin: string,
  inputs: ConfigInputs,
  problems: ConfigProblem[],
): Given | null {
  try {
    return { value: inputs.readSecret(path).trim(), origin };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    problems.push({ name, value: path, origin, allowed: `a file that can be read (${reason})` });
    return null;
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Rules over several settings. A value that is not valid itself is absent here and not reported twice. */
function rulesBroken(config: Config, origins: Record<SettingName, string>, inputs: ConfigInputs): ConfigProblem[] {
  const broken: ConfigProblem[] = [];
  const add = (name: SettingName, allowed: string) =>
    broken.push({
      name: SETTINGS[name].env,
      value: config[name] === undefined ? null : String(config[name]),
      origin: origins[name],
      allowed,
    });
  for (const name of inputs.needs ?? []) {
    if (config[name] === undefined && origins[name] === 'not set')
      add(name, `set for this command: ${SETTINGS[name].allowed}`);
  }
  if (inputs.isListening && config.host && !LOOPBACK.test(config.host) && origins.apiKeys === 'not set')
    add('apiKeys', `set when HOST is not loopback (it is ${config.host})`);
  if (config.heartbeatSeconds * 2 > config.leaseSeconds)
    add('heartbeatSeconds', `at most half of LEASE_SECONDS (${config.leaseSeconds})`);
  if (config.host && /^[\d.]+$/.test(config.host) && isIP(config.host) === 0) add('host', SETTINGS.host.allowed);
  return broken;
}

const OUR_PREFIX = /^(WINDROW_|WEB_(?!SITE)|WORKER_)/;

/** Unknown names that look like ours: all of them in a file, in the environment only those close to one of our names. */
function unknownNames(inputs: ConfigInputs): string[] {
  const rows: Setting[] = SETTING_NAMES.map((name) => SETTINGS[name]);
  const known = rows.flatMap((row) => [row.env, row.alsoEnv, row.fileEnv].filter((name) => name !== undefined));
  known.push('WINDROW_CONFIG');
  const isKnown = new Set(known);
  const warn = (name: string, where: string, isSure: boolean): string[] => {
    if (isKnown.has(name)) return [];
    const meant = nearest(name, known);
    // Short names are close to everything. If the name we would suggest is set too, this one belongs to another program.
    const isForeign = name.length < 6 || meant === null || inputs.env[meant] !== undefined;
    if (!isSure && !OUR_PREFIX.test(name) && isForeign) return [];
    return [`${name} (${where}) is not a Windrow setting.${meant ? ` Did you mean ${meant}?` : ''}`];
  };
  return [
    ...Object.keys(inputs.env).flatMap((name) => warn(name, 'environment', false)),
    ...Object.keys(inputs.file?.values ?? {}).flatMap((name) => warn(name, inputs.file?.path ?? '', true)),
  ];
}

function freeze<T>(value: T): T {
  return typeof value === 'object' && value !== null ? Object.freeze(value) : value;
}

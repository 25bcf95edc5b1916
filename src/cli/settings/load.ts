// Reads the configuration of a command from flags, environment and file, or ends it with all problems at once. The file is `windrow.env` in the working
// folder (or WINDROW_CONFIG); not `.env`, since that of another project may hold a DATABASE_URL of its own.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import {
  type ConfigFile,
  type ConfigProblem,
  type Resolved,
  resolveConfig,
} from '../../compose/settings/resolve-config.ts';
import type { Config, SettingName } from '../../config.ts';
import { AppError } from '../../model/errors.ts';

const DEFAULT_FILE = 'windrow.env';

export interface LoadOptions {
  flags?: Partial<Record<SettingName, string>>;
  needs?: readonly SettingName[];
  isListening?: boolean;
  /** Instead of the one that WINDROW_CONFIG names. */
  file?: string | undefined;
  /** Warnings go here as they are found. */
  warn?: (line: string) => void;
}

/** Throws `invalid_config` with all problems. */
export function loadConfig(options: LoadOptions = {}): Config {
  const { config, problems, warnings } = inspectConfig(options);
  for (const line of warnings) options.warn?.(line);
  if (problems.length > 0) throw invalidConfig(problems);
  return config;
}

/** The same without throwing, for commands that show it. */
export function inspectConfig(options: LoadOptions = {}): Resolved {
  const { env } = process;
  const { file, problem } = readConfigFile(options.file ?? env.WINDROW_CONFIG);
  const resolved = resolveConfig({
    flags: options.flags ?? {},
    env,
    file,
    readSecret: (path) => readFileSync(path, 'utf8'),
    needs: options.needs ?? [],
    isListening: options.isListening ?? false,
  });
  if (problem) resolved.problems.unshift(problem);
  return resolved;
}

function readConfigFile(named: string | undefined): { file?: ConfigFile; problem?: ConfigProblem } {
  const path = named?.trim() || DEFAULT_FILE;
  try {
    return { file: { path, values: parseEnv(readFileSync(path, 'utf8')) } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (!named && code === 'ENOENT') return {};
    const allowed = `a file with NAME=value lines that can be read (${code})`;
    return {
      problem: { name: 'WINDROW_CONFIG', value: path, origin: null, allowed },
    };
  }
}

function invalidConfig(problems: ConfigProblem[]): AppError {
  const count = problems.length === 1 ? 'One setting is' : `${problems.length} settings are`;
  return new AppError(
    'invalid_config',
    `${count} not valid:\n${problems.map((problem) => `  ${describe(problem)}`).join('\n')}`,
    {
      details: { problems },
    },
  );
}

export function describe(problem: ConfigProblem): string {
  const given = problem.value === null ? `${problem.name} is not set` : `${problem.name}=${problem.value}`;
  const from = problem.value === null || problem.origin === null ? '' : ` (${problem.origin})`;
  return `${given}${from}: it has to be ${problem.allowed}`;
}

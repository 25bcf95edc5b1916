// Finds PostgreSQL, PgBouncer, Redis, Python and Chromium on this machine, and installs Debian's packages when it may. Whatever is missing and cannot be installed is
// reported all at once, with the command that would bring it.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type Tool = 'postgres' | 'redis' | 'python' | 'chromium' | 'prometheus' | 'promtool' | 'systemd' | 'pgbouncer';

interface ToolRow {
  package: string;
  wanted: string;
  minVersion: number;
  candidates(): string[];
}

const TOOLS: Record<Tool, ToolRow> = {
  postgres: { package: 'postgresql', wanted: 'PostgreSQL 15 or newer', minVersion: 15, candidates: postgresCandidates },
  redis: {
    package: 'redis-server',
    wanted: 'Redis 7 or newer',
    minVersion: 7,
    candidates: () => onPath('redis-server'),
  },
  pgbouncer: {
    package: 'pgbouncer',
    wanted: 'PgBouncer',
    minVersion: 1,
    // Debian keeps it where not everybody looks.
    candidates: () => [...onPath('pgbouncer'), ...['/usr/sbin/pgbouncer'].filter(isProgram)],
  },
  python: { package: 'python3', wanted: 'Python 3', minVersion: 3, candidates: () => onPath('python3') },
  prometheus: {
    package: 'prometheus',
    wanted: 'Prometheus 2 or newer',
    minVersion: 2,
    candidates: () => onPath('prometheus'),
  },
  promtool: { package: 'prometheus', wanted: 'promtool', minVersion: 2, candidates: () => onPath('promtool') },
  systemd: {
    package: 'systemd',
    wanted: 'systemd-analyze',
    minVersion: 247,
    candidates: () => onPath('systemd-analyze'),
  },
  chromium: {
    package: 'chromium',
    wanted: 'Chromium',
    minVersion: 100,
    candidates: () =>
      [process.env.TEST_CHROMIUM ?? '', ...['chromium', 'chromium-browser', 'google-chrome'].flatMap(onPath)].filter(
        Boolean,
      ),
  },
};

/** The path of each tool; throws one error that names everything missing. */
export function findOrInstall(tools: Tool[], say: (line: string) => void): Partial<Record<Tool, string>> {
  const missing = () => tools.filter((tool) => find(tool) === undefined);
  const absent = missing();
  if (absent.length > 0) install(absent, say);
  const still = missing();
  if (still.length > 0) {
    const packages = still.map((tool) => TOOLS[tool].package).join(' ');
    const names = still.map((tool) => TOOLS[tool].wanted).join(', ');
    throw new Error(
      `The tests need ${names}. Install with: apt-get update && apt-get install -y ${packages} (as root), or put them on PATH.`,
    );
  }
  const paths: Partial<Record<Tool, string>> = {};
  for (const tool of tools) {
    const { path, version } = find(tool)!;
    paths[tool] = path;
    say(`${tool}: ${path} (${version})`);
  }
  return paths;
}

function find(tool: Tool): { path: string; version: string } | undefined {
  for (const path of TOOLS[tool].candidates()) {
    const version = versionOf(path);
    if (version && Number.parseInt(version, 10) >= TOOLS[tool].minVersion) return { path, version };
  }
  return undefined;
}

/** The first number with a dot in what `--version` prints: "postgres (PostgreSQL) 15.14", "Redis server v=7.0.15 sha=…", "Chromium 142.0.7". */
function versionOf(path: string): string | undefined {
  try {
    return /\d+\.\d[\d.]*/.exec(
      execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 }),
    )?.[0];
  } catch {
    // A file that does not run is not the tool; the caller goes on to the next one or reports it missing.
    return undefined;
  }
}

/** Debian keeps the server out of PATH, one folder a version. */
function postgresCandidates(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [
    ...versions.map((version) => join(debian, version, 'bin', 'postgres')).filter(isProgram),
    ...onPath('postgres'),
  ];
}

function onPath(name: string): string[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .filter(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(tools: Tool[], say: (line: string) => void): void {
  const prefix = rootPrefix();
  if (!prefix || onPath('apt-get').length === 0) return;
  const packages = tools.map((tool) => TOOLS[tool].package);
  say(`installing ${packages.join(' ')} with apt-get`);
  withoutServiceStart(prefix.length === 0, () => {
    apt(prefix, ['update', '-qq']);
    apt(prefix, ['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  });
}

function apt(prefix: string[], args: string[]): void {
  const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
  try {
    execFileSync(command!, rest, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 900_000,
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const tail = String((error as { stderr?: string }).stderr ?? error)
      .trim()
      .split('\n')
      .slice(-5);
    throw new Error(`apt-get ${args[0]} failed: ${tail.join(' | ')}`, { cause: error });
  }
}

/** What makes a command root's: nothing, passwordless sudo, or undefined when neither is to be had. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  try {
    execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore', timeout: 5_000 });
    return ['sudo', '-n'];
  } catch {
    return undefined;
  }
}

/** Debian asks this file before it starts a freshly installed service; we want the programs, not the services. */
function withoutServiceStart(isRoot: boolean, work: () => void): void {
  const policy = '/usr/sbin/policy-rc.d';
  const isOurs = isRoot && !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    work();
  } finally {
    if (isOurs) rmSync(policy, { force: true });
  }
}

// The file of `npm run bench -- --json`: by bench what it found, when, on which machine and with which versions of what it was measured against. A bench that
// runs again replaces its own part only, so that the file can be brought up to date bench by bench.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Found } from './found.ts';

export interface Measured {
  at: string;
  seconds: number;
  /** Whether all that was promised was reached. */
  isKept: boolean;
  machine: { cores: number; cpu: string; memoryGb: number; system: string };
  versions: Record<string, string>;
  found: Found[];
}
export type Results = Record<string, Measured>;

const PEERS = ['bullmq', '@crawlee/cheerio', 'fastify', 'undici', '@mozilla/readability', 'defuddle', 'contextractor'];
const HERE = new URL('./', import.meta.url);
const readJson = <T>(path: URL | string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

export const readResults = (file: string): Results => (existsSync(file) ? readJson<Results>(file) : {});

export function keepResults(file: string, name: string, measured: Measured): void {
  const results = { ...readResults(file), [name]: measured };
  const sorted = Object.fromEntries(Object.entries(results).sort(([a], [b]) => a.localeCompare(b)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}

export function machine(): Measured['machine'] {
  const all = cpus();
  return {
    cores: all.length,
    cpu: all[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
  };
}

/** `servers`: the environment that says where PostgreSQL and Redis are. */
export function versions(servers: Record<string, string>): Record<string, string> {
  const peers = PEERS.map((name) => {
    const path = new URL(`node_modules/${name}/package.json`, HERE);
    return [name, existsSync(path) ? readJson<{ version: string }>(path).version : 'not installed'];
  });
  return {
    windrow: commit(),
    node: process.version,
    postgres: said(`${servers.TEST_POSTGRES_BIN}/postgres`, ['--version']),
    redis: said(servers.TEST_REDIS_SERVER!, ['--version']),
    ...Object.fromEntries(peers),
  };
}

const commit = (): string => said('git', ['describe', '--always', '--dirty']);

/** The first line that a program says, or that it is not there. */
function said(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', cwd: HERE, stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')[0]!
      .trim();
  } catch {
    return 'not found';
  }
}

// What a failing page looked like: the first of each kind (source, host, code) is kept as a file for a person to look at. Looking at saved
// HTML is cheap; guessing why there were no cards cost someone 79 days. Bounded in number and age.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SnapshotOptions {
  dir: string;
  maxFiles?: number;
  maxAgeMs?: number;
  now?: () => number;
}

export interface Snapshot {
  source: string;
  host: string;
  code: string;
  url: string;
  html: string;
  /** PNG, from a browser. */
  screenshot?: Buffer;
}

export interface Snapshots {
  /** Returns the file, or null when one of this kind is already there. */
  keep(snapshot: Snapshot): Promise<string | null>;
}

const DEFAULT_MAX_FILES = 500;
const DEFAULT_MAX_AGE_MS = 14 * 24 * 3_600_000;
const MAX_KINDS = 5_000;
const MAX_CHARS = 1_000_000;

export function createSnapshots(options: SnapshotOptions): Snapshots {
  const now = options.now ?? Date.now;
  const seen = new Map<string, number>();
  const maxAgeMs = options.maxAgeMs ?? DEFAULT_MAX_AGE_MS;
  return {
    async keep({ source, host, code, url, html, screenshot }) {
      const kind = [source, host, code].map((part) => part.replace(/[^a-z0-9.-]+/gi, '_').slice(0, 80)).join('__');
      if (now() - (seen.get(kind) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) return null;
      if (seen.size >= MAX_KINDS) seen.clear();
      seen.set(kind, now());
      await mkdir(options.dir, { recursive: true });
      await prune(options.dir, options.maxFiles ?? DEFAULT_MAX_FILES, now() - maxAgeMs);
      const file = join(options.dir, `${kind}.html`);
      await writeFile(
        file,
        `<!-- ${url.replaceAll('--', '%2D%2D')} ${code} ${new Date(now()).toISOString()} -->\n${html.slice(0, MAX_CHARS)}`,
      );
      if (screenshot !== undefined) await writeFile(join(options.dir, `${kind}.png`), screenshot);
      return file;
    },
  };
}

async function prune(dir: string, maxFiles: number, oldestMs: number): Promise<void> {
  const names = await readdir(dir);
  const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(dir, name))).mtimeMs })));
  files.sort((a, b) => b.at - a.at);
  const gone = files.filter(({ at }, index) => at < oldestMs || index >= maxFiles - 2);
  await Promise.all(gone.map(({ name }) => rm(join(dir, name), { force: true })));
}

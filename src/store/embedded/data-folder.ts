// The folder of the embedded server and the user it runs as. PostgreSQL refuses root, so under root it runs as another user, who must be able to open
// binaries and data: with a home below a closed folder (mode 0700) the `postgres` folder goes to /var/lib/windrow, with a symlink to it.
// Whether the user can open a path is tried, never computed: modes, access lists and mount options all matter.
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, realpath, rmdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../model/errors.ts';

const run = promisify(execFile);

export interface ServerUser {
  /** Left out when we are not root: the server then runs as we do. */
  ids: { uid: number; gid: number } | undefined;
  /** For messages. */
  name: string;
}

export interface DataFolder {
  /** Absolute, without symlinks: `data`, `conf`, and a copy of the binaries if one was needed. */
  folder: string;
  user: ServerUser;
}

export interface DataFolderOptions {
  home: string;
  /** Where the server's folder goes when its user cannot reach the home. */
  systemDir: string;
  log: (event: string, fields?: object) => void;
}

export async function findDataFolder(options: DataFolderOptions): Promise<DataFolder> {
  const user = await chooseUser(options.home);
  return { folder: await chooseFolder(options, user), user };
}

/** Under root: whoever owns the data or the home already, else `postgres`, else `nobody`. initdb needs a user that has a name. */
async function chooseUser(home: string): Promise<ServerUser> {
  const uid = process.getuid?.();
  if (uid !== 0) return { ids: undefined, name: `user ${uid}` };
  for (const path of [join(home, 'postgres', 'data'), home]) {
    const owner = await stat(path).catch(orUndefined);
    if (owner && owner.uid !== 0) return { ids: { uid: owner.uid, gid: owner.gid }, name: `user ${owner.uid}` };
  }
  for (const name of ['postgres', 'nobody']) {
    const found = await lookUp(name);
    if (found) return { ids: found, name: `user ${name}` };
  }
  throw new AppError(
    'embedded_failed',
    'PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody". Add one (useradd --system postgres), run Windrow as another user, or set DATABASE_URL.',
  );
}

async function lookUp(name: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch (error) {
    // `id` ends with 1 for a user that does not exist.
    if ((error as { code?: unknown }).code === 1) return undefined;
    throw error;
  }
}

async function chooseFolder(options: DataFolderOptions, user: ServerUser): Promise<string> {
  const wanted = join(options.home, 'postgres');
  const isNew = (await lstat(wanted).catch(orUndefined)) === undefined;
  if (isNew) await mkdir(wanted, { mode: folderMode(user) });
  const folder = await realpath(wanted).catch((error) => {
    throw new AppError(
      'embedded_failed',
      `${wanted} is a link to a folder that does not exist. Restore the folder, or delete the link to start with an empty database.`,
      {
        cause: error,
      },
    );
  });
  if (await canReach(folder, user)) return folder;
  if ((await readdir(folder)).length > 0) {
    throw new AppError(
      'embedded_failed',
      `The user ${user.name} owns the data in ${folder} but cannot open it any more. Allow access (chmod o+x on the folders above it), or move the folder and set WINDROW_HOME.`,
    );
  }
  return moveElsewhere(wanted, options, user);
}

async function moveElsewhere(wanted: string, options: DataFolderOptions, user: ServerUser): Promise<string> {
  const folder = join(options.systemDir, crypto.randomUUID().slice(0, 8));
  try {
    await mkdir(options.systemDir, { recursive: true });
    await chmod(options.systemDir, 0o755);
    await mkdir(folder);
    await chmod(folder, folderMode(user));
  } catch (error) {
    throw new AppError('embedded_failed', unreachable(wanted, options.systemDir, user), { cause: error });
  }
  if (!(await canReach(folder, user)))
    throw new AppError('embedded_failed', unreachable(wanted, options.systemDir, user));
  await rmdir(wanted);
  await symlink(folder, wanted);
  options.log('embedded.placed_elsewhere', {
    folder,
    link: wanted,
    reason: `the user ${user.name} cannot open the home folder`,
  });
  return realpath(folder);
}

function unreachable(wanted: string, systemDir: string, user: ServerUser): string {
  return `PostgreSQL does not run as root, and the user ${user.name} cannot open ${wanted} or ${systemDir}. Set WINDROW_HOME to a folder that other users can open, or run Windrow as another user.`;
}

/** Root's folder must be passable for the server's user; everything inside it that matters is closed. */
function folderMode(user: ServerUser): number {
  return user.ids ? 0o711 : 0o700;
}

async function canReach(folder: string, user: ServerUser): Promise<boolean> {
  return succeeds('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], user);
}

export async function succeeds(command: string, args: string[], user: ServerUser): Promise<boolean> {
  return run(command, args, spawnAs(user)).then(
    () => true,
    () => false,
  );
}

/** From `/`: a working folder that the user cannot enter would be a failure of its own. */
export function spawnAs(user: ServerUser): { cwd: string; timeout: number; uid?: number; gid?: number } {
  return { cwd: '/', timeout: 10_000, ...user.ids };
}

export function orUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

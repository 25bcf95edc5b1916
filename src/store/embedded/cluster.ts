// The files of the private server: made once by initdb, configured at every start. Configuration is kept outside the data folder and written by
// us, so that a new Windrow changes it without touching data. Durability is never traded for speed: fsync and synchronous_commit stay on.
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../model/errors.ts';
import { type DataFolder, orUndefined } from './data-folder.ts';
import { guardedProcess } from './process-guard.ts';

const PG_MAJOR = '18';
export const PG_USER = 'windrow';
export const PG_DATABASE = 'windrow';
const INIT_LIMIT_MS = 120_000;

export function dataFolder(place: DataFolder): string {
  return join(place.folder, 'data');
}

/** Creates the data folder if there is none. Killed half-way it leaves only a draft, which the next start deletes. */
export async function ensureCluster(
  place: DataFolder,
  bin: string,
  logFile: string,
  signal: AbortSignal | undefined,
): Promise<{ isNew: boolean }> {
  await removeDrafts(place);
  const data = dataFolder(place);
  const version = (await readFile(join(data, 'PG_VERSION'), 'utf8').catch(orUndefined))?.trim();
  if (version === PG_MAJOR) return { isNew: false };
  if (version !== undefined) throw otherVersion(data, version);
  if (await readdir(data).catch(orUndefined)) {
    throw new AppError(
      'embedded_failed',
      `${data} exists but has no PostgreSQL data (no PG_VERSION). If you do not need it, delete it: rm -r '${data}'`,
    );
  }
  const draft = join(place.folder, `data.draft-${crypto.randomUUID().slice(0, 8)}`);
  await mkdir(draft, { mode: 0o700 });
  if (place.user.ids) await chown(draft, place.user.ids.uid, place.user.ids.gid);
  await initialise(draft, place, bin, logFile, signal);
  await rename(draft, data);
  return { isNew: true };
}

async function initialise(
  draft: string,
  place: DataFolder,
  bin: string,
  logFile: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  // The builtin locale sorts the same on every machine, so indexes survive a change of libc.
  const args = [
    `--pgdata=${draft}`,
    `--username=${PG_USER}`,
    '--auth=peer',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const initdb = await guardedProcess({ command: join(bin, 'initdb'), args, user: place.user, logFile });
  const limit = AbortSignal.any([AbortSignal.timeout(INIT_LIMIT_MS), ...(signal ? [signal] : [])]);
  const stop = () => initdb.end();
  limit.addEventListener('abort', stop, { once: true });
  const code = await initdb.exited;
  limit.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (code === 0) return;
  const reason = limit.aborted ? `it took longer than ${INIT_LIMIT_MS / 1000} s` : await initdb.logTail();
  throw new AppError('embedded_failed', `initdb could not create ${draft}: ${reason}`, { details: { logFile } });
}

async function removeDrafts(place: DataFolder): Promise<void> {
  const drafts = (await readdir(place.folder)).filter((name) => name.startsWith('data.draft-'));
  // An initdb whose parent was killed may still be writing for a moment; its guard is ending it.
  for (const name of drafts)
    await rm(join(place.folder, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function otherVersion(data: string, version: string): AppError {
  return new AppError(
    'embedded_failed',
    `${data} was created by PostgreSQL ${version}. This Windrow has PostgreSQL ${PG_MAJOR}, which cannot read it. Use the Windrow release that created it, or start with an empty database: mv '${data}' '${data}-${version}'. To keep the old data, run a PostgreSQL ${version} server on the moved folder and copy the data with pg_dump --data-only.`,
    { details: { found: version, needed: PG_MAJOR } },
  );
}

/** Writes the three configuration files and gives the path of the main one. */
export async function writeConfiguration(place: DataFolder, socketDir: string): Promise<string> {
  const conf = join(place.folder, 'conf');
  await mkdir(conf, { recursive: true, mode: 0o755 });
  const files = {
    'postgresql.conf': postgresqlConf(conf, socketDir),
    // Only the system users in the map get in, whatever the modes on the way to the socket.
    'pg_hba.conf': 'local all all peer map=windrow\n',
    'pg_ident.conf': [...new Set([userInfo().username, 'root'])]
      .map((name) => `windrow "${name}" ${PG_USER}\n`)
      .join(''),
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(conf, `${name}.draft`), text, { mode: 0o644 });
    await rename(join(conf, `${name}.draft`), join(conf, name));
  }
  return join(conf, 'postgresql.conf');
}

function postgresqlConf(conf: string, socketDir: string): string {
  const settings: Record<string, string> = {
    hba_file: join(conf, 'pg_hba.conf'),
    ident_file: join(conf, 'pg_ident.conf'),
    listen_addresses: '',
    unix_socket_directories: `"${socketDir}"`,
    unix_socket_permissions: '0700',
    max_connections: '60',
    shared_buffers: '128MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    effective_cache_size: '512MB',
    random_page_cost: '1.1',
    jit: 'off',
    // Parallel plans need /dev/shm, which containers keep at 64 MB, and a small machine has no cores to spare.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    io_method: 'sync',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // No replica ever reads this log, so it carries only what recovery needs.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    min_wal_size: '80MB',
    // Bounds both the disk used and the time recovery takes after a crash.
    max_wal_size: '512MB',
    checkpoint_timeout: '10min',
    // Queue tables change every row many times.
    autovacuum_naptime: '15s',
    autovacuum_max_workers: '2',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    log_autovacuum_min_duration: '-1',
    // Details would quote values of rows.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  };
  return Object.entries(settings)
    .map(
      ([name, value]) =>
        `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n')}'\n`,
    )
    .join('');
}

// `windrow backup <file>`: everything that the database holds, as it was at one moment, in one file. The server may run meanwhile.
import { createWriteStream, existsSync, readdirSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { windrowVersion } from '../../../compose/process/version.ts';
import { AppError } from '../../../model/errors.ts';
import { type BackupSummary, writeBackup } from '../../../store/backup/backup.ts';
import { onDatabase } from '../../../store/backup/open-database.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';

const STDOUT = '-';
/** Folders in WINDROW_HOME with files that the database only mentions. */
const FILES = ['archive', 'snapshots', 'alerts'];

export const make = () =>
  takesSettings(
    command({
      name: 'backup',
      about:
        'Writes everything in the database (DATABASE_URL, or the embedded one) to a file. The server may keep running.',
      examples: [
        ['windrow backup windrow-monday.gz', 'to a file that only you can read: it holds keys and secrets of webhooks'],
        ['windrow backup - | ssh backup@nas "cat > windrow.gz"', 'to another machine, without a file here'],
        ['windrow restore windrow-monday.gz', 'the way back, also into another PostgreSQL'],
      ],
      notes: 'No programs of PostgreSQL are needed. Files in WINDROW_HOME (archive, snapshots, alerts) are not in it.',
    }).argument('<file>', 'the file to write; - for standard output'),
    ['home'],
  ).action(async (file: string, options: Record<string, unknown>) => {
    const terminal = createTerminal({ json: Boolean(options.json) });
    const config = loadConfig({
      flags: flagsFrom(options),
      file: options.config as string | undefined,
      warn: (line) => terminal.say(`warning: ${line}`),
    });
    const onTable = (name: string): void => terminal.progress(`reading ${name}…`);
    const summary = await onDatabase(config, { makesOne: false }, (client) =>
      file === STDOUT
        ? toStdout((out) => writeBackup(client, out, { windrow: windrowVersion(), onTable }))
        : toFile(resolve(file), (out) => writeBackup(client, out, { windrow: windrowVersion(), onTable })),
    );
    terminal.progress(null);
    tell(terminal, file, summary, { home: config.home, isJson: Boolean(options.json) });
  });

type Write = (out: Writable) => Promise<BackupSummary>;

/** Not `process.stdout`: that a reader left early would be no failure there. */
async function toStdout(write: Write): Promise<BackupSummary> {
  if (isatty(1))
    throw new AppError('invalid_usage', 'A backup is not for a terminal: send it on with | or >, or name a file.');
  return write(createWriteStream('', { fd: 1, autoClose: false }));
}

/** Under its name only when it is whole and on the disk. */
async function toFile(path: string, write: Write): Promise<BackupSummary> {
  if (existsSync(path)) throw new AppError('invalid_usage', `${path} exists already. Choose another name.`);
  const draft = `${path}.partial`;
  const handle = await open(draft, 'w', 0o600).catch((error: Error) =>
    Promise.reject(new AppError('invalid_usage', `${path} cannot be written: ${error.message}`, { cause: error })),
  );
  try {
    const summary = await write(handle.createWriteStream({ flush: true }));
    await rename(draft, path);
    return summary;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

function tell(
  terminal: Terminal,
  file: string,
  { migration, rows }: BackupSummary,
  { home, isJson }: { home: string; isJson: boolean },
): void {
  const bytes = file === STDOUT ? null : statSync(resolve(file)).size;
  if (isJson && file !== STDOUT) {
    terminal.document({ file: resolve(file), bytes, migration, rows });
    return;
  }
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const size = bytes === null ? '' : `, ${(bytes / 1_000_000).toFixed(bytes < 1_000_000 ? 3 : 1)} MB`;
  terminal.say(`Backed up ${total.toLocaleString('en')} rows of ${Object.keys(rows).length} tables${size}.`);
  const left = FILES.map((name) => join(home, name)).filter((path) => existsSync(path) && readdirSync(path).length > 0);
  if (left.length > 0) terminal.say(`Not in it, copy them yourself: ${left.join(', ')}`);
}

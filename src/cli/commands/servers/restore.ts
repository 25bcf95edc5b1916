// `windrow restore <file>`: puts a backup into an empty database, or in place of what is in one.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { AppError } from '../../../model/errors.ts';
import { onDatabase } from '../../../store/backup/open-database.ts';
import { type RestoreSummary, restoreBackup } from '../../../store/backup/restore.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { createTerminal, type Terminal } from '../../terminal/terminal.ts';

const STDIN = '-';

export const make = () =>
  takesSettings(
    command({
      name: 'restore',
      about:
        'Puts a backup into the database (DATABASE_URL, or the embedded one). It has to be empty, and no Windrow may run on it.',
      examples: [
        ['windrow restore windrow-monday.gz', 'into the embedded database of WINDROW_HOME'],
        ['DATABASE_URL=postgres://… windrow restore windrow-monday.gz', 'into a PostgreSQL of your own'],
        ['windrow restore --force windrow-monday.gz', 'in place of everything that the database holds now'],
      ],
      notes: 'If it fails, the database is as it was before. Work that had been accepted goes on at the next start.',
    })
      .argument('<file>', 'a file of `windrow backup`; - for standard input')
      .option('--force', 'replace what the database holds; it is lost'),
    ['home'],
  ).action(async (file: string, options: Record<string, unknown>) => {
    const terminal = createTerminal({ json: Boolean(options.json) });
    const config = loadConfig({
      flags: flagsFrom(options),
      file: options.config as string | undefined,
      warn: (line) => terminal.say(`warning: ${line}`),
    });
    const source = await opened(file);
    const summary = await onDatabase(config, { makesOne: true }, (client) =>
      restoreBackup(client, source, {
        isForced: Boolean(options.force),
        onTable: (name) => terminal.progress(`filling ${name}…`),
      }),
    ).finally(() => terminal.progress(null));
    if (options.json) terminal.document({ ...summary });
    else tell(terminal, summary);
  });

async function opened(file: string): Promise<Readable> {
  if (file !== STDIN) {
    const handle = await open(resolve(file)).catch((error: Error) =>
      Promise.reject(new AppError('invalid_usage', `${file} cannot be read: ${error.message}`, { cause: error })),
    );
    return handle.createReadStream();
  }
  if (isatty(0)) throw new AppError('invalid_usage', 'Nothing comes in: send a backup with <, or name its file.');
  return createReadStream('', { fd: 0, autoClose: false });
}

function tell(terminal: Terminal, { windrow, at, applied, rows }: RestoreSummary): void {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  terminal.say(
    `Restored ${total.toLocaleString('en')} rows of ${Object.keys(rows).length} tables: a backup of ${at.slice(0, 16).replace('T', ' ')} UTC by Windrow ${windrow}.`,
  );
  if (applied.length > 0) terminal.say(`Brought up to date with ${applied.length} migrations: ${applied.join(', ')}`);
  terminal.say('Accepted work goes on when Windrow starts.');
}

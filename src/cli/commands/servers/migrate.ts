// `windrow migrate`: applies migrations and starts nothing else, for deployments with a separate migration step.
import { connectionError } from '../../../model/server/connection-error.ts';
import { createLog } from '../../../observe/log.ts';
import { migrate } from '../../../store/postgres/migrate.ts';
import { createPool } from '../../../store/postgres/pool.ts';
import { command, takesSettings } from '../../command.ts';
import { flagsFrom } from '../../settings/flags.ts';
import { loadConfig } from '../../settings/load.ts';
import { createTerminal } from '../../terminal/terminal.ts';

export const make = () =>
  takesSettings(
    command({
      name: 'migrate',
      about: 'Applies migrations to the database in DATABASE_URL. Every server process also does this at its start.',
      examples: [['DATABASE_URL=postgres://… windrow migrate', 'as a separate step of a deployment']],
    }),
    [],
  ).action(async (options: Record<string, unknown>) => {
    const terminal = createTerminal({ json: Boolean(options.json) });
    const config = loadConfig({
      flags: flagsFrom(options),
      file: options.config as string | undefined,
      needs: ['databaseUrl'],
      warn: (line) => terminal.say(`warning: ${line}`),
    });
    const log = createLog({ level: config.logLevel === 'info' ? 'warn' : config.logLevel });
    const pool = createPool({
      connection: config.databaseUrl!,
      max: 1,
      onError: (error) => log.warn('store.connection_lost', { error }),
    });
    try {
      const at = { server: 'PostgreSQL', setting: 'DATABASE_URL', url: config.databaseUrl! } as const;
      const applied = await migrate(pool).catch((error: unknown) => Promise.reject(connectionError(at, error)));
      if (options.json) terminal.document({ applied });
      else if (applied.length === 0) terminal.say('The database is up to date.');
      else for (const { name } of applied) terminal.say(`applied ${name}`);
    } finally {
      await pool.end();
    }
  });

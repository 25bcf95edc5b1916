// The database for a command that reads or replaces all of it: that of DATABASE_URL, or the embedded one of a home folder, whether a Windrow runs there now or not.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { AppError } from '../../model/errors.ts';
import { connectionError } from '../../model/server/connection-error.ts';
import { readHome, startEmbedded } from '../embedded/embedded.ts';

export interface DatabaseAt {
  databaseUrl?: string | undefined;
  home: string;
}

export async function onDatabase<T>(
  { databaseUrl, home }: DatabaseAt,
  { makesOne }: { makesOne: boolean },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  if (databaseUrl) {
    const at = { server: 'PostgreSQL', setting: 'DATABASE_URL', url: databaseUrl } as const;
    const refuse = (error: unknown): never => {
      throw connectionError(at, error);
    };
    return connected({ connectionString: databaseUrl }, work, refuse);
  }
  const running = (await readHome(home))?.postgres;
  if (running) return connected({ host: running.socketDir, user: running.user, database: running.database }, work);
  if (!makesOne && !existsSync(join(home, 'postgres')))
    throw new AppError(
      'unusable_backup',
      `There is no database in ${home}. Name another folder with --home, or set DATABASE_URL.`,
    );
  const server = await startEmbedded({ home });
  try {
    return await connected(server.connection, work);
  } finally {
    await server.stop();
  }
}

async function connected<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
  refuse?: (error: unknown) => never,
): Promise<T> {
  const client = new pg.Client({
    ...config,
    application_name: 'windrow-backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that breaks fails what runs on it; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect().catch((error: unknown) => (refuse ? refuse(error) : Promise.reject(error)));
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

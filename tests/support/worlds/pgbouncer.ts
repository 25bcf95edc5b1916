// A PgBouncer of the test's own in front of a PostgreSQL: transactions of many clients take turns on few connections.
import { join } from 'node:path';
import { guardedProcess } from '../../../src/store/embedded/process-guard.ts';
import {
  answersSql,
  freePort,
  type OwnPostgres,
  required,
  serverFolder,
  serverUser,
  untilAnswers,
  writeFor,
} from '../own-servers.ts';

export interface OwnPgBouncer {
  /** The same database as that of the server, through it. */
  url: string;
  stop(): Promise<void>;
}

export async function startPgBouncer(
  postgres: OwnPostgres,
  settings: Record<string, string | number> = {},
): Promise<OwnPgBouncer> {
  const user = serverUser();
  const { folder, logFile } = serverFolder('pgbouncer', user);
  const port = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    max_client_conn: 500,
    default_pool_size: 6,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  const target = `* = host=127.0.0.1 port=${postgres.port} user=windrow`;
  writeFor(user, file, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'));
  const server = await guardedProcess({ command: required('TEST_PGBOUNCER'), args: [file], user, logFile });
  const url = `postgres://windrow@127.0.0.1:${port}/postgres`;
  await untilAnswers(() => answersSql(url), server, 'PgBouncer');
  return {
    url,
    async stop() {
      server.end();
      await server.exited;
    },
  };
}

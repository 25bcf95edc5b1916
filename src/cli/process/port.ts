// Whether the port of the API can be listened on. Checked before a database is started, so that a port in use is known at once.
import { createServer } from 'node:net';
import type { Config } from '../../config.ts';
import { AppError } from '../../model/errors.ts';
import { readHome } from '../../store/embedded/home.ts';

type Address = Pick<Config, 'host' | 'port'>;

const TRIES = 20;

/** Null when it is free. `sharesPort`: others may listen on it too, if they share it as well. */
export function portProblem({ host, port }: Address, sharesPort = false): Promise<NodeJS.ErrnoException | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', done);
    server.listen({ host, port, exclusive: true, reusePort: sharesPort }, () => server.close(() => done(null)));
  });
}

export async function requireFreePort(config: Config, sharesPort = false): Promise<void> {
  if (config.port === 0) return;
  const problem = await portProblem(config, sharesPort);
  if (problem?.code !== 'EADDRINUSE') return;
  // Another Windrow has the home folder: the lock will refuse it too, and names the process.
  if (!config.databaseUrl && (await readHome(config.home))) return;
  throw new AppError('port_in_use', await portInUse(config));
}

async function portInUse({ host, port }: Address): Promise<string> {
  for (let other = port + 1; other <= Math.min(port + TRIES, 65_535); other++)
    if ((await portProblem({ host, port: other })) === null) return `Port ${port} is in use. Try --port ${other}.`;
  return `Port ${port} is in use. Choose another with --port.`;
}

// A listening socket that was opened before this process, by systemd (windrow-api.socket) or whatever speaks its protocol. What comes while no process listens
// waits in it, so a restart refuses nobody.
import { AppError } from '../../model/errors.ts';

/** The first that systemd passes on. */
const FIRST = 3;

/** Null when there is none. The variables may be meant for another process, unless they name this one or the launcher that started it. */
export function inheritedSocket(env = process.env, { pid, ppid } = process): number | null {
  const { LISTEN_FDS, LISTEN_PID } = env;
  if (!LISTEN_FDS || ![pid, ppid].includes(Number(LISTEN_PID))) return null;
  if (LISTEN_FDS !== '1')
    throw new AppError(
      'invalid_config',
      `${LISTEN_FDS} sockets were passed on (LISTEN_FDS), one is needed. Leave one ListenStream= in windrow-api.socket.`,
    );
  return FIRST;
}

/** How a process gets the same socket that this one has. */
export const handedOn = (socket: number | null = null) =>
  socket === null
    ? {}
    : {
        stdio: ['inherit', 'inherit', 'inherit', socket, 'ipc'] as ('inherit' | 'ipc' | number)[],
        env: { ...process.env, LISTEN_FDS: '1', LISTEN_PID: String(process.pid) },
      };

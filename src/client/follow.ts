// A run, followed until it ends: its state now, then every change, over one WebSocket. A connection that is lost is made anew; the server says the current state
// first, so that nothing is missed, and the last state is never missed.
import { ApiError } from './errors.ts';
import type { Connection } from './request.ts';
import { backoffMs } from './retry.ts';
import type { Reply } from './routes.ts';
import { pause } from './wait.ts';

export interface RunState {
  run_id: string;
  status: 'PENDING' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  completed: number;
  failed: number;
  total: number;
  /** Why nothing moves, while nothing does. */
  waiting?: Reply<'GET /runs/{run_id}'> extends { waiting?: infer W } ? W : never;
}

export interface FollowOptions {
  signal?: AbortSignal;
  /** How long the server may be away before that is an error. Default: five minutes. */
  awayMs?: number;
}

const AWAY_MS = 300_000;
/** A connection whose packets vanish looks like a run in which nothing happens: it is made anew, and says the state again. */
const SILENT_MS = 60_000;
const UNKNOWN = 4404;
const isFinal = (status: string): boolean => status !== 'PENDING' && status !== 'IN_PROGRESS';

export async function* followRun(
  connection: Connection,
  runId: string,
  { signal, awayMs = AWAY_MS }: FollowOptions = {},
): AsyncGenerator<RunState, RunState, undefined> {
  let heardAt = Date.now();
  let last = '';
  for (let failed = 1; ; failed++) {
    for await (const state of statesOf(connection, runId, signal)) {
      heardAt = Date.now();
      failed = 1;
      const text = JSON.stringify(state);
      if (text !== last) yield state;
      last = text;
      if (isFinal(state.status)) return state;
    }
    signal?.throwIfAborted();
    if (Date.now() - heardAt > awayMs)
      throw new ApiError(
        `The server is away for more than ${Math.round(awayMs / 1_000)} s. The run goes on without this program.`,
      );
    await pause(backoffMs(failed), signal);
  }
}

/** The states of one connection. Ends when the connection does, for whatever reason that another one may not have. */
async function* statesOf(
  connection: Connection,
  runId: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunState, void, undefined> {
  const address = connection.address(`/ws/jobs/${encodeURIComponent(runId)}`);
  address.protocol = address.protocol.replace('http', 'ws');
  if (connection.key !== undefined)
    try {
      address.searchParams.set(
        'ticket',
        (await connection.call('POST /ws/ticket', { ...(signal ? { signal } : {}) })).ticket,
      );
    } catch (error) {
      // A key that is refused will be refused again; a server that is away comes back.
      if (error instanceof ApiError && error.status > 0 && error.status < 500) throw error;
      return;
    }
  const socket = new WebSocket(address);
  const waiting: RunState[] = [];
  let wake = (): void => {};
  let closed: { code: number } | null = null;
  const close = (): void => socket.close();
  signal?.addEventListener('abort', close, { once: true });
  socket.addEventListener('message', ({ data }) => {
    waiting.push(stateOf(runId, String(data)));
    wake();
  });
  socket.addEventListener('error', () => {});
  socket.addEventListener('close', ({ code }) => {
    closed = { code };
    wake();
  });
  try {
    for (;;) {
      const state = waiting.shift();
      if (state) yield state;
      else if (closed) break;
      else
        await new Promise<void>((resolve) => {
          const silent = setTimeout(() => {
            closed ??= { code: 0 };
            resolve();
          }, SILENT_MS);
          wake = () => {
            clearTimeout(silent);
            resolve();
          };
        });
    }
    if ((closed as { code: number } | null)?.code === UNKNOWN)
      throw new ApiError(`There is no run ${runId}, or it is too old.`, { status: 404, code: 'unknown_id' });
  } finally {
    signal?.removeEventListener('abort', close);
    socket.close();
  }
}

function stateOf(runId: string, text: string): RunState {
  const { status, completed, failed, total, waiting } = JSON.parse(text) as RunState;
  return { run_id: runId, status, completed, failed, total, ...(waiting ? { waiting } : {}) };
}

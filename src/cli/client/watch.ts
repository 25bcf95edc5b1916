// Follows a run of any kind to its end over its WebSocket. If the socket cannot be opened or breaks, it polls once a second instead.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';

export interface RunState {
  status: string;
  completed: number;
  failed: number;
  total: number;
  /** Why nothing of it moves. */
  waiting?: { reason: string; message: string };
}

const POLL_MS = 1_000;
/** Of runs of any kind, in the words of sockets. */
const WORDS: Record<string, string> = {
  running: 'IN_PROGRESS',
  completed: 'COMPLETED',
  partial: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
};
const FINAL = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

export const isEnded = (status: string): boolean => FINAL.has(status);

/** Resolves with the final state; rejects only when the server is gone or does not know the run. */
export async function watchRun(
  client: Client,
  id: string,
  onState: (state: RunState) => void,
  signal: AbortSignal,
): Promise<RunState | null> {
  let last = await askState(client, id);
  onState(last);
  const take = (state: RunState): void => {
    last = state;
    onState(state);
  };
  if (!isEnded(last.status)) await followSocket(client, id, take, signal);
  while (!isEnded(last.status) && !signal.aborted) {
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    take(await askState(client, id));
  }
  return isEnded(last.status) ? last : null;
}

async function askState(client: Client, id: string): Promise<RunState> {
  const run = await client.get<RunState>(`/runs/${encodeURIComponent(id)}`);
  const { completed, failed, total, waiting } = run;
  return { status: WORDS[run.status] ?? run.status, completed, failed, total, ...(waiting ? { waiting } : {}) };
}

/** Resolves when the socket is closed, for whatever reason. */
async function followSocket(
  client: Client,
  id: string,
  onState: (state: RunState) => void,
  signal: AbortSignal,
): Promise<void> {
  const socket = new WebSocket(await client.socketAddress(`/ws/jobs/${encodeURIComponent(id)}`));
  const close = () => socket.close();
  signal.addEventListener('abort', close, { once: true });
  await new Promise<void>((resolve) => {
    socket.onmessage = ({ data }) => {
      const { status, completed, failed, total, waiting } = JSON.parse(String(data)) as RunState;
      onState({ status, completed, failed, total, ...(waiting ? { waiting } : {}) });
      if (isEnded(status)) resolve();
    };
    socket.onclose = () => resolve();
    socket.onerror = () => resolve();
  });
  signal.removeEventListener('abort', close);
  close();
}

// The one WebSocket of the page. What it says are the latest states of runs (deltas); lists are read once and patched with them. It closes while the page
// is paused, or hidden for a while, and comes back with backoff; who listens is told by `connections`, since what was said meanwhile is lost.
import { effect, signal } from '@preact/signals';
import type { Schemas } from '../../client/routes.generated.ts';
import { call } from '../api/call.ts';
import { Problem } from '../api/problem.ts';
import { backoffMs } from './backoff.ts';
import { isHidden } from './clock.ts';

export interface RunUpdate {
  job_id: string;
  status: 'PENDING' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  completed: number;
  failed: number;
  total: number;
  waiting?: Schemas['Waiting'];
}

export type LiveState = 'connecting' | 'live' | 'lost' | 'paused';

export const liveState = signal<LiveState>('connecting');
/** How often it was connected: a change means that answers have to be read again. */
export const connections = signal(0);
/** When the next try is made, while the connection is lost. */
export const nextTryAt = signal(0);
/** The pause button. */
export const isPaused = signal(false);

const HIDDEN_MS = 20_000;
const listeners = new Set<(updates: RunUpdate[]) => void>();

/** Returns how to stop listening. */
export function onUpdates(listener: (updates: RunUpdate[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let socket: WebSocket | null = null;
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Increased by every change of mind, so that an answer that comes late is known as such. */
let generation = 0;
let isWanted = false;

async function connect(): Promise<void> {
  clearTimeout(timer);
  const own = ++generation;
  if (liveState.value !== 'lost') liveState.value = 'connecting';
  try {
    const { ticket } = await call('POST /ws/ticket');
    if (own !== generation) return;
    const address = new URL(`/ws?batch=1&ticket=${encodeURIComponent(ticket)}`, location.href.replace(/^http/, 'ws'));
    const made = new WebSocket(address);
    socket = made;
    made.addEventListener('open', () => {
      if (own !== generation) return;
      tries = 0;
      liveState.value = 'live';
      connections.value++;
    });
    made.addEventListener('message', ({ data }) => {
      if (own === generation) hand(String(data));
    });
    made.addEventListener('close', () => {
      if (own === generation) lose();
    });
  } catch (error) {
    if (own !== generation) return;
    // Nobody is signed in: the sign-in page connects again.
    if (error instanceof Problem && error.status === 401) disconnect('connecting');
    else lose();
  }
}

function hand(text: string): void {
  const updates = JSON.parse(text) as RunUpdate[];
  if (updates.length > 0) for (const listener of listeners) listener(updates);
}

function lose(): void {
  socket = null;
  liveState.value = 'lost';
  const waitMs = backoffMs(tries++);
  nextTryAt.value = Date.now() + waitMs;
  timer = setTimeout(() => void connect(), waitMs);
}

function disconnect(state: LiveState): void {
  generation++;
  clearTimeout(timer);
  socket?.close(1000);
  socket = null;
  liveState.value = state;
}

/** The button of the banner. */
export function retryNow(): void {
  tries = 0;
  void connect();
}

function want(wanted: boolean): void {
  if (wanted === isWanted) return;
  isWanted = wanted;
  if (wanted) void connect();
  else disconnect('paused');
}

/** Begins; called once, when somebody is signed in. */
export function startUpdates(): void {
  let hiding: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    clearTimeout(hiding);
    if (isPaused.value) want(false);
    else if (isHidden.value) hiding = setTimeout(() => want(false), HIDDEN_MS);
    else want(true);
  });
}

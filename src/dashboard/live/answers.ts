// `useAnswer`: what a route of the API says, kept fresh: read at once, again every so often while the page is visible and not paused, at once when the
// connection comes back, and never twice at a time. While a new answer is on its way the old one stays; when it fails, the old one stays too, with its age.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call, type Given, type Reply, type RouteName } from '../api/call.ts';
import { asProblem, type Problem, UNREACHABLE } from '../api/problem.ts';
import { backoffMs } from './backoff.ts';
import { isHidden } from './clock.ts';
import { connections, isPaused } from './updates.ts';

export interface Answer<T> {
  data: T | null;
  problem: Problem | null;
  /** Nothing has come yet. */
  isFirst: boolean;
  /** When `data` was read. */
  at: number;
  /** What `data` answers: it stays until the answer to the next question has come. */
  question: string;
  reload(): void;
  /** Changes what is shown until the next answer: updates of the socket, and what the user has just done. */
  patch(change: (data: T) => T): void;
}

/** When each answer on the screen was read; those that are read once are not in it. */
const ages = new Map<object, number>();
export const oldestAt = signal<number | null>(null);

function noteAge(owner: object, at: number | null): void {
  if (at === null) ages.delete(owner);
  else ages.set(owner, at);
  oldestAt.value = ages.size === 0 ? null : Math.min(...ages.values());
}

export interface Asking {
  /** Seconds between two readings; 0: read once. */
  every?: number;
  /** False: do not ask. */
  isOn?: boolean;
}

export function useAnswer<R extends RouteName>(
  name: R,
  given: Omit<Given<R>, 'signal'>,
  { every = 10, isOn = true }: Asking = {},
): Answer<Reply<R>> {
  const state = useSignal<Omit<Answer<Reply<R>>, 'reload' | 'patch'>>({
    data: null,
    problem: null,
    isFirst: true,
    at: 0,
    question: '',
  });
  const reader = useRef<{ read(): void }>({ read() {} });
  const key = `${name} ${JSON.stringify(given)}`;
  const shownKey = useRef(key);
  const hasToWait = isPaused.value || isHidden.value;
  const connection = connections.value;

  // Also when the connection came back: what was said meanwhile is lost.
  useEffect(() => {
    if (!isOn) return;
    const isSame = shownKey.current === key;
    if (!isSame) {
      // Something else is asked: what is shown belongs to the question before.
      shownKey.current = key;
      state.value = { ...state.value, problem: null, isFirst: state.value.data === null };
    }
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isReading = false;
    let isWanted = false;
    let tries = 0;
    const plan = (ms: number) => {
      clearTimeout(timer);
      if (!stop.signal.aborted && (every > 0 || tries > 0) && !hasToWait) timer = setTimeout(read, ms);
    };
    async function read(): Promise<void> {
      if (isReading) {
        isWanted = true;
        return;
      }
      isReading = true;
      isWanted = false;
      try {
        const ask = call as (name: R, given: object) => Promise<Reply<R>>;
        const data = await ask(name, { ...given, signal: stop.signal });
        if (stop.signal.aborted) return;
        tries = 0;
        const at = Date.now();
        state.value = { data, problem: null, isFirst: false, at, question: key };
        if (every > 0) noteAge(state, at);
        plan(every * 1_000);
      } catch (error) {
        if (stop.signal.aborted) return;
        const problem = asProblem(error);
        state.value = { ...state.value, problem, isFirst: false };
        tries++;
        // What is wrong with the question stays wrong.
        if (problem.code === UNREACHABLE || problem.status >= 500 || problem.status === 429)
          plan(Math.max((problem.retryAfter ?? 0) * 1_000, backoffMs(tries)));
      } finally {
        isReading = false;
      }
      if (isWanted && !stop.signal.aborted) void read();
    }
    reader.current = { read: () => void read() };
    const isEnough = hasToWait && isSame && state.value.data !== null;
    if (!isEnough) void read();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, every, isOn, hasToWait, connection]);
  useEffect(() => () => noteAge(state, null), [state]);

  return {
    ...state.value,
    reload: () => reader.current.read(),
    patch(change) {
      const { data } = state.value;
      if (data !== null) state.value = { ...state.value, data: change(data) };
    },
  };
}

import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { onInterrupt } from './interrupts.ts';

function watched() {
  const from = new EventEmitter();
  const calls: string[] = [];
  let time = 5;
  const release = onInterrupt((signal) => calls.push(`first ${signal}`), {
    onAgain: (signal) => calls.push(`again ${signal}`),
    from: from as unknown as NodeJS.Process,
    now: () => time,
  });
  const send = (signal: string, afterMs: number) => {
    time += afterMs;
    from.emit(signal, signal);
  };
  return { from, calls, send, release };
}

test('one press that arrives three times is one request', () => {
  const { calls, send } = watched();
  send('SIGINT', 0);
  send('SIGINT', 1);
  send('SIGINT', 300);
  expect(calls).toEqual(['first SIGINT']);
});

test('a second press is a second request, whatever the signal', () => {
  const { calls, send } = watched();
  send('SIGTERM', 0);
  send('SIGINT', 1_000);
  expect(calls).toEqual(['first SIGTERM', 'again SIGINT']);
});

test('a copy that arrives once the work has stopped does not end the process in place of its code', () => {
  vi.useFakeTimers();
  try {
    const { from, calls, send, release } = watched();
    send('SIGINT', 0);
    send('SIGINT', 10);
    release();
    vi.advanceTimersByTime(980);
    expect(from.listenerCount('SIGINT')).toBe(1);
    send('SIGINT', 980);
    vi.advanceTimersByTime(10);
    expect(from.listenerCount('SIGINT')).toBe(0);
    expect(calls).toEqual(['first SIGINT']);
  } finally {
    vi.useRealTimers();
  }
});

test('released before any request, no signal is listened for', () => {
  const { from, release } = watched();
  release();
  expect(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => from.listenerCount(signal))).toEqual([0, 0, 0]);
});

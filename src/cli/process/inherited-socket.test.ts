import { expect, test } from 'vitest';
import { inheritedSocket } from './inherited-socket.ts';

const own = { pid: 7, ppid: 6 } as NodeJS.Process;

test('a socket is taken when it is meant for this process or for its launcher', () => {
  expect(inheritedSocket({}, own)).toBe(null);
  expect(inheritedSocket({ LISTEN_FDS: '1', LISTEN_PID: '7' }, own)).toBe(3);
  expect(inheritedSocket({ LISTEN_FDS: '1', LISTEN_PID: '6' }, own)).toBe(3);
  expect(inheritedSocket({ LISTEN_FDS: '1', LISTEN_PID: '5' }, own)).toBe(null);
  expect(() => inheritedSocket({ LISTEN_FDS: '2', LISTEN_PID: '7' }, own)).toThrow(
    /one ListenStream= in windrow-api\.socket/,
  );
});

import { expect, test } from 'vitest';
import { AppError } from '../../model/errors.ts';
import { connectionError } from '../../model/server/connection-error.ts';
import { awaitServer } from './await-server.ts';

const at = { server: 'PostgreSQL', setting: 'DATABASE_URL', url: 'postgres://db:5432/windrow' } as const;
const failed = (code: string) => connectionError(at, Object.assign(new Error('no'), { code }));
const waitsMs = [0];
const never = new AbortController().signal;

test('a server that comes later is waited for, and named once', async () => {
  let tries = 0;
  const told: string[] = [];
  const opened = await awaitServer(
    async () => {
      if (++tries < 5) throw failed(tries % 2 ? 'ECONNREFUSED' : '57P03');
      return 'open';
    },
    { signal: never, waitsMs, onWaiting: ({ message }) => told.push(message) },
  );
  expect(opened).toBe('open');
  expect(told).toEqual(['Cannot reach PostgreSQL at db:5432 (DATABASE_URL): connection refused']);
});

test.each(['28P01', '3D000'])('%s is an error at once', async (code) => {
  let tries = 0;
  const opening = awaitServer(
    () => {
      tries++;
      return Promise.reject(failed(code));
    },
    { signal: never, waitsMs, onWaiting: () => {} },
  );
  await expect(opening).rejects.toBeInstanceOf(AppError);
  expect(tries).toBe(1);
});

test('waiting ends when the process is told to stop', async () => {
  const stop = new AbortController();
  const opening = awaitServer(() => Promise.reject(failed('ENOTFOUND')), {
    signal: stop.signal,
    waitsMs: [60_000],
    onWaiting: () => stop.abort(),
  });
  await expect(opening).rejects.toMatchObject({ name: 'AbortError' });
});

import { request } from 'undici';
import { expect, test } from 'vitest';
import { startSandbox } from './server.ts';

test('the counters tell how many requests a host had at once', async () => {
  const sandbox = await startSandbox();
  try {
    const ask = async (host: string) =>
      (await request(`${sandbox.origin}/x?fault=slow:1000`, { headers: { host } })).body.dump();
    await Promise.all(['a.example', 'a.example', 'a.example', 'b.example'].map(ask));
    await ask('b.example');
    await expect.poll(() => sandbox.stats().inFlight).toBe(0);
    const { hosts, requests } = sandbox.stats();
    expect(requests).toBe(5);
    expect(hosts['a.example']).toMatchObject({
      requests: 3,
      peakInFlight: 3,
      inFlight: 0,
      statuses: { 200: 3 },
      aborted: 0,
    });
    expect(hosts['b.example']).toMatchObject({ requests: 2, peakInFlight: 1 });
    expect(hosts['b.example']?.minGapMs).toBeGreaterThanOrEqual(990);
    expect(hosts['a.example']?.peakPerSecond).toBeGreaterThanOrEqual(1);
  } finally {
    await sandbox.close();
  }
});

test('the log keeps the last hits only, in order', async () => {
  const sandbox = await startSandbox({ logSize: 3 });
  try {
    for (let i = 0; i < 8; i++)
      await (await request(`${sandbox.origin}/${i}`, { headers: { host: 'a.example' } })).body.dump();
    expect(sandbox.log().map((hit) => hit.path)).toEqual(['/5', '/6', '/7']);
    await request(`${sandbox.origin}/__sandbox/reset`, { method: 'POST' });
    expect([sandbox.log().length, sandbox.stats().requests]).toEqual([0, 0]);
  } finally {
    await sandbox.close();
  }
});

import { request } from 'undici';
import { expect, test } from 'vitest';
import { startSandbox } from '../server.ts';
import { type SeededFaults, seededFault } from './plan.ts';

const faults: SeededFaults = { rate: 0.2, kinds: ['429', '500', '503', 'captcha'], seed: 5 };
const addresses = Array.from({ length: 5000 }, (_, i) => `site-${i % 7}.example/page/${i}`);

test('the share of addresses that misbehave is the rate, and every kind occurs', () => {
  const struck = addresses.map((address) => seededFault(faults, address, 1)).filter((fault) => fault !== undefined);
  expect(struck.length / addresses.length).toBeGreaterThan(0.17);
  expect(struck.length / addresses.length).toBeLessThan(0.23);
  expect(new Set(struck.map((fault) => fault.kind)).size).toBe(4);
});

test('transient faults pass by the third attempt, others never', () => {
  expect(addresses.every((address) => seededFault(faults, address, 3) === undefined)).toBe(true);
  const lasting = { ...faults, kinds: ['404'] };
  const struck = addresses.filter((address) => seededFault(lasting, address, 1));
  expect(struck.every((address) => seededFault(lasting, address, 1000) !== undefined)).toBe(true);
});

test('another seed strikes other addresses', () => {
  const struck = (seed: number) => addresses.filter((address) => seededFault({ ...faults, seed }, address, 1));
  expect(struck(5)).toEqual(struck(5));
  expect(struck(6)).not.toEqual(struck(5));
});

test('the server does what the plan says, attempt by attempt', async () => {
  const plan: SeededFaults = { rate: 0.5, kinds: ['404', '500'], seed: 9 };
  const sandbox = await startSandbox({ faults: plan });
  try {
    for (let i = 0; i < 20; i++) {
      for (let attempt = 1; attempt <= 3; attempt++) {
        const reply = await request(`${sandbox.origin}/page/${i}`, { headers: { host: 'a.example' } });
        await reply.body.dump();
        expect(String(reply.statusCode)).toBe(seededFault(plan, `a.example/page/${i}`, attempt)?.kind ?? '200');
      }
    }
    const robots = await request(`${sandbox.origin}/robots.txt`, { headers: { host: 'a.example' } });
    await robots.body.dump();
    expect(robots.statusCode).toBe(200);
  } finally {
    await sandbox.close();
  }
});

test('wrong options are refused at the start', async () => {
  await expect(startSandbox({ faults: { rate: 20, kinds: ['500'] } })).rejects.toThrow('faults.rate');
  await expect(startSandbox({ faults: { rate: 0.2, kinds: ['5xx'] } })).rejects.toThrow('5xx');
  await expect(startSandbox({ faults: { rate: 0.2, kinds: [] } })).rejects.toThrow('faults.kinds');
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSnapshots } from './snapshots.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'windrow-shots-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const shot = (more: object = {}) => ({
  source: 'indeed',
  host: 'www.indeed.com',
  code: 'captcha',
  url: 'https://www.indeed.com/jobs?q=--x',
  html: '<p>robot?</p>',
  ...more,
});

test('the first of each kind is kept, the second is not', async () => {
  const snapshots = createSnapshots({ dir });
  const file = await snapshots.keep(shot({ screenshot: Buffer.from('png') }));
  expect(await snapshots.keep(shot())).toBeNull();
  expect(await snapshots.keep(shot({ code: 'blocked' }))).not.toBeNull();
  expect(readFileSync(file ?? '', 'utf8')).toContain('<p>robot?</p>');
  expect(readdirSync(dir).sort()).toEqual([
    'indeed__www.indeed.com__blocked.html',
    'indeed__www.indeed.com__captcha.html',
    'indeed__www.indeed.com__captcha.png',
  ]);
});

test('A7: a name made to leave the folder stays in it', async () => {
  const file = await createSnapshots({ dir }).keep(shot({ host: '../../etc/passwd' }));
  expect(file?.startsWith(`${dir}/indeed__`)).toBe(true);
  expect(file).not.toContain('/etc/');
});

test('the folder has a limit', async () => {
  const snapshots = createSnapshots({ dir, maxFiles: 6 });
  for (let i = 0; i < 20; i += 1) await snapshots.keep(shot({ host: `h${i}.example` }));
  expect(readdirSync(dir).length).toBeLessThanOrEqual(6);
});

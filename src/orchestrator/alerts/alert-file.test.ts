import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Match } from '../../store/alerts/alerts.ts';
import { appendMatches, lastMatchIn } from './alert-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windrow-file-'));
  path = join(folder, 'a.ndjson');
});
afterEach(() => rm(folder, { recursive: true }));

const match = (seq: number): Match =>
  ({ seq: String(seq), announcedAt: new Date(0), notice: { title: `Cook ${'x'.repeat(1_000)}` } }) as Match;
const append = (from: number, count: number, maxBytes = 1e9) =>
  appendMatches(
    folder,
    'a.ndjson',
    Array.from({ length: count }, (_, n) => match(from + n)),
    maxBytes,
  );
const numbersIn = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).match as number);

test('a file knows its last match, however long it is and whatever people added', async () => {
  expect(await lastMatchIn(path)).toBeNull();
  await append(1, 200);
  expect(await lastMatchIn(path)).toBe('200');
  await appendFile(path, 'a note of mine\n');
  expect(await lastMatchIn(path)).toBe('200');
});

test('half a line is cut off, and the next one begins where it was', async () => {
  await append(1, 100);
  await appendFile(path, '{"match":101,"announced_at":"20');
  expect(await lastMatchIn(path)).toBe('100');
  await append(101, 1);
  expect(await numbersIn(path)).toEqual(Array.from({ length: 101 }, (_, n) => n + 1));
  await writeFile(path, '{"match":7,"announ');
  expect(await lastMatchIn(path)).toBeNull();
  expect(await readFile(path, 'utf8')).toBe('');
});

test('a file that grows too large is put aside, and the one before it goes', async () => {
  for (let seq = 1; seq <= 5; seq++) await append(seq, 1, 2_500);
  expect((await readdir(folder)).sort()).toEqual(['a.ndjson', 'a.ndjson.old']);
  expect([await numbersIn(`${path}.old`), await numbersIn(path)]).toEqual([[3, 4], [5]]);
});

test('a table has its columns above, a row a match in one line each, and is gone on with like lines are', async () => {
  const table = join(folder, 'a.csv');
  const said = (seq: number) =>
    ({ ...match(seq), notice: { title: '=Cook,\n"chef"', job_url: 'https://x.test/' } }) as Match;
  const rows = async (file: string) => (await readFile(file, 'utf8')).split('\r\n');
  expect(await lastMatchIn(table)).toBeNull();
  await appendMatches(folder, 'a.csv', [said(1), said(2)], 1e9);
  await appendFile(table, '3,1970-01-01T');
  expect(await lastMatchIn(table)).toBe('2');
  await appendMatches(folder, 'a.csv', [said(3)], 1e9);
  const [head, ...written] = await rows(table);
  expect(head).toMatch(/^match,announced_at,job_hash,source,title,company,.*,group_id$/);
  expect(written).toEqual([
    ...[1, 2, 3].map((n) => `${n},1970-01-01T00:00:00.000Z,,,"'=Cook, ""chef""",,,,,,,,https://x.test/,,,`),
    '',
  ]);
  await appendMatches(folder, 'a.csv', [said(4)], 100);
  expect((await rows(`${table}.old`)).length).toBe(5);
  expect(await rows(table)).toEqual([head, expect.stringMatching(/^4,/), '']);
  await writeFile(table, 'match,announ');
  expect(await lastMatchIn(table)).toBeNull();
  await appendMatches(folder, 'a.csv', [said(5)], 1e9);
  expect((await rows(table))[0]).toBe(head);
});

test('A7: nothing is written through a link or into a folder', async () => {
  const secret = join(folder, 'secret');
  await writeFile(secret, '');
  await symlink(secret, path);
  await expect(append(1, 1)).rejects.toThrow('ELOOP');
  expect(await readFile(secret, 'utf8')).toBe('');
  await rm(path);
  await mkdir(path);
  await expect(append(1, 1)).rejects.toThrow('EISDIR');
});
